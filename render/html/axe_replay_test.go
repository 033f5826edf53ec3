package html

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	axeOnDrawnPage(t, saved(t, "kernels", writtenReplay(t)))
}

// TestReplayAboveRoof: a kernel above its roof, as gemm of the usual recording, lies in the picture.
func TestReplayAboveRoof(t *testing.T) {
	page := writtenReplay(t)
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") || !strings.Contains(page, "above the roof of compute") {
		t.Error("a kernel above its roof has no place in the picture")
	}
}
