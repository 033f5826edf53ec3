package html

import (
	"context"
	"strings"
	"testing"
)

// Each choice of a quantity shows its own charts, drawn, and those of no other.
func TestBrowserQuantities(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "quantities", written(t, jobReport(16, 19)))+"#distribution", 1440); err != nil {
		t.Fatal(err)
	}
	values, err := evaluate[string](ctx, `document.querySelectorAll('details:not(.about)').forEach(d => d.open = true); [...document.querySelectorAll('input[name=view]')].map(i => i.value).join()`)
	if all := strings.Split(values, ","); err != nil || len(all) < 5 {
		t.Fatalf("got the choices %q, %v; want five or more", values, err)
	}
	const drawn = `new Promise(function (done) {
  document.querySelector('input[name=view][value="WHICH"]').click();
  var charts = () => [...document.querySelectorAll('.panel:not([hidden]) .chart')];
  (function look() {
    charts().forEach(e => e.scrollIntoView());
    if (charts().some(e => !e.dataset.drawn)) return setTimeout(look, 20);
    done([...new Set([...document.querySelectorAll('.panel:not([hidden])')].map(p => p.dataset.panel))].join());
  })();
})`
	for which := range strings.SplitSeq(values, ",") {
		if got, err := evaluate[string](ctx, strings.Replace(drawn, "WHICH", which, 1)); err != nil || got != which {
			t.Errorf("%s: got the panels of %q, %v", which, got, err)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
