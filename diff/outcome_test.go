package diff_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// TestAmongMany: among several gating metrics only larger changes can be shown than for
// one alone, of the step time hardly larger ones.
func TestAmongMany(t *testing.T) {
	base, cand := difftest.One(60, 0, difftest.Steady(0.1, 0)), difftest.One(60, 0, difftest.Steady(0.104, 1))
	of := func(gating ...string) *verdict.Comparison {
		p := policy.DefaultPolicy()
		p.Gating = gating
		return verdict.MetricOf(diff.Compare(base, cand, p, diff.Options{}).Metrics, "step_time")
	}
	alone, many := of("step_time"), of(policy.DefaultGating()...)
	if !(many.Detectable > alone.Detectable) || many.Detectable > 1.1*alone.Detectable || many.RunsNeeded < alone.RunsNeeded {
		t.Errorf("alone %v and %d runs, among many %v and %d runs", alone.Detectable, alone.RunsNeeded, many.Detectable, many.RunsNeeded)
	}
	last := of("tail", "step_time")
	if shares := verdict.Weights([]string{"tail", "step_time", "imbalance"}); shares[1] != verdict.StepShare || math.Abs(shares[0]+shares[1]+shares[2]-1) > 1e-12 || shares[0] != shares[2] {
		t.Errorf("got shares %v", shares)
	}
	if last.Detectable != many.Detectable {
		t.Errorf("the step time shows %v among two and %v among many", last.Detectable, many.Detectable)
	}
	if !(many.Hi-many.Lo > alone.Hi-alone.Lo) || many.Hi-many.Lo > 1.1*(alone.Hi-alone.Lo) {
		t.Errorf("alone %v to %v, among many %v to %v: want one that holds for all together", alone.Lo, alone.Hi, many.Lo, many.Hi)
	}
}

// TestEqual: what counts as equal is what the policy says, or follows the threshold.
func TestEqual(t *testing.T) {
	for _, tt := range []struct{ threshold, equal, want float64 }{{0.02, 0, 0.03}, {0.10, 0, 0.15}, {0.02, 0.01, 0.01}, {0.10, 0.05, 0.05}} {
		p := policy.DefaultPolicy()
		p.Threshold, p.Equivalence = tt.threshold, tt.equal
		c := verdict.MetricOf(diff.Compare(difftest.One(60, 0, difftest.Steady(0.1, 0)), difftest.One(60, 0, difftest.Steady(0.1, 1)), p, diff.Options{}).Metrics, "step_time")
		if math.Abs(c.Equivalence-tt.want) > 1e-12 || math.Abs(p.Equal()-tt.want) > 1e-12 {
			t.Errorf("%+v: stated %v, used %v", tt, p.Equal(), c.Equivalence)
		}
	}
}

func TestMostOften(t *testing.T) {
	for want, ranks := range map[verdict.Slowest][]int{{Rank: 3, Times: 2, Of: 2}: {3, 3}, {Rank: 3, Times: 2, Of: 3}: {5, 3, 3}, {Rank: 1, Times: 1, Of: 2}: {4, 1}} {
		if got := verdict.MostOften(ranks); got != want {
			t.Errorf("%v: got %v want %v", ranks, got, want)
		}
	}
}

// TestGateSays: which outcomes lead to a gate's state.
func TestGateSays(t *testing.T) {
	p := policy.DefaultPolicy()
	p.FailOn = []string{"regressed", "missing-rank", "warning", "inconclusive", "missing-file"}
	r := diff.Compare(difftest.One(60, 0, difftest.Steady(0.1, 0)), difftest.One(60, 0, difftest.Steady(0.1, 1)), p, diff.Options{})
	r.Base.Missing, r.Cand.Missing, r.Warnings = []int{1, 2}, []int{3}, make([]diff.Warning, 3)
	want := "2 ranks of the baseline are missing. 1 rank of the candidate is missing. There are 3 warnings."
	gate := r.GateOf(nil)
	if got := strings.Join(words.GateCauses(&gate), " "); !strings.HasSuffix(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestQuantiles: of used steps with a value on their side.
func TestQuantiles(t *testing.T) {
	var steps []cause.StepPoint
	for i := range 101 {
		steps = append(steps, cause.StepPoint{Base: cause.StepSide{Median: float64(i)}, Cand: cause.StepSide{Median: float64(2 * i)}})
	}
	steps = append(steps, cause.StepPoint{Omission: cause.Omission{Base: "warm-up"}, Base: cause.StepSide{Median: 1e9}}, cause.StepPoint{Base: cause.StepSide{Median: math.NaN()}, Cand: cause.StepSide{Median: math.NaN()}})
	for _, q := range cause.Quantiles(steps) {
		if q.Base != float64(q.Percent) || q.Cand != float64(2*q.Percent) {
			t.Errorf("got %+v", q)
		}
	}
	if len(cause.Quantiles(steps)) != 13 || cause.Quantiles(nil) != nil {
		t.Errorf("got %d and %d", len(cause.Quantiles(steps)), len(cause.Quantiles(nil)))
	}
	bounds := []cause.Bound{{Cand: 10}, {Cand: 9.95}, {Cand: 8}, {Cand: math.NaN()}, {Cand: 1}}
	if got := cause.NextBottleneck(bounds); got != 2 {
		t.Errorf("next: got %d", got)
	}
	if got := cause.NextBottleneck(bounds[:2]) + cause.NextBottleneck([]cause.Bound{{Cand: 10}, {Cand: 9.99}, {Cand: 1}}); got != 0 {
		t.Errorf("nothing worth naming: got %d", got)
	}
}
