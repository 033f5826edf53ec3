package cause_test

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
)

func findingOf(r *diff.Report, kind policy.Kind) *cause.Finding {
	if i := slices.IndexFunc(r.Findings, func(f cause.Finding) bool { return f.Kind == kind }); i >= 0 {
		return &r.Findings[i]
	}
	return nil
}

// TestPairChanges: pairs are lined up by their ranks, each with its own load on either side, and have
// the dimension that all runs agree on.
func TestPairChanges(t *testing.T) {
	side := func(label, dimension string, ns int64) *run.Set {
		s := difftest.SetOf(label, difftest.Job{Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.Steady(.1, 0)})
		s.Runs[0].Pairs = []run.Pair{{Ranks: [2]int{0, 1}, Dimension: dimension, Use: run.GroupUse{Collective: "SendRecv", Steps: 2, Calls: 2, Time: ns}}}
		return s
	}
	for _, tt := range []struct{ base, cand, want string }{{"PP", "PP", "PP"}, {"PP", "DP", ""}} {
		r := difftest.Compare(side("b", tt.base, 2e6), side("c", tt.cand, 6e6))
		if len(r.Pairs) != 1 || r.Pairs[0].Dimension != tt.want || !(r.Pairs[0].Cand.Time > 2.9*r.Pairs[0].Base.Time && r.Pairs[0].Base.Time > 0) {
			t.Errorf("%s and %s: got %+v, want dimension %q, three times as long", tt.base, tt.cand, r.Pairs, tt.want)
		}
	}
}

// TestPipelineOfRuns: of a side's pipelines that is known in which its runs agree.
func TestPipelineOfRuns(t *testing.T) {
	side := func(label string, batches ...int) *run.Set {
		var jobs []difftest.Job
		for i := range batches {
			jobs = append(jobs, difftest.Job{Name: label + string(rune('1'+i)), Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.Steady(.1, float64(i))})
		}
		s := difftest.SetOf(label, jobs...)
		for i, n := range batches {
			s.Runs[i].Groups = []run.Group{{Ranks: []int{0, 1}, Size: 2, Pipeline: &run.Pipeline{MicroBatches: n, Chunks: 1, Schedule: "1F1B"}}}
		}
		return s
	}
	r := difftest.Compare(side("b", 8, 8), side("c", 8, 4))
	if r.Pipeline == nil {
		t.Fatal("got no pipeline")
	}
	for i, want := range []int{8, 0} {
		if p := &r.Pipeline[i]; p.Stages != 2 || p.MicroBatches != want || p.Chunks != 1 || p.Schedule != "1F1B" {
			t.Errorf("side %d: got %+v, want 2 stages, %d micro-batches, 1F1B", i, p, want)
		}
	}
	if l := (cause.StageLoads{Step: .1, Bubble: .03}); math.Abs(l.Busy()-.07) > 1e-12 {
		t.Errorf("got %v s busy, want 0.07", l.Busy())
	}
}

// TestWorkChanges: which way work changed; and of the same work that it is done at another rate.
func TestWorkChanges(t *testing.T) {
	side := func(label string, step, flops, rate float64) *run.Set {
		s := difftest.SetOf(label, difftest.Job{Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{{Metric: run.ComputeTime}: difftest.Steady(.8*step, 0)}})
		for i := range s.Runs[0].Ranks {
			for metric, v := range map[string]float64{run.FLOPs: flops, run.FLOPsRate: rate} {
				s.Runs[0].Ranks[i].Series = append(s.Runs[0].Ranks[i].Series, run.Series{Key: run.Key{Metric: metric}, Values: slices.Repeat([]float64{v}, 60)})
			}
		}
		s.Metrics = append(slices.Clone(s.Metrics), run.Metric{Name: run.FLOPs, Unit: "FLOP"}, run.Metric{Name: run.FLOPsRate, Unit: "FLOP/s", Better: run.Higher})
		return s
	}
	base := side("b", .05, 16e12, 400e12)
	for kind, cand := range map[policy.Kind]*run.Set{policy.KindWorkShrank: side("c", .045, 14e12, 400e12), policy.KindWorkGrew: side("c", .056, 18e12, 400e12)} {
		if findingOf(difftest.Compare(base, cand), kind) == nil {
			t.Errorf("%s: not found", kind)
		}
	}
	r := difftest.Compare(base, side("c", .0625, 16e12, 320e12))
	if !slices.ContainsFunc(r.Findings, func(f cause.Finding) bool {
		return slices.ContainsFunc(f.Clauses, func(c cause.Clause) bool { return c.Kind == cause.ClauseSameWork })
	}) {
		t.Errorf("the same work at a lower rate: got %v", kindsOf(r))
	}
}

// TestCopiesBlock has what real jobs show: calls that copy from pageable memory return late.
func TestCopiesBlock(t *testing.T) {
	for _, tt := range []struct {
		time, call float64
		want       bool
	}{{.060, .080, true}, {1.041, .0011, false}, {.1, math.NaN(), false}} {
		if u := (cause.CopyUse{Time: tt.time, Call: tt.call}); u.Blocks() != tt.want {
			t.Errorf("%v s of copies, %v s of calls: got %v, want %v", tt.time, tt.call, u.Blocks(), tt.want)
		}
	}
}
