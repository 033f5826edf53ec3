package html

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// trendOf is a metric over so many runs, which is worse in the second half, with names as an
// attacker would write them.
func trendOf(runs int) *verdict.Trend {
	tr := &verdict.Trend{Metric: run.Metric{Name: run.StepTime, Unit: "s", Better: run.Lower}, Least: 5, Ordered: true}
	for i := range runs {
		value := 0.1 + 0.001*noise(i)
		if i >= runs/2 {
			value *= 1.1
		}
		tr.Points = append(tr.Points, verdict.TrendPoint{Name: fmt.Sprintf("<b>run</b>%s-%d", strings.Repeat("wide", 8), i), Began: int64(i+1) * 1e15, Value: value,
			From: run.Origin{Label: "nightly", Link: "https://example.org/" + fmt.Sprint(i)}})
	}
	tr.Levels = []verdict.Stretch{{From: 0, To: runs / 2, Value: 0.1005}, {From: runs / 2, To: runs, Value: 0.1105, Change: verdict.Shift{By: 0.1, Relative: true}}}
	if err := tr.Hold(verdict.Anchor{Ago: runs - 2}); err != nil {
		panic(err)
	}
	return tr
}

func writtenTrend(t testing.TB, tr *verdict.Trend) string {
	t.Helper()
	var b strings.Builder
	if err := WriteTrend(&b, tr); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTrendInBrowser: each dot leads to its row, the anchor is one of the dots, links go where the
// runs say, and the page asks for nothing.
func TestTrendInBrowser(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	address := saved(t, "trend", writtenTrend(t, trendOf(24)))
	for _, width := range []int64{1440, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`#run-24`))); err != nil {
			t.Fatal(err)
		}
		over, err := evaluate[int](ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
		if err != nil || over > 0 {
			t.Errorf("at %d px the page is %d px wider than its window (%v)", width, over, err)
		}
	}
	for script, want := range map[string]string{
		`[...document.querySelectorAll('a[href^="#"]')].filter(a => !document.querySelector(a.getAttribute('href'))).length + ' ' + document.querySelectorAll('b').length`:                           "0 0",
		`document.querySelectorAll('.run').length + ' ' + document.querySelectorAll('.held').length + ' ' + document.querySelectorAll('.level').length`:                                              "24 1 2",
		`document.querySelectorAll('tbody a[href^="https://example.org/"]').length`:                                                                                                                  "24",
		`document.querySelector('.trend a[href="#run-20"]').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); location.hash + ' ' + document.querySelector('tr:target').id`: "#run-20 run-20",
	} {
		if got, err := evaluate[any](ctx, script); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v (%v), want %s", script, got, err, want)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestTrendAccessible holds the page to axe-core; see TestAccessible.
func TestTrendAccessible(t *testing.T) {
	axeOnDrawnPage(t, saved(t, "trend", writtenTrend(t, trendOf(24))))
}
