package html

import (
	"context"
	"strings"
	"testing"
)

// TestHoverTells: over a step it tells the ranks' band, behind the end of a capture no rate, and
// the map says of a rank that one side lacks that it was not captured.
func TestHoverTells(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	r := severalRuns()
	if err := open(ctx, saved(t, "hover", written(t, r)), 1440); err != nil {
		t.Fatal(err)
	}
	const ready = `const e = document.getElementById(id); e.scrollIntoView({behavior: 'instant', block: 'center'}); await until(() => e.dataset.drawn);`
	hover := func(id, place string) string {
		t.Helper()
		got, err := evaluate[string](ctx, `(async () => { const id = 'c-`+id+`'; `+until+ready+`
			const b = e.getBoundingClientRect();
			e.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: b.left + `+place+`, clientY: b.top + b.height * 0.4}));
			return document.getElementById('tip').textContent })()`)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := hover("steps", "b.width / 2"); !strings.Contains(got, "ranks, Baseline") || !strings.Contains(got, "ranks, Candidate") {
		t.Errorf("steps: got %q", got)
	}
	if got := hover("io-c", "b.width - 30"); !strings.Contains(got, "Candidate\u2013") {
		t.Errorf("reads behind the end: got %q", got)
	}
	if got := hover("io-c", "60"); !strings.Contains(got, "Candidate") || strings.Contains(got, "\u2013") {
		t.Errorf("reads: got %q", got)
	}
	absent, err := evaluate[string](ctx, `(async () => { const id = 'c-map-c'; `+until+ready+` return [...e.querySelectorAll('text')].map(x => x.textContent).join('|') })()`)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(absent, "not captured"); n != 1 {
		t.Errorf("the candidate's map says %d times that a rank was not captured, want 1: %s", n, absent)
	}
}
