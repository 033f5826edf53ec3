package diff

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// noisy are step times with white noise of a share.
func noisySteps(level, share float64, seed uint64) func(rank, s int) float64 {
	g := rand.New(rand.NewPCG(seed, 7))
	values := map[int]float64{}
	return func(_, s int) float64 {
		if _, ok := values[s]; !ok {
			values[s] = level * math.Exp(share*g.NormFloat64())
		}
		return values[s]
	}
}

func one(steps int, first int64, f func(rank, s int) float64) *run.Set {
	return setOf("a", job{ranks: upTo(2), first: first, steps: steps, step: f})
}

// TestDispersion: steps that scatter four times as much are seen to, in one run a
// side: the two curves are not compared less what they share.
func TestDispersion(t *testing.T) {
	r := compare(one(100, 0, noisySteps(0.1, 0.01, 1)), one(100, 0, noisySteps(0.1, 0.04, 2)))
	c := verdict.MetricOf(r.Parts, "dispersion")
	if ratio := c.Cand / c.Base; ratio < 3 || ratio > 5 || c.Verdict != verdict.Regressed {
		t.Errorf("got %g to %g, %v", c.Base, c.Cand, c.Verdict)
	}
}

// TestOtherPlace: runs at other places of one slow trend are not judged, runs that
// are flat are.
func TestOtherPlace(t *testing.T) {
	ramp := func(from float64) func(int, int) float64 {
		w := noisySteps(0.1, 0.005, 3)
		return func(rank, s int) float64 { return w(rank, s) * (1 + 0.002*(from+float64(s))) }
	}
	r := compare(one(100, 0, ramp(0)), one(100, 100, ramp(100)))
	if c := verdict.MetricOf(r.Metrics, "step_time"); r.Gate.State == GateFailed || c.Verdict != verdict.Inconclusive || c.Reason != verdict.ReasonNoCommonSteps {
		t.Errorf("a ramp: got %v, %s: %s", c.Verdict, c.Reason, headlineOf(r))
	}
	r = compare(one(100, 0, noisySteps(0.1, 0.005, 3)), one(100, 100, noisySteps(0.13, 0.005, 4)))
	if r.Gate.State != GateFailed {
		t.Errorf("30 %% slower, flat: got %s", headlineOf(r))
	}
}

// TestOwnWarmUp: the warm-up of a long run does not cost a short one its steps,
// where they are not paired.
func TestOwnWarmUp(t *testing.T) {
	w := noisySteps(0.1, 0.002, 5)
	warm := func(rank, s int) float64 { return w(rank, s) * (1 + 0.8*math.Exp(-float64(s)/12)) }
	r := compare(one(200, 0, warm), one(24, 1000, noisySteps(0.1, 0.002, 6)))
	if c := verdict.MetricOf(r.Metrics, "step_time"); r.Base.Steps.Used > 180 || r.Cand.Steps.Used != 24 || c == nil || math.IsNaN(c.Estimate) {
		t.Errorf("got %d and %d steps, %s", r.Base.Steps.Used, r.Cand.Steps.Used, headlineOf(r))
	}
}

// TestNoRuns: a side without runs is no panic.
func TestNoRuns(t *testing.T) {
	full := one(40, 0, steady(0.1, 0))
	for _, sets := range [][2]*run.Set{{{}, full}, {full, {}}, {{}, {}}} {
		if r := compare(sets[0], sets[1]); r.Judged {
			t.Errorf("got %s", headlineOf(r))
		}
	}
}

// TestSpeaksFirst: a regression that fails speaks before one that is let through,
// and what was not recorded speaks last.
func TestSpeaksFirst(t *testing.T) {
	side := func(step, comm float64) *run.Set {
		return setOf("a", job{ranks: upTo(2), steps: 40, step: steady(step, 0), series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: steady(comm, 1)}})
	}
	rules := policy.DefaultPolicy()
	rules.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "known", Owner: "me", Expires: "2099-01-01", UpTo: 0.6}}
	r := Compare(side(0.1, 0.05), side(0.15, 0.1), rules, Options{})
	if !(r.Gate.State == GateFailed) || !strings.HasPrefix(headlineOf(r), "Exposed communication regressed") {
		t.Errorf("waived: got failed %v, %s", (r.Gate.State == GateFailed), headlineOf(r))
	}
	rules = policy.DefaultPolicy()
	rules.Gating = []string{"input_wait_time", "step_time"}
	if r := Compare(side(0.1, 0.05), side(0.1, 0.05), rules, Options{}); !r.Judged || headlineOf(r) != "No regression found; this set-up would have shown 7.0\u202f% or more (80\u202f%)." {
		t.Errorf("not recorded: got %s", headlineOf(r))
	}
}

// TestOwnThreshold: what a policy says of one metric holds also where it is a small
// part of the step, and its words are those of its limits.
func TestOwnThreshold(t *testing.T) {
	side := func(comm float64) *run.Set {
		var jobs []job
		for i := range 3 {
			jobs = append(jobs, job{ranks: upTo(2), steps: 40, step: steady(0.1, float64(i)), series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: steady(comm, float64(i))}})
		}
		return setOf("a", jobs...)
	}
	for _, tt := range []struct {
		threshold float64
		base      float64
		want      verdict.Verdict
	}{{0.99, 0.010, verdict.Unchanged}, {0, 0.010, verdict.Regressed}, {0.99, 0.035, verdict.Unchanged}} {
		rules := policy.DefaultPolicy()
		rules.Rules = map[string]policy.Rule{"exposed_comm_time": {Threshold: tt.threshold}}
		c := verdict.MetricOf(Compare(side(tt.base), side(1.65*tt.base), rules, Options{}).Metrics, "exposed_comm_time")
		if c.Verdict != tt.want {
			t.Errorf("threshold %g of %g s: got %v: %s", tt.threshold, tt.base, c.Verdict, whySaid(c))
		}
		if tt.want == verdict.Unchanged && strings.Contains(whySaid(c), "3\u202f%") {
			t.Errorf("the words are those of another limit: %s", whySaid(c))
		}
	}
}

// TestFloorWords: a floor in milliseconds is not shown as a share of the threshold.
func TestFloorWords(t *testing.T) {
	policy := policy.DefaultPolicy()
	policy.Gating = []string{"exposed_comm_time"}
	side := func(comm float64) *run.Set {
		return setOf("a", job{ranks: upTo(2), steps: 40, step: steady(0.1, 0), series: map[run.Key]func(int, int) float64{{Metric: "exposed_comm_time"}: steady(comm, 1)}})
	}
	r := Compare(side(0.010), side(0.014), policy, Options{})
	if !strings.Contains(basisOf(r), "noise floor 0.61\u202fms assumed") {
		t.Errorf("got %s", basisOf(r))
	}
}

// TestImbalanceShares: twice the compute of one rank is a rise by 100 points.
func TestImbalanceShares(t *testing.T) {
	side := func(factor float64) *run.Set {
		return setOf("a", job{ranks: upTo(4), steps: 40, step: steady(0.1, 0), series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: func(rank, s int) float64 {
				if rank == 2 {
					return 0.05 * factor
				}
				return 0.05
			}}})
	}
	c := verdict.MetricOf(compare(side(1), side(2)).Metrics, "imbalance")
	if math.Abs(c.Estimate-1) > 0.01 || math.Abs(c.Delta-c.Estimate) > 1e-6 {
		t.Errorf("got %g, change %g", c.Estimate, c.Delta)
	}
}
