package html

import (
	"context"
	"strconv"
	"strings"
	"testing"
)

// tooltips moves over every chart that is drawn and returns what its tooltips say that no table of
// its section says: a line for each chart, and how many tooltips there were.
const tooltips = `(async () => {
  const plain = s => s.replace(/[\u2000-\u200f\u202f\u00a0\s]/g, '');
  const tip = document.getElementById('tip'), out = [];
  let seen = 0;
  for (const el of document.querySelectorAll('.chart')) {
    if (el.closest('[hidden]') || SKIP.includes(el.id)) continue;
    el.scrollIntoView({block: 'center', behavior: 'instant'});
    for (let i = 0; i < 200 && !el.dataset.drawn; i++) await new Promise(r => setTimeout(r, 20));
    const section = el.closest('section'), known = new Set();
    section && section.querySelectorAll('td, th').forEach(c => plain(c.textContent).split(/[^0-9e.\u2212+%]+/).forEach(v => known.add(v.replace(/^\+/, ''))));
    const box = el.getBoundingClientRect(), missing = new Set();
    for (let x = 4; x < box.width; x += 7) for (const y of [0.2, 0.35, 0.5, 0.65, 0.8]) {
      hideAll(tip);
      el.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: box.left + x, clientY: box.top + box.height * y}));
      if (tip.style.display !== 'block') continue;
      seen++;
      const rows = [...tip.querySelectorAll('.tv, td, dd, b, span')].map(e => e.textContent);
      for (const v of rows) for (const n of plain(v).split(/to|[^0-9e.\u2212+%]+/)) if (/^[+\u2212]?[0-9][0-9e.\u2212]*$/.test(n) && !known.has(n.replace(/^\+/, ''))) missing.add(n + ' of ' + tip.textContent);
    }
    if (missing.size) out.push(el.id + ': ' + [...missing].slice(0, 3).join(' | ') + ' (' + missing.size + ')');
  }
  function hideAll(t) { t.style.display = 'none'; }
  return seen + '\n' + out.join('\n');
})()`

// withoutTable are charts whose values no table holds cell by cell: shares under a curve, cells of
// maps, bins of time, and collectives and quantiles, which their tables give the digits of their change. What they draw is held to the report by the tests of drawn data.
const withoutTable = `['c-first', 'c-ecdf', 'c-map-b', 'c-map-c', 'c-map-d', 'c-util', 'c-io-b', 'c-io-c', 'c-net-b', 'c-net-c', 'c-collectives', 'c-quantiles']`

// TestTooltips: what a chart says where it is pointed at, a table of its section says too, in the
// same digits.
func TestTooltips(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "tooltips", written(t, jobReport(4, 19))), 1440); err != nil {
		t.Fatal(err)
	}
	said, err := evaluate[string](ctx, strings.Replace(tooltips, "SKIP", withoutTable, 1))
	if err != nil {
		t.Fatal(err)
	}
	count, missing, _ := strings.Cut(said, "\n")
	if n, err := strconv.Atoi(count); err != nil || n < 200 {
		t.Errorf("only %s tooltips were seen", count)
	}
	if missing != "" {
		t.Errorf("tooltips say what no table of their section says:\n%s", missing)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
