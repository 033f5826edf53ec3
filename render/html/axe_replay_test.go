package html

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"perfdiff/analyze/source/ncu"
	"perfdiff/analyze/synth/ncutest"
	"perfdiff/diff/compute"
	"perfdiff/diff/policy"
)

// writtenReplay is the page of two recordings of Nsight Compute, in one of which warps wait longer.
func writtenReplay(t testing.TB) string {
	t.Helper()
	base, cand := ncutest.Usual(), ncutest.Usual()
	for reason := range cand.Kernels[0].Stalls {
		cand.Kernels[0].Stalls[reason] *= 1.5
	}
	var sets []*ncu.Set
	for _, r := range []ncutest.Recording{base, cand} {
		path := filepath.Join(t.TempDir(), "kernels.csv")
		if err := os.WriteFile(path, []byte(r.Text()), 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := ncu.Load(t.Context(), path, ncu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	var b strings.Builder
	if err := WriteReplay(&b, compute.Compare(sets[0], sets[1], policy.DefaultPolicy()), "perfdiff"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReplayAccessible: axe-core finds nothing on the page of kernels that were replayed, light and
// dark.
func TestReplayAccessible(t *testing.T) {
	path := os.Getenv("PERFDIFF_AXE")
	if path == "" {
		t.Skip("PERFDIFF_AXE is not set: make axe fetches axe-core and runs this test")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := browser(t)
	address := saved(t, "kernels", writtenReplay(t))
	for _, theme := range []string{"light", "dark"} {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`h1`))); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, `document.querySelectorAll('details').forEach(e => e.open = true); true`); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, string(axe)+"; true"); err != nil {
			t.Fatal(err)
		}
		found, err := chromedp.Run(ctx, chromedp.Evaluate[string](violations, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		if found != "" {
			t.Errorf("%s theme:\n%s", theme, found)
		}
		cancel()
	}
}
