package verdict_test

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
)

// TestJitter: steps that differ more from one to the next are a finding where that is sure
// and of some size, also where the median is the same; steps on a slope are no jitter.
func TestJitter(t *testing.T) {
	side := func(sd, rise float64, seed uint64) *run.Set {
		w := difftest.NoisySteps(0.1, sd, seed)
		return difftest.One(60, 0, func(rank, s int) float64 { return w(rank, s) * (1 + rise*float64(s)) })
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		want       string
	}{
		{"three times", side(0.01, 0, 1), side(0.03, 0, 2), "look: Steps differ more from one to the next: by "},
		{"a third", side(0.03, 0, 1), side(0.01, 0, 2), "look: Steps differ less from one to the next: by "},
		{"the same", side(0.03, 0, 1), side(0.03, 0, 2), ""},
		{"little of a step", side(0.001, 0, 1), side(0.003, 0, 2), ""},
		{"a slope", side(0.005, 0, 1), side(0.005, 0.03, 2), ""},
	} {
		if got := difftest.SaidOf(difftest.Compare(tt.base, tt.cand), "dispersion"); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
