package html

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// portraitOf is a set of so many ranks and steps, with names as an attacker would write them.
func portraitOf(ranks, steps int) *diff.Portrait {
	r := jobReport(ranks, steps)
	r.Cand.Label = `<img src=x onerror=alert(1)>` + strings.Repeat("wide", 30)
	for i := range r.Kernels {
		r.Kernels[i].Name = `</script><script>alert(1)</script>` + r.Kernels[i].Name
	}
	late := cause.RankWait{Rank: 1, Host: "node<1>", LastShare: 0.9, CausedWait: 0.02}
	p := &diff.Portrait{Side: r.Cand, Report: r, Step: 0.079, Mean: r.Waterfall.Cand}
	p.Notes = []diff.Note{{Kind: diff.NoteStraggler, Size: 0.01, Share: math.NaN(), Rank: &late, By: "compute"}, {Kind: diff.NoteDrift, Size: 0.1, Share: math.NaN()}}
	p.Warnings = []diff.Warning{{Count: 2}}
	p.Warnings[0].Text = "something <b>odd</b>"
	return p
}

func writtenPortrait(t testing.TB, p *diff.Portrait) string {
	t.Helper()
	var b strings.Builder
	if err := WritePortrait(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLines: where there are more points than places, a line keeps its extremes as a band.
func TestLines(t *testing.T) {
	v := make([]float64, 10*plotPoints)
	v[1234] = 7
	l := thinned("", v, plotPoints, mean)
	if n := len(l.mid); n > plotPoints || l.hi[123] != 7 || l.lo[123] != 0 || l.mid[123] != 0.7 {
		t.Errorf("got %d points, %g with %g at most, want the spike kept", n, l.mid[123], l.hi[123])
	}
}

// TestPortraitSize: the page of a large job stays small: what grows with ranks and steps is cut,
// and said.
func TestPortraitSize(t *testing.T) {
	page := writtenPortrait(t, portraitOf(300, 1000))
	if n := len(page); n > 300_000 {
		t.Errorf("the page of 300 ranks and 1,000 steps has %d bytes, want 300,000 at most", n)
	}
	for _, want := range []string{"100 more rows left out", fmt.Sprintf("The first %d ranks are drawn", maxPortraitBars), "Each point is the median of 2 steps"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if again := writtenPortrait(t, portraitOf(300, 1000)); again != page {
		t.Error("two pages of one set differ")
	}
}

// TestPortraitMap: the map has the darkest shade where a rank takes longest, none where nothing was
// recorded, and says of how many ranks a row is; noise has not all shades.
func TestPortraitMap(t *testing.T) {
	p := portraitOf(3, 10)
	for i := range p.Report.Ranks {
		side := &p.Report.Ranks[i].Cand
		side.OwnTime = make([]float64, len(side.Steps))
		for k := range side.OwnTime {
			side.OwnTime[k] = 0.05 + 0.03*float64(i/2)
		}
		side.OwnTime[9] = math.NaN()
	}
	s := &portraitSheet{&sheet{r: p.Report, ms: stepScale(p.Report)}, p}
	sec := s.rankSteps()
	if want := "Mean own time, the step without waiting for other ranks, goes from 50.0 (rank 0) to 80.0"; !strings.HasPrefix(sec.Reading, want) {
		t.Errorf("got %q, want %q", sec.Reading, want)
	}
	shades := func(sec portraitSection) (out []string) {
		for _, m := range regexp.MustCompile(`<path d="([^"z]*)" stroke="[^"]*" stroke-width="18" opacity="([^"]*)"`).FindAllStringSubmatch(string(sec.Drawn[0].SVG), -1) {
			out = append(out, m[2]+" "+m[1])
		}
		return out
	}
	// nine steps of ten, each 103 px, in rows of 18
	if got, want := shades(sec), []string{"0.07 M60 33h927M60 51h927", "1 M60 69h927"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i := range p.Report.Ranks {
		side := &p.Report.Ranks[i].Cand
		for k := range side.OwnTime {
			side.OwnTime[k] = 0.05 + 1e-5*float64((i+k)%5)
		}
	}
	if got := shades(s.rankSteps()); len(got) != 1 || !strings.HasPrefix(got[0], "0.07 ") {
		t.Errorf("noise: got %q", got)
	}
	many := portraitOf(3*maxMapRows, 2*maxMapColumns)
	s = &portraitSheet{&sheet{r: many.Report, ms: stepScale(many.Report)}, many}
	sec = s.rankSteps()
	if note := sec.Blocks[0].Note; !strings.Contains(note, "Each row is the slowest of 3 ranks") || !strings.Contains(note, "median of 2 steps") {
		t.Errorf("got %q", note)
	}
}

// TestPortraitTimeline: a typical and the longest step are drawn with all their bars, on one axis.
func TestPortraitTimeline(t *testing.T) {
	p := portraitOf(4, 12)
	p.Report.Timeline = [2][]diff.Excerpt{{excerptOf(0, 4, 6, false)}, {excerptOf(1, 4, 6, false), excerptOf(1, 4, 11, true)}}
	p.Report.Views = []diff.View{{Kind: diff.ViewTypical, Rank: -1}, {Kind: diff.ViewWorst, Side: "candidate", Step: [2]int{0, 1}, Rank: -1}}
	s := &portraitSheet{&sheet{r: p.Report, ms: stepScale(p.Report)}, p}
	sec := s.timeline()
	if len(sec.Drawn) != 2 || !strings.HasPrefix(sec.Reading, "A typical step (17) takes ") || !strings.Contains(sec.Reading, "the longest step (22) takes ") {
		t.Fatalf("got %q, %+v", sec.Reading, sec.Drawn)
	}
	longest := 0.0
	for _, e := range p.Report.Timeline[1] {
		for k := range e.Ranks {
			longest = max(longest, float64(e.Ranks[k].Length))
		}
	}
	for i, d := range sec.Drawn {
		var want, got, bars float64
		for k := range p.Report.Timeline[1][i].Ranks {
			rank := &p.Report.Timeline[1][i].Ranks[k]
			for _, b := range rank.Spans {
				if b.Lane != run.LaneRange && b.Start < rank.Length {
					want += float64(min(b.End, rank.Length)-max(b.Start, 0)) / longest * (wideFrame.right - barLeft)
					bars++
				}
			}
		}
		for _, path := range regexp.MustCompile(`<path d="([^"]*)"[^>]* stroke-width="10"`).FindAllStringSubmatch(string(d.SVG), -1) {
			for _, h := range regexp.MustCompile(`h([0-9.]+)`).FindAllStringSubmatch(path[1], -1) {
				var wide float64
				if _, err := fmt.Sscan(h[1], &wide); err != nil {
					t.Fatal(err)
				}
				got += wide
			}
		}
		if math.Abs(got-want) > 2*bars || bars == 0 || want < 500 {
			t.Errorf("step %d: bars of %g px together, want %g", i, got, want)
		}
	}
	page := writtenPortrait(t, p)
	for _, want := range []string{`id="timeline"`, "Typical step: 17", "Longest step: 22", "Waiting for input"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	p.Report.Views = nil
	if sec := s.timeline(); sec.ID != "" {
		t.Error("without views there is a timeline")
	}
}

// TestPortraitInBrowser: the page of one run set asks for nothing, runs nothing of what names hold,
// fits its window, and is accessible where axe-core is there.
func TestPortraitInBrowser(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	address := saved(t, "portrait", writtenPortrait(t, portraitOf(4, 19)))
	for _, width := range []int64{1440, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`#warnings`))); err != nil {
			t.Fatal(err)
		}
		over, err := evaluate[int](ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
		if err != nil || over > 0 {
			t.Errorf("at %d px the page is %d px wider than its window (%v)", width, over, err)
		}
	}
	for script, want := range map[string]string{
		`document.querySelectorAll('img, b b').length + ' ' + document.scripts.length`:                                                                  "0 1",
		`[...document.querySelectorAll('a[href^="#"]')].filter(a => !document.querySelector(a.hash)).length`:                                            "0",
		`document.querySelectorAll('#steps path[stroke="var(--cand)"]').length + ' ' + document.querySelectorAll('#steps path[opacity="0.18"]').length`: "1 1",
		`(() => { const over = e => e.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: innerWidth - 10, clientY: innerHeight - 10})), tip = () => document.querySelector('.tip'); over(document.querySelector('#ranks [data-hint]')); const b = tip().getBoundingClientRect(), said = tip().textContent; over(document.body); return said + (b.right <= innerWidth && b.bottom <= innerHeight) + !tip(); })()`: "Compute: 60.7\u202fmstruetrue",
		`document.querySelectorAll('#ranks .partbars text').length`: "8",
	} {
		if got, err := evaluate[any](ctx, script); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v (%v), want %s", script, got, err, want)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestPortraitAccessible holds the page to axe-core; see TestAccessible.
func TestPortraitAccessible(t *testing.T) {
	axeOnDrawnPage(t, saved(t, "portrait", writtenPortrait(t, portraitOf(4, 19))))
}

// axeOnDrawnPage holds a page without a script of its own to axe-core, in both themes.
func axeOnDrawnPage(t *testing.T, address string) {
	t.Helper()
	path := os.Getenv("PERFDIFF_AXE")
	if path == "" {
		t.Skip("PERFDIFF_AXE is not set: make axe fetches axe-core and runs this test")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	for _, theme := range []string{"light", "dark"} {
		script := `document.documentElement.dataset.theme = '` + theme + `'; document.querySelectorAll('details').forEach(e => e.open = true); true`
		if _, err := evaluate[bool](ctx, script); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, string(axe)+"; true"); err != nil {
			t.Fatal(err)
		}
		if found, err := evaluate[string](ctx, violations); err != nil || found != "" {
			t.Errorf("%s theme: %v\n%s", theme, err, found)
		}
	}
}
