package html

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/plot"
)

// severalReports are three candidates: one as the job of the tests is, one whose interval goes far
// beyond the others', with names as an attacker would write them, and one that has no steps.
func severalReports() *diff.Several {
	first, wide, silent := jobReport(4, 19), jobReport(4, 400), jobReport(4, 19)
	wide.Cand.Label, silent.Cand.Label = `<img src=x onerror=alert(1)>`+strings.Repeat("wide", 20), "silent"
	for i := range wide.Metrics {
		if c := &wide.Metrics[i]; c.Metric.Name == run.StepTime {
			c.Estimate, c.Lo, c.Hi, c.Verdict, c.Reason = 0.01, -0.9, 4, verdict.Inconclusive, verdict.ReasonNeedsRuns
		}
	}
	wide.Verdict, wide.Reason = verdict.Inconclusive, verdict.ReasonNeedsRuns
	silent.Steps, silent.Judged, silent.Reason = nil, false, verdict.ReasonNoSteps
	silent.Waterfall.Parts = nil
	return &diff.Several{Tool: "perfdiff test", Candidates: []*diff.Report{first, wide, silent}, Given: []int{1, 0, 2}, State: diff.GateNotJudged}
}

func writtenSeveral(t testing.TB, s *diff.Several, pages []string) string {
	t.Helper()
	var b strings.Builder
	if err := WriteSeveral(&b, s, pages); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSeveralPictures: the pictures of all candidates stand on one axis; what is not known is not
// drawn, and said.
func TestSeveralPictures(t *testing.T) {
	s := severalReports()
	p := severalPageOf(s, nil)
	first, wide, silent := &p.Candidates[0], &p.Candidates[1], &p.Candidates[2]
	if silent.Mark+silent.Panel+silent.Bars != "" || silent.Change != "–" {
		t.Errorf("a candidate without steps: got mark %v, panel %v, bars %v, change %q, want none", silent.Mark, silent.Panel, silent.Bars, silent.Change)
	}
	// what is as it is in every picture: the band and the line of no change of a mark, and the numbers of the axis of a panel
	same := func(what string, pattern string, of func(*severalCandidate) template.HTML) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		a, b := re.FindAllString(string(of(first)), -1), re.FindAllString(string(of(wide)), -1)
		if len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("%s: got %q and %q, want one axis", what, a, b)
		}
	}
	same("marks", `<path d="[^"]*" (fill="var\(--paper2\)"|stroke="var\(--ink3\)")`, func(c *severalCandidate) template.HTML { return c.Mark })
	same("panels", `text-anchor="end">[^<]*<`, func(c *severalCandidate) template.HTML {
		grid, _, _ := strings.Cut(string(c.Panel), ">step ")
		return template.HTML(grid)
	})
	if cut := [2]int{strings.Count(string(first.Mark), `class="cut"`), strings.Count(string(wide.Mark), `class="cut"`)}; cut != [2]int{0, 2} {
		t.Errorf("got %v ends cut, want the second cut at both ends, and said so", cut)
	}
	if band := `opacity="0.18"`; strings.Contains(string(first.Panel), band) || !strings.Contains(string(wide.Panel), band) || !strings.Contains(p.Steps, "Up to 3 steps share a place") {
		t.Errorf("400 steps in %d places: got note %q, and %s", panelPlaces, p.Steps, wide.Panel)
	}
	sum := 0.0
	for _, piece := range regexp.MustCompile(`M[0-9.]+ 0h([0-9.]+)v`).FindAllStringSubmatch(string(first.Bars), -1) {
		var w float64
		if _, err := fmt.Sscan(piece[1], &w); err != nil {
			t.Fatal(err)
		}
		sum += w
	}
	longest := 0.0
	for _, r := range s.Candidates[:2] {
		longest = max(longest, r.Waterfall.Base, r.Waterfall.Cand)
	}
	if want := (300 - barLeft) * s.Candidates[0].Waterfall.Base / longest; math.Abs(sum-want) > 0.5 {
		t.Errorf("the pieces of the baseline are %.1f long together, want %.1f", sum, want)
	}
}

// TestSeveralBreaks: a step that is left out breaks the line, and a single step between two such
// is seen.
func TestSeveralBreaks(t *testing.T) {
	r := jobReport(1, 6)
	r.Steps[2].Base.Median = math.NaN()
	r.Steps[4].Base.Median = math.NaN()
	r.Steps[0].Omission.Base = "start"
	p := severalPageOf(&diff.Several{Candidates: []*diff.Report{r}, Given: []int{0}}, nil)
	svg, ink := string(p.Candidates[0].Panel), plot.PageInk
	for look, want := range map[string]int{
		`h0" stroke="` + ink.Base + `" stroke-width="3.2" stroke-linecap="round"`: 3, `stroke="` + ink.Cand + `"`: 1,
	} {
		if got := strings.Count(svg, look); got != want {
			t.Errorf("got %d of %s, want %d: %s", got, look, want, svg)
		}
	}
}

// TestSeveralInBrowser: the page of several candidates asks for nothing, runs nothing of what names
// hold, fits its window, and its links lead to the candidates.
func TestSeveralInBrowser(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	address := saved(t, "several", writtenSeveral(t, severalReports(), []string{"r-2.html", "r-1.html", "r-3.html"}))
	for _, width := range []int64{1440, 1024, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`#candidate-3`))); err != nil {
			t.Fatal(err)
		}
		over, err := evaluate[int](ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
		if err != nil || over > 0 {
			t.Errorf("at %d px the page is %d px wider than its window (%v)", width, over, err)
		}
	}
	for script, want := range map[string]string{
		`document.querySelectorAll('img').length`: "0",
		`[...document.querySelectorAll('main a[href^="#"]')].filter(a => !document.querySelector(a.hash)).length`:   "0",
		`[...document.querySelectorAll('a.page')].map(a => a.getAttribute('href')).join()`:                          "r-2.html,r-1.html,r-3.html",
		`[...document.querySelectorAll('svg.mark')].map(e => e.querySelectorAll('path.cut').length).join()`:         "0,2",
		`document.querySelectorAll('svg.panelled').length + ' ' + document.querySelectorAll('svg.partbars').length`: "2 2",
	} {
		if got, err := evaluate[any](ctx, script); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v (%v), want %s", script, got, err, want)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestSeveralAccessible holds the page to axe-core; see TestAccessible.
func TestSeveralAccessible(t *testing.T) {
	axeOnDrawnPage(t, saved(t, "several", writtenSeveral(t, severalReports(), nil)))
}

// TestSeveralSelection: a candidate or a metric that is selected is marked wherever it is shown, the
// address says so and gives it back, and Escape takes it away.
func TestSeveralSelection(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	address := saved(t, "several-selection", writtenSeveral(t, severalReports(), nil))
	is := func(what, script, want string) {
		t.Helper()
		got, err := evaluate[string](ctx, `(() => { const marked = () => [...document.querySelectorAll('[aria-selected=true], .sel, thead .selc')].map(e => e.tagName + (e.dataset.candidate || '')).join();
			const press = k => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true, cancelable: true}));
			const hash = () => decodeURIComponent(location.hash); `+script+` })()`)
		if err != nil || got != want {
			t.Errorf("%s: got %q (%v), want %q", what, got, err, want)
		}
	}
	open := func(hash string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(address+hash), chromedp.WaitReady(chromedp.CSS(`#candidate-3`))); err != nil {
			t.Fatal(err)
		}
	}
	open("")
	is("nothing", `return marked() + '|' + document.getElementById('choose').hidden`, "|false")
	is("a row", `document.querySelector('#ranking tr[data-candidate="2"] td').click(); return marked() + ' ' + hash()`, "TR2,FIGURE2,TH,SECTION2 #verdict?candidate=2")
	is("it is said", `return document.getElementById('said').textContent.slice(0, 36)`, "Selected: candidate 2 <img src=x one")
	is("others fade", `return '' + document.querySelectorAll('figure.faded').length`, "2")
	is("a metric too", `document.querySelector('#metrics tbody button').click(); return marked() + ' ' + hash()`, "TR2,FIGURE2,TH,TR,SECTION2 #verdict?candidate=2&metric=Step time")
	is("the next one by key", `press(']'); return document.getElementById('candidate').value + hash()`, "3#verdict?candidate=3&metric=Step time")
	is("again takes it away", `document.querySelector('#metrics tbody button').click(); return hash()`, "#verdict?candidate=3")
	is("escape", `press('Escape'); return marked() + ' ' + hash() + ' ' + document.getElementById('said').textContent`, " #verdict Nothing selected")
	is("a cell is both", `document.querySelector('#metrics tbody tr').cells[1].click(); return marked() + ' ' + hash()`, "TR1,FIGURE1,TH,TR,SECTION1 #verdict?candidate=1&metric=Step time")
	open("#metrics?candidate=2&metric=Step%20time")
	is("reloaded", `return marked() + ' ' + (document.getElementById('metrics').getBoundingClientRect().top < 300) + ' ' + hash()`, "TR2,FIGURE2,TH,TR,SECTION2 true #metrics?candidate=2&metric=Step time")
	open("#metrics?candidate=99&metric=%3Cb%3E")
	is("unknown values", `return marked()`, "")
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
