package verdict_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// TestDispersion: steps that scatter four times as much are seen to, in one run a
// side: the two curves are not compared less what they share.
func TestDispersion(t *testing.T) {
	r := difftest.Compare(difftest.One(100, 0, difftest.NoisySteps(0.1, 0.01, 1)), difftest.One(100, 0, difftest.NoisySteps(0.1, 0.04, 2)))
	c := verdict.MetricOf(r.Parts, "dispersion")
	if ratio := c.Cand / c.Base; ratio < 3 || ratio > 5 || c.Verdict != verdict.Regressed {
		t.Errorf("got %g to %g, %v", c.Base, c.Cand, c.Verdict)
	}
}

// TestOtherPlace: runs at other places of one slow trend are not judged, runs that
// are flat are.
func TestOtherPlace(t *testing.T) {
	ramp := func(from float64) func(int, int) float64 {
		w := difftest.NoisySteps(0.1, 0.005, 3)
		return func(rank, s int) float64 { return w(rank, s) * (1 + 0.002*(from+float64(s))) }
	}
	r := difftest.Compare(difftest.One(100, 0, ramp(0)), difftest.One(100, 100, ramp(100)))
	if c := verdict.MetricOf(r.Metrics, "step_time"); r.Gate.State == diff.GateFailed || c.Verdict != verdict.Inconclusive || c.Reason != verdict.ReasonNoCommonSteps {
		t.Errorf("a ramp: got %v, %s: %s", c.Verdict, c.Reason, difftest.HeadlineOf(r))
	}
	r = difftest.Compare(difftest.One(100, 0, difftest.NoisySteps(0.1, 0.005, 3)), difftest.One(100, 100, difftest.NoisySteps(0.13, 0.005, 4)))
	if r.Gate.State != diff.GateFailed {
		t.Errorf("30 %% slower, flat: got %s", difftest.HeadlineOf(r))
	}
}

// TestOwnWarmUp: the warm-up of a long run does not cost a short one its steps,
// where they are not paired.
func TestOwnWarmUp(t *testing.T) {
	w := difftest.NoisySteps(0.1, 0.002, 5)
	warm := func(rank, s int) float64 { return w(rank, s) * (1 + 0.8*math.Exp(-float64(s)/12)) }
	r := difftest.Compare(difftest.One(200, 0, warm), difftest.One(24, 1000, difftest.NoisySteps(0.1, 0.002, 6)))
	if c := verdict.MetricOf(r.Metrics, "step_time"); r.Base.Steps.Used > 180 || r.Cand.Steps.Used != 24 || c == nil || math.IsNaN(c.Estimate) {
		t.Errorf("got %d and %d steps, %s", r.Base.Steps.Used, r.Cand.Steps.Used, difftest.HeadlineOf(r))
	}
}

// TestNoRuns: a side without runs is no panic.
func TestNoRuns(t *testing.T) {
	full := difftest.One(40, 0, difftest.Steady(0.1, 0))
	for _, sets := range [][2]*run.Set{{{}, full}, {full, {}}, {{}, {}}} {
		if r := difftest.Compare(sets[0], sets[1]); r.Judged {
			t.Errorf("got %s", difftest.HeadlineOf(r))
		}
	}
}

// TestSpeaksFirst: a regression that fails speaks before one that is let through,
// and what was not recorded speaks last.
func TestSpeaksFirst(t *testing.T) {
	side := func(step, comm float64) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: difftest.Steady(comm, 1)}})
	}
	rules := policy.DefaultPolicy()
	rules.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "known", Owner: "me", Expires: "2099-01-01", UpTo: 0.6}}
	r := diff.Compare(side(0.1, 0.05), side(0.15, 0.1), rules, diff.Options{})
	if !(r.Gate.State == diff.GateFailed) || !strings.HasSuffix(difftest.HeadlineOf(r), ", which the policy lets through; exposed communication regressed by 50\u202fms.") {
		t.Errorf("waived: got failed %v, %s", (r.Gate.State == diff.GateFailed), difftest.HeadlineOf(r))
	}
	rules = policy.DefaultPolicy()
	rules.Gating = []string{"input_wait_time", "step_time"}
	if r := diff.Compare(side(0.1, 0.05), side(0.1, 0.05), rules, diff.Options{}); !r.Judged || difftest.HeadlineOf(r) != "No slowdown seen: 100 and 100\u202fms per step." {
		t.Errorf("not recorded: got %s", difftest.HeadlineOf(r))
	}
}

// TestOwnThreshold: what a policy says of one metric holds also where it is a small
// part of the step, and its words are those of its limits.
func TestOwnThreshold(t *testing.T) {
	side := func(comm float64) *run.Set {
		var jobs []difftest.Job
		for i := range 3 {
			jobs = append(jobs, difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(0.1, float64(i)), Series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: difftest.Steady(comm, float64(i))}})
		}
		return difftest.SetOf("a", jobs...)
	}
	for _, tt := range []struct {
		threshold float64
		base      float64
		want      verdict.Verdict
	}{{0.99, 0.010, verdict.Unchanged}, {0, 0.010, verdict.Regressed}, {0.99, 0.035, verdict.Unchanged}} {
		rules := policy.DefaultPolicy()
		rules.Rules = map[string]policy.Rule{"exposed_comm_time": {Threshold: tt.threshold}}
		c := verdict.MetricOf(diff.Compare(side(tt.base), side(1.65*tt.base), rules, diff.Options{}).Metrics, "exposed_comm_time")
		if c.Verdict != tt.want {
			t.Errorf("threshold %g of %g s: got %v: %s", tt.threshold, tt.base, c.Verdict, difftest.WhySaid(c))
		}
		if tt.want == verdict.Unchanged && strings.Contains(difftest.WhySaid(c), "3\u202f%") {
			t.Errorf("the words are those of another limit: %s", difftest.WhySaid(c))
		}
	}
}

// TestFloorWords: a floor in milliseconds is not shown as a share of the threshold.
func TestFloorWords(t *testing.T) {
	policy := policy.DefaultPolicy()
	policy.Gating = []string{"exposed_comm_time"}
	side := func(comm float64) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(0.1, 0), Series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: difftest.Steady(comm, 1)}})
	}
	r := diff.Compare(side(0.010), side(0.014), policy, diff.Options{})
	if !strings.Contains(difftest.BasisOf(r), "runs differ by 0.61\u202fms (assumed)") {
		t.Errorf("got %s", difftest.BasisOf(r))
	}
}

// TestImbalanceShares: twice the compute of one rank is a rise by 100 points.
func TestImbalanceShares(t *testing.T) {
	side := func(factor float64) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 40, Step: difftest.Steady(0.1, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: func(rank, s int) float64 {
				if rank == 2 {
					return 0.05 * factor
				}
				return 0.05
			}}})
	}
	c := verdict.MetricOf(difftest.Compare(side(1), side(2)).Metrics, "imbalance")
	if math.Abs(c.Estimate-1) > 0.01 || math.Abs(c.Delta-c.Estimate) > 1e-6 {
		t.Errorf("got %g, change %g", c.Estimate, c.Delta)
	}
}

// TestNoiseKindOf: a part has the noise of its metric, the part that only the waterfall has that of
// work, and what no side knows that of timing.
func TestNoiseKindOf(t *testing.T) {
	base, cand := difftest.Metrics("compute_time", difftest.Constant(0.05), difftest.Constant(0.05))
	terms := verdict.NewTerms(sides.Of(base, cand, false), policy.DefaultPolicy())
	for metric, want := range map[string]run.NoiseKind{verdict.BusyTime.Metric: run.NoiseOfWork, "compute_time": run.NoiseOfWork, "unheard of": run.NoiseOfTiming} {
		if got := terms.NoiseKindOf(metric); got != want {
			t.Errorf("%s: got %v, want %v", metric, got, want)
		}
	}
}
