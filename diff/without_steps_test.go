package diff_test

import (
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
)

// TestWithoutSteps: a rank that was captured and holds none of the steps that are compared counts as
// one that is missing, unless the other side's does not hold them either.
func TestWithoutSteps(t *testing.T) {
	stepless := func(set *run.Set, ranks ...int) *run.Set {
		for _, n := range ranks {
			r := &set.Runs[0].Ranks[n]
			r.Steps, r.Series = nil, nil
		}
		return set
	}
	elsewhere := func(set *run.Set, ranks ...int) *run.Set {
		for _, n := range ranks {
			steps := set.Runs[0].Ranks[n].Steps
			for i := range steps {
				steps[i].Number += 1000
			}
		}
		return set
	}
	of := func(seed float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), Steps: 30, Step: difftest.Steady(.1, seed)})
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		without    [2][]int
		gate       diff.GateState
	}{
		{"all have steps", of(0), of(1), [2][]int{}, diff.GatePassed},
		{"one has none", of(0), stepless(of(1), 2), [2][]int{nil, {2}}, diff.GatePassed},
		{"half have none", of(0), stepless(of(1), 0, 2), [2][]int{nil, {0, 2}}, diff.GateNotJudged},
		{"three of the baseline have none", stepless(of(0), 0, 1, 2), of(1), [2][]int{{0, 1, 2}, nil}, diff.GateNotJudged},
		{"half have none on both sides", stepless(of(0), 0, 1), stepless(of(1), 0, 1), [2][]int{}, diff.GatePassed},
		{"others are marked", stepless(of(0), 0, 1), stepless(of(1), 2, 3), [2][]int{{0, 1}, {2, 3}}, diff.GateNotJudged},
		{"half count from elsewhere", of(0), elsewhere(of(1), 0, 1), [2][]int{nil, {0, 1}}, diff.GateNotJudged},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		if !slices.Equal(r.Base.WithoutSteps, tt.without[0]) || !slices.Equal(r.Cand.WithoutSteps, tt.without[1]) || r.Gate.State != tt.gate {
			t.Errorf("%s: gate %s, without steps %v and %v, want %s and %v: %s %s", tt.name, r.Gate.State,
				r.Base.WithoutSteps, r.Cand.WithoutSteps, tt.gate, tt.without, difftest.HeadlineOf(r), difftest.BasisOf(r))
		}
		asked := policy.DefaultPolicy()
		asked.Allow = []string{policy.AllowRanks}
		if got := diff.Compare(tt.base, tt.cand, asked, diff.Options{}); got.Gate.State != diff.GatePassed && tt.name != "others are marked" {
			t.Errorf("%s, allowed: gate %s: %s", tt.name, got.Gate.State, difftest.HeadlineOf(got))
		}
	}
}
