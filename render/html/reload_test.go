package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff/cause"
)

// TestBrowserReloadFolds: what was folded and revealed comes back with the address: each fold alone,
// several at once, one closed again, and all rows of a table that shows the first ones.
func TestBrowserReloadFolds(t *testing.T) {
	r := fullReport(16, 19)
	for i := range 40 {
		k := r.Kernels[0]
		k.Name = fmt.Sprint("another kernel ", i)
		r.Kernels = append(r.Kernels, k)
	}
	x, page := reading(t, r, "#kernels")
	const state = `return JSON.stringify({ open: [...document.querySelectorAll('details')].map((d, i) => d.open ? i : -1).filter(i => i >= 0),
  rows: [...document.querySelectorAll('#ktab tbody tr')].filter(r => !r.hidden).length })`
	untouched := x.says(state)
	all := strings.Fields(x.says(`return [...document.querySelectorAll('details')].map((d, i) => d.querySelector(':scope > summary') && d.closest('section, .first') ? i : -1).filter(i => i >= 0).join(' ')`))
	if len(all) < 8 {
		t.Fatalf("got %d folds, want eight or more", len(all))
	}
	// toggle clicks the folds, as a reader does, and reloads the address that stands there then.
	toggle := func(what string, folds ...string) (before, after string) {
		t.Helper()
		before = x.says(`for (const i of [` + strings.Join(folds, ",") + `]) { const d = document.querySelectorAll('details')[i], was = d.open, from = location.hash; d.querySelector(':scope > summary').click();
  await until(() => d.open !== was); await until(() => location.hash !== from || d.closest('details:not([open])')); }
  ` + state)
		x.open(page + x.says(`return location.hash`))
		if after = x.says(state); after != before {
			t.Errorf("%s: after a reload got %s, want %s, at %s", what, after, before, x.says(`return location.hash`))
		}
		return before, after
	}
	for i := 0; i < len(all); i += max(1, len(all)/6) {
		if before, _ := toggle("fold "+all[i], all[i]); before == untouched {
			t.Errorf("fold %s: nothing opened", all[i])
		}
		x.open(page + "#kernels")
	}
	some := slices.Concat(all[1:3], all[len(all)-2:])
	toggle("several", some...)
	if before, _ := toggle("one closed again", some[0]); before == untouched {
		t.Error("closing one closed all")
	}
	x.open(page + "#kernels")
	x.says(`for (let up = document.getElementById('ktab'); up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
await until(() => [...document.querySelectorAll('#kernels button.btn')].some(b => b.textContent.startsWith('Show all')));
[...document.querySelectorAll('#kernels button.btn')].find(b => b.textContent.startsWith('Show all')).click();
await until(() => location.hash.includes('all.kernels=1')); return ''`)
	if before, _ := toggle("all rows"); before == untouched || !strings.Contains(before, fmt.Sprintf(`"rows":%d`, rowsOf(r.Kernels))) {
		t.Errorf("all rows: got %s, want %d", before, rowsOf(r.Kernels))
	}
	x.quiet()
}

// rowsOf is how many rows the kernel table has.
func rowsOf(all []cause.Kernel) int { return min(len(all), maxRows) }
