package html

import (
	"context"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// counting counts what painting costs from here on: cells painted one by one, and
// pictures made.
const counting = `(() => {
  window.count = { cells: 0, pictures: 0, bars: 0 };
  const wrap = (of, name, what) => { const f = of[name]; of[name] = function () { count[this.canvas && this.canvas.closest('.tl') ? 'bars' : what]++; return f.apply(this, arguments) } };
  wrap(CanvasRenderingContext2D.prototype, 'fillRect', 'cells');
  wrap(HTMLCanvasElement.prototype, 'toDataURL', 'pictures');
})()`

// TestBrowserWork: what the page does, counted: elements, cells and pictures. Time is
// measured by BenchmarkPage.
func TestBrowserWork(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "work", written(t, fullReport(128, 700))), 1440); err != nil {
		t.Fatal(err)
	}
	number := func(script string) int {
		t.Helper()
		n, err := evaluate[int](ctx, script)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	number(counting + `; 0`)
	if undrawn, err := evaluate[string](ctx, scrollThrough); err != nil || undrawn != "" {
		t.Fatalf("not drawn: %s %v", undrawn, err)
	}
	// Three maps of ranks and steps, two of utilization: a picture each, painted at once.
	made := number(`count.pictures`)
	if cells := number(`count.cells`); cells > 0 || made > 5 {
		t.Errorf("got %d pictures and %d cells painted one by one, want at most 5 and 0", made, cells)
	}
	if bars := number(`count.bars`); bars == 0 || bars > 3000 {
		t.Errorf("got %d bars painted in the timeline, want some and at most 3,000", bars)
	}
	for _, id := range []string{"rank-steps", "utilization"} {
		number(`document.getElementById('` + id + `').scrollIntoView({behavior: 'instant'}); 0`)
		for _, key := range []string{"]", "."} {
			if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
				t.Fatal(err)
			}
			number(`(async () => { ` + settle + ` return 0 })()`)
		}
	}
	const outlines = `document.querySelectorAll('#c-map-b path[stroke-width="2"]').length`
	if got := number(`(async () => { ` + until + ` await until(() => ` + outlines + ` === 2); return ` + outlines + ` })()`); got != 2 {
		t.Errorf("got %d outlines of the selection in the map, want 2", got)
	}
	if now := number(`count.pictures`); now != made {
		t.Errorf("selecting made %d pictures anew", now-made)
	}
	if hidden := number(`+document.getElementById('nocharts').hidden`); hidden != 1 {
		t.Error("the page says that it has no charts")
	}
	elements := number(`document.querySelectorAll('*').length`)
	t.Logf("%d elements, %d pictures", elements, made)
	if elements > 20_000 {
		t.Errorf("got %d elements, want at most 20,000", elements)
	}
	if n := number(`Math.max(...[...document.querySelectorAll('.chart')].map(e => e.querySelectorAll('*').length))`); n > 5_000 {
		t.Errorf("got %d elements in a chart, want at most 5,000", n)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestBrowserWithoutCharts: where library or data cannot be inflated the page says so and
// complains of nothing.
func TestBrowserWithoutCharts(t *testing.T) {
	whole := written(t, jobReport(2, 12))
	damaged := func(id string) string {
		at := strings.Index(whole, `id="`+id+`">`) + len(id) + 100
		return whole[:at] + strings.Repeat("A", 40) + whole[at+40:]
	}
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	for _, c := range []struct{ name, page, before string }{
		{"library", damaged("library"), ``}, {"data", damaged("data"), ``},
		{"text", strings.Replace(whole, `id="data">`, `id="data">!`, 1), ``},
		{"browser", whole, `delete window.DecompressionStream`}, // from here on
	} {
		if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: c.before}); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(saved(t, "without-"+c.name, c.page)), chromedp.WaitVisible(chromedp.CSS("#nocharts"))); err != nil {
			t.Errorf("%s: nothing is said: %v", c.name, err)
		}
		if drawn, err := evaluate[int](ctx, `document.querySelectorAll('.chart svg').length`); err != nil || drawn > 0 {
			t.Errorf("%s: got %d charts, %v", c.name, drawn, err)
		}
		for _, w := range s.seen.take() {
			t.Errorf("%s: %s", c.name, w)
		}
	}
}
