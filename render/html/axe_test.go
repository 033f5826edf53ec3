package html

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// violations are what axe-core finds on the page as it is shown, one a line.
const violations = `axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations']}).then(r =>
  r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(', ')).join('\n'))`

// TestAccessible holds all pages to axe-core, in both themes, with all tables open and a
// rank and a step selected. "make axe" fetches the library and runs it.
func TestAccessible(t *testing.T) {
	path := os.Getenv("PERFDIFF_AXE")
	if path == "" {
		t.Skip("PERFDIFF_AXE is not set: make axe fetches axe-core and runs this test")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := browser(t)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		address := saved(t, name, written(t, pages[name]()))
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		if err := open(ctx, address+"#ranks?rank=1&step=12", 1440); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, `document.querySelectorAll('details').forEach(e => e.open = true); true`); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[string](ctx, scrollThrough); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, string(axe)+"; true"); err != nil {
			t.Fatal(err)
		}
		for _, theme := range []string{"first", "other"} {
			found, err := chromedp.Run(ctx, chromedp.Evaluate[string](violations, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			if found != "" {
				t.Errorf("%s, %s theme:\n%s", name, theme, found)
			}
			if _, err := evaluate[bool](ctx, `document.getElementById('theme').click(); true`); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
	}
}
