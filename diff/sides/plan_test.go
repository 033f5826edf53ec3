package sides_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// TestPairing: steps are paired over the numbers that all runs have if those are ten, or
// three and half of what the shortest run has.
func TestPairing(t *testing.T) {
	for _, c := range []struct {
		common, base, cand int // step numbers in common, and of each side
		want               bool
	}{
		{0, 20, 20, false}, {3, 6, 6, true}, {3, 6, 60, true}, {3, 7, 7, false}, {3, 40, 40, false}, {4, 8, 9, true}, {4, 9, 9, false},
		{9, 18, 100, true}, {9, 19, 100, false}, {10, 100, 100, true}, {2, 4, 4, false}, {2, 2, 9, true}, {1, 2, 2, true},
	} {
		side := func(name string, first, steps int) *sides.Side {
			return sides.NewSide(name, difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(2), First: int64(first), Steps: steps, Step: difftest.Constant(0.1)}))
		}
		p := sides.NewPlan(side("baseline", 0, c.base), side("candidate", c.base-c.common, c.cand))
		if p.Paired != c.want || p.Common != c.common {
			t.Errorf("%d of %d and %d steps in common: got paired %v over %d, want %v", c.common, c.base, c.cand, p.Paired, p.Common, c.want)
		}
	}
}

// TestKeptSteps: a step is dropped that more than half of the ranks that have it dropped,
// for the reason that most of these have.
func TestKeptSteps(t *testing.T) {
	for _, c := range []struct {
		reasons []string // of step 7 on each rank; "-": the rank has no such step
		want    string
	}{
		{[]string{"", ""}, ""}, {[]string{"a", ""}, ""}, {[]string{"a", "a"}, "a"},
		{[]string{"a", "", ""}, ""}, {[]string{"a", "b", ""}, "a"}, {[]string{"a", "a", "", ""}, ""}, {[]string{"a", "b", "b", ""}, "b"},
		{[]string{"a", "-", "-"}, "a"}, {[]string{"a", "", "-"}, ""},
	} {
		set := difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(len(c.reasons)), Steps: 10, Step: difftest.Constant(0.1)})
		for i := range set.Runs[0].Ranks {
			steps := &set.Runs[0].Ranks[i].Steps
			if (*steps)[7].Dropped = c.reasons[i]; c.reasons[i] == "-" {
				*steps = slices.Delete(slices.Clone(*steps), 7, 8)
			}
		}
		r := sides.NewSide("baseline", set).Runs[0]
		if got := r.DropReasons[7]; got != c.want || slices.Contains(r.Kept, 7) != (c.want == "") || len(r.Kept) < 9 {
			t.Errorf("%q: got dropped for %q, kept %v, want %q", c.reasons, got, r.Kept, c.want)
		}
	}
}

// TestHalfWidthUnit: the interval of a change is as wide whichever side is which: it is in
// units of both steps.
func TestHalfWidthUnit(t *testing.T) {
	set := func(step float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: difftest.Steady(step*.7, 1), {Metric: "idle_time"}: difftest.Steady(step*.3, 2), {Metric: "exposed_memory_time"}: difftest.Constant(0),
		}})
	}
	width := func(base, cand float64) float64 {
		for _, part := range difftest.Compare(set(base), set(cand)).Waterfall.Parts {
			if part.Kind == "compute" {
				return part.Hi - part.Lo
			}
		}
		return math.NaN()
	}
	if up, down := width(.1, .2), width(.2, .1); !(math.Abs(up-down) < 1e-9) || !(up > 0) {
		t.Errorf("got an interval %g wide of a rise and %g of a fall", up, down)
	}
}

// TestWarmUpOfMost: nothing is judged where half of the runs never settle, and one of many
// takes no verdict away.
func TestWarmUpOfMost(t *testing.T) {
	endless := func(_, s int) float64 { return .1 * (1 + 2*math.Exp(-float64(s)/30)) }
	for _, c := range []struct {
		settled, endless int // runs of each side
		want             bool
	}{{1, 0, false}, {0, 1, true}, {1, 1, true}, {2, 1, false}} {
		side := func(name string) *sides.Side {
			var jobs []difftest.Job
			for i := range c.settled + c.endless {
				j := difftest.Job{Name: fmt.Sprint(i), Ranks: difftest.UpTo(1), Steps: 60, Step: difftest.Steady(.1, float64(i))}
				if i < c.endless {
					j.Step = endless
				}
				jobs = append(jobs, j)
			}
			return sides.NewSide(name, difftest.SetOf(name, jobs...))
		}
		if p := sides.NewPlan(side("baseline"), side("candidate")); p.Unsettled != c.want {
			t.Errorf("%d that settle and %d that do not: got unsettled %v", c.settled, c.endless, p.Unsettled)
		}
	}
}

// TestLongWarmUps: a warm-up of more than 30 % of a run is one where the run is steady behind it,
// and none where it goes on falling; a short one always is.
func TestLongWarmUps(t *testing.T) {
	for _, c := range []struct {
		until, slope float64 // of the run, and by how much it falls all along
		want         bool
	}{{.25, .2, false}, {.25, 0, false}, {.4, .2, true}, {.4, 0, false}} {
		step := func(_, s int) float64 {
			u := float64(s) / 60
			return .1 * (1 + math.Max(0, c.until-u) + c.slope*(1-u))
		}
		side := func(name string) *sides.Side {
			return sides.NewSide(name, difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(1), Steps: 60, Step: step}))
		}
		p := sides.NewPlan(side("baseline"), side("candidate"))
		if long := float64(p.WarmUp) > sides.LongWarmUp*60; p.Unsettled != c.want || long != (c.until > .3) || p.WarmUp == 0 {
			t.Errorf("until %g, falling by %g: got a cut of %d, unsettled %v, want %v", c.until, c.slope, p.WarmUp, p.Unsettled, c.want)
		}
	}
}

// TestWeights: the step time has most of alpha, and what is alone has all of it.
func TestWeights(t *testing.T) {
	for _, c := range []struct {
		metrics []string
		want    []float64
	}{
		{nil, nil}, {[]string{"step_time"}, []float64{1}}, {[]string{"overlap"}, []float64{1}}, {[]string{"overlap", "tail"}, []float64{.5, .5}},
		{[]string{"overlap", "step_time", "tail"}, []float64{.1, .8, .1}},
	} {
		if got := verdict.Weights(c.metrics); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%v: got %v, want %v", c.metrics, got, c.want)
		}
	}
}

// TestKernelSplit: more calls and slower calls add up to the change, each weighed with the
// mean of both sides.
func TestKernelSplit(t *testing.T) {
	for _, c := range []struct{ base, cand cause.KernelSum }{
		{cause.KernelSum{Time: .01, Calls: 10}, cause.KernelSum{Time: .03, Calls: 20}}, {cause.KernelSum{Time: .03, Calls: 20}, cause.KernelSum{Time: .01, Calls: 10}}, {cause.KernelSum{Time: .01, Calls: 10}, cause.KernelSum{Time: .02, Calls: 10}}, {cause.KernelSum{}, cause.KernelSum{Time: .02, Calls: 10}},
	} {
		there, back := cause.KernelRow("k", c.base, c.cand, .1), cause.KernelRow("k", c.cand, c.base, .1)
		if math.Abs(there.Calls+there.Slower-(c.cand.Time-c.base.Time)) > 1e-15 || math.Abs(there.Calls+back.Calls) > 1e-15 || math.Abs(there.Slower+back.Slower) > 1e-15 {
			t.Errorf("%v to %v: got %g by calls and %g slower, and back %g and %g", c.base, c.cand, there.Calls, there.Slower, back.Calls, back.Slower)
		}
	}
	k := cause.KernelRow("k", cause.KernelSum{Time: .01, Calls: 10}, cause.KernelSum{Time: .03, Calls: 20}, .1)
	if math.Abs(k.Calls-.0125) > 1e-15 || math.Abs(k.Slower-.0075) > 1e-15 || math.Abs(k.Share-.1) > 1e-15 {
		t.Errorf("got %g by calls, %g slower, a share of %g, want .0125, .0075 and .1", k.Calls, k.Slower, k.Share)
	}
}

// TestDecideByMetric: which side of an effect is better is the metric's.
func TestDecideByMetric(t *testing.T) {
	for _, c := range []struct {
		better   run.Better
		estimate float64
		want     verdict.Verdict
	}{{run.Lower, .1, verdict.Regressed}, {run.Lower, -.1, verdict.Improved}, {run.Higher, .1, verdict.Improved}, {run.Higher, -.1, verdict.Regressed}, {run.Lower, .001, verdict.Unchanged}} {
		tested := verdict.Tested{Effect: stat.Effect{Estimate: c.estimate, SE: .001, DF: 20, NA: 3, NB: 3}, Limits: stat.Limits{Alpha: .05, Threshold: .02, Equivalence: .02}}
		if got := tested.Verdict(c.better); got != c.want {
			t.Errorf("an effect of %g where %v is better: got %v, want %v", c.estimate, c.better, got, c.want)
		}
	}
}

// TestAnsweredSteps: where steps are paired, one that any run cannot answer is left out of
// all; else of that run alone.
func TestAnsweredSteps(t *testing.T) {
	nan := math.NaN()
	rows := [][]float64{{1, nan, 3, 4}, {5, 6, nan, 8}}
	for paired, want := range map[bool]string{true: "[[1 4] [5 8]] 2", false: "[[1 3 4] [5 6 8]] 3"} {
		out, steps := verdict.AnsweredBy(rows, paired)
		if got := fmt.Sprint(out, steps); got != want {
			t.Errorf("paired %v: got %s, want %s", paired, got, want)
		}
	}
}

// TestJointOfOtherRanks: what is measured over all ranks of a run is not judged where the
// sides captured different ones.
func TestJointOfOtherRanks(t *testing.T) {
	side := func(name string, ranks int, wait float64) *run.Set {
		return difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(ranks), World: 4, Steps: 40, Step: difftest.Steady(.1, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "exposed_wait_time"}: difftest.Steady(wait, 1), {Metric: "compute_time"}: difftest.Steady(.05, 2),
		}})
	}
	for ranks, want := range map[int]string{4: verdict.ReasonDecided, 3: verdict.ReasonNotJudged} {
		r := difftest.Compare(side("a", 4, .01), side("b", ranks, .04))
		if got := verdict.MetricOf(r.Parts, "exposed_wait_time"); got == nil || got.Reason != want {
			t.Errorf("%d of four ranks in the candidate: got %+v, want %s", ranks, got, want)
		}
		if got := verdict.MetricOf(r.Metrics, "compute_time"); got == nil || got.Reason != verdict.ReasonDecided {
			t.Errorf("%d of four ranks: compute time: got %+v, want it judged", ranks, got)
		}
	}
}

// TestKernelStandsOut: a kernel is named that changed by more than 3 %, beyond the noise.
func TestKernelStandsOut(t *testing.T) {
	for change, want := range map[float64]bool{1.029: false, 1.031: true, 1.1: true, .9: true, .975: false} {
		side := func(name string, of float64) *run.Set {
			series := map[run.Key]func(int, int) float64{}
			for i := range 8 {
				level := .01
				if i == 3 {
					level *= of
				}
				part := fmt.Sprintf("gemm%d", i)
				series[run.Key{Metric: "kernel_time", Part: part}] = difftest.Constant(level)
				series[run.Key{Metric: "kernel_launches", Part: part}] = difftest.Constant(5)
			}
			return difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(.1, 0), Series: series})
		}
		for _, k := range difftest.Compare(side("a", 1), side("b", change)).Kernels {
			if got := want && k.Name == "gemm3"; k.BeyondNoise != got {
				t.Errorf("%s, one changed by %.1f %%: got beyond the noise %v (q %g), want %v", k.Name, 100*(change-1), k.BeyondNoise, k.Q, got)
			}
		}
	}
}

// TestThresholdOfParts: a change of a part matters by what it changes of the step: that of
// half of the step has to be twice as large.
func TestThresholdOfParts(t *testing.T) {
	set := func(compute float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Constant(.1), Series: map[run.Key]func(int, int) float64{{Metric: "compute_time"}: difftest.Constant(compute)}})
	}
	for compute, share := range map[float64]float64{.1: 1, .05: 2, .04: 2.5} {
		c := verdict.MetricOf(difftest.Compare(set(compute), set(compute*1.1)).Metrics, "compute_time")
		if want := policy.DefaultPolicy().Threshold * share; math.Abs(c.Threshold-want) > 1e-9 {
			t.Errorf("a part of %g s of .1 s: got a threshold of %g, want %g", compute, c.Threshold, want)
		}
	}
}
