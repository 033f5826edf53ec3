package sides_test

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/verdict"
)

// TestRanksOnBothSides: a rank that only one side captured is shown and does
// not enter, so that the file of a slow rank that is missing is no improvement.
func TestRanksOnBothSides(t *testing.T) {
	base := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), First: 0, Steps: 20, Step: difftest.Constant(0.1)})
	for i := range base.Runs[0].Ranks[3].Series {
		values := base.Runs[0].Ranks[3].Series[i].Values
		for s := range values {
			values[s] *= 3
		}
	}
	cand := difftest.SetOf("b", difftest.Job{Ranks: difftest.UpTo(3), First: 0, Steps: 20, Step: difftest.Constant(0.1)})
	for _, set := range []*run.Set{base, cand} {
		for i := range set.Runs[0].Ranks {
			set.Runs[0].Ranks[i].WorldSize = 4
		}
	}
	r := difftest.Compare(base, cand)
	for _, m := range r.Metrics {
		if m.Verdict == verdict.Regressed || m.Verdict == verdict.Improved {
			t.Errorf("%s: %v, from %v to %v", m.Metric.Name, m.Verdict, m.Base, m.Cand)
		}
	}
	if len(r.Ranks) != 4 || !r.Ranks[3].Base.Present || r.Ranks[3].Cand.Present {
		t.Errorf("the rank of one side is not shown: %d ranks", len(r.Ranks))
	}
	if len(r.Cand.Missing) != 1 || r.Cand.Missing[0] != 3 {
		t.Errorf("missing: got %v, want 3", r.Cand.Missing)
	}
	if got := r.Steps[5].Base; got.Ranks != 3 || math.Abs(got.Max-0.1) > 0.01 {
		t.Errorf("the band of a step holds %d ranks up to %v, want those of both sides", got.Ranks, got.Max)
	}
}

// TestNoRankInCommon: sides without a number in common enter whole.
func TestNoRankInCommon(t *testing.T) {
	base := difftest.SetOf("a", difftest.Job{Ranks: []int{0, 1}, First: 0, Steps: 20, Step: difftest.Constant(0.1)})
	cand := difftest.SetOf("b", difftest.Job{Ranks: []int{4, 5}, First: 0, Steps: 20, Step: difftest.Constant(0.1)})
	r := difftest.Compare(base, cand)
	if c := r.Metrics[0]; c.Ranks != [2]int{2, 2} || math.IsNaN(c.Estimate) {
		t.Errorf("got ranks %v, estimate %v", c.Ranks, c.Estimate)
	}
}
