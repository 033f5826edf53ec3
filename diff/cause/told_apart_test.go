package cause

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestSlowStage: a stage is slow where it alone grows, by most of what the bubble changed by, and ends
// up the slowest.
func TestSlowStage(t *testing.T) {
	stages := func(compute ...float64) (out []StageLoads) {
		for i, c := range compute {
			out = append(out, StageLoads{Stage: i, Ranks: []int{2 * i, 2*i + 1}, Compute: c})
		}
		return out
	}
	for _, c := range []struct {
		name       string
		base, cand []StageLoads
		delta      float64
		want       []int // its ranks
	}{
		{"one grows", stages(.05, .05, .05), stages(.05, .05, .08), .03, []int{4, 5}},
		{"the first grows", stages(.05, .05, .05), stages(.08, .05, .051), .03, []int{0, 1}},
		{"one falls back", stages(.05, .08, .05), stages(.05, .05, .05), -.03, []int{2, 3}},
		{"a later one grows by nearly as much", stages(.05, .05, .05), stages(.08, .05, .075), .03, nil},
		{"an earlier one grows by nearly as much", stages(.05, .05, .05), stages(.075, .05, .08), .03, nil},
		{"another stays slower", stages(.05, .09, .05), stages(.08, .09, .05), .03, nil},
		{"less than half of the bubble", stages(.05, .05), stages(.05, .06), .03, nil},
		{"less than matters", stages(.05, .05), stages(.05, .051), .001, nil},
		{"not known", stages(.05, math.NaN()), stages(.08, .05), .03, nil},
		{"other stages", stages(.05), stages(.05, .08), .03, nil},
	} {
		p := &Causes{Judged: &verdict.Judged{Terms: &verdict.Terms{Policy: policy.DefaultPolicy(), Step: .1}}, Pipeline: &[2]Pipeline{{Loads: c.base}, {Loads: c.cand}}}
		var got []int
		if slow := slowStage(p, c.delta); slow != nil {
			got = slow.Ranks
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got ranks %v, want %v", c.name, got, c.want)
		}
	}
}

// TestMostlyOf: a dimension of parallelism has most of a change where it went the same way by most of it.
func TestMostlyOf(t *testing.T) {
	key := run.Key{Metric: run.ExposedTransferTime}
	for _, c := range []struct {
		name, part string
		delta      float64
		want       bool
	}{
		{"most of it", "tensor", .008, true},
		{"less than most", "tensor", .005, false},
		{"the other way", "tensor", -.008, false},
		{"of no known dimension", run.OtherDimension, .008, false},
	} {
		whole := Part{PartChange: PartChange{StepPart: StepPart{Key: key}, Delta: .01}}
		whole.Within = []PartChange{{StepPart: StepPart{Key: run.Key{Metric: key.Metric, Part: c.part}}, Base: .02, Cand: .02 + c.delta, Delta: c.delta}}
		p := &Causes{Waterfall: Waterfall{Parts: []Part{whole}}}
		if got := mostlyOf(p, &verdict.Comparison{Key: key}); (len(got) == 1 && slices.Equal(got[0].Names, []string{c.part})) != c.want || len(got) > 1 {
			t.Errorf("%s: got %+v, want %v", c.name, got, c.want)
		}
		if got := mostlyOf(p, &verdict.Comparison{Key: run.Key{Metric: run.ExposedWaitTime}}); got != nil {
			t.Errorf("%s: of another part: got %+v", c.name, got)
		}
	}
}

// TestLessLate: ranks whose waiting fell are late still only where the candidate's are the same, late
// with the same, and by something.
func TestLessLate(t *testing.T) {
	wait := &verdict.Comparison{Key: run.Key{Metric: run.ExposedWaitTime}, Delta: -.01}
	late := func(by float64, ranks ...int) *lateRanks {
		return &lateRanks{Ranks: ranks, longerInAll: by, longerIn: []run.Key{{Metric: run.ComputeTime}}, longerBy: []float64{by}}
	}
	for _, c := range []struct {
		name  string
		cand  *lateRanks
		after bool
		want  bool
	}{
		{"the same, less", late(.002, 3), true, true},
		{"the same, by nothing", late(0, 3), true, false},
		{"others", late(.002, 4), true, false},
		{"not known", late(.002, 3), false, false},
	} {
		all := vagueLate(&Causes{}, wait, late(.01, 3), c.cand, true, c.after)
		if len(all) != 1 || all[0].Late == nil || all[0].Late.LessLate != c.want {
			t.Errorf("%s: got %+v, want less late %v", c.name, all, c.want)
		}
	}
}
