package verdict_test

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// logged are runs without a profiler, whose steps take about level s, numbered from first on.
func logged(label string, runs int, level float64, first int64, steps int) *run.Set {
	jobs := make([]difftest.Job, runs)
	for i := range jobs {
		jobs[i] = difftest.Job{Ranks: difftest.UpTo(1), First: first, Steps: steps, Step: difftest.Steady(level*(1+0.002*float64(i)), float64(7*i))}
	}
	return difftest.SetOf(label, jobs...)
}

func TestUnprofiled(t *testing.T) {
	profiled := func(level float64) *run.Set {
		return difftest.SetOf("profiled", difftest.Job{Ranks: difftest.UpTo(2), First: 20, Steps: 40, Step: difftest.Steady(level, 3)})
	}
	force := policy.DefaultPolicy()
	force.Force = true
	for _, x := range []struct {
		name       string
		cand       float64 // of the profiled steps, s; the baseline's take 0.1
		logs       verdict.Logs
		rules      policy.Policy
		want       verdict.Verdict
		reason     string
		history    int
		otherSteps bool
		differs    bool
		overhead   float64 // of the baseline
	}{
		{"none", 0.05, verdict.Logs{}, policy.DefaultPolicy(), verdict.Improved, verdict.ReasonDecided, 0, false, false, math.NaN()},
		{"they agree", 0.05, verdict.Logs{logged("b", 5, 0.1, 1, 100), logged("c", 5, 0.05, 1, 100)}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 10, false, false, 0},
		{"half as long without", 0.05, verdict.Logs{logged("b", 5, 0.05, 1, 100), logged("c", 5, 0.025, 1, 100)}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 10, false, false, 1},
		{"less of a change", 0.05, verdict.Logs{logged("b", 5, 0.1, 1, 100), logged("c", 5, 0.08, 1, 100)}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 10, false, true, 0},
		{"no change without the profiler", 0.05, verdict.Logs{logged("b", 5, 0.1, 1, 100), logged("c", 5, 0.1001, 1, 100)}, policy.DefaultPolicy(),
			verdict.Inconclusive, verdict.ReasonUnprofiled, 10, false, true, 0},
		{"the same, forced", 0.05, verdict.Logs{logged("b", 5, 0.1, 1, 100), logged("c", 5, 0.1001, 1, 100)}, force,
			verdict.Improved, verdict.ReasonDecided, 10, false, true, 0},
		{"slower only without the profiler", 0.1, verdict.Logs{logged("b", 5, 0.1, 1, 100), logged("c", 5, 0.12, 1, 100)}, policy.DefaultPolicy(),
			verdict.Inconclusive, verdict.ReasonUnprofiled, 10, false, true, 0},
		{"other steps say nothing against it", 0.05, verdict.Logs{logged("b", 5, 0.1, 200, 100), logged("c", 5, 0.1001, 200, 100)}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 10, true, true, 0},
		{"too few to learn from", 0.05, verdict.Logs{logged("b", 1, 0.1, 1, 100), logged("c", 1, 0.05, 1, 100)}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 0, false, false, 0},
		{"of the baseline alone", 0.05, verdict.Logs{logged("b", 6, 0.1, 1, 100), nil}, policy.DefaultPolicy(),
			verdict.Improved, verdict.ReasonDecided, 6, false, false, 0},
	} {
		r := diff.Compare(profiled(0.1), profiled(x.cand), x.rules, diff.Options{Unprofiled: x.logs})
		c := verdict.MetricOf(r.Metrics, run.StepTime)
		if r.Verdict != x.want || r.Reason != x.reason || c.History != x.history || c.Unprofiled != (x.history > 0) {
			t.Errorf("%s: got %s, %s, noise of %d runs (%v); want %s, %s, of %d", x.name, r.Verdict, r.Reason, c.History, c.Unprofiled, x.want, x.reason, x.history)
		}
		if (r.Gate.State == diff.GateNotJudged) != (x.reason == verdict.ReasonUnprofiled) {
			t.Errorf("%s: got %s", x.name, r.Gate.State)
		}
		if (r.Unprofiled == nil) != (x.logs == verdict.Logs{}) {
			t.Fatalf("%s: got %v", x.name, r.Unprofiled)
		}
		if u := r.Unprofiled; u != nil && (u.OtherSteps != x.otherSteps || u.Differs != x.differs || math.Abs(u.Sides[0].Overhead()-x.overhead) > 0.02) {
			t.Errorf("%s: got %+v, want other steps %v, differs %v, overhead %v", x.name, u, x.otherSteps, x.differs, x.overhead)
		}
	}
}

// TestUnprofiledEscalates: a first pair that alone would ask for more runs fails where runs without the profiler decide.
func TestUnprofiledEscalates(t *testing.T) {
	rules := policy.DefaultPolicy()
	rules.Escalate = true
	side := func(level float64) *run.Set {
		return difftest.SetOf("profiled", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(level, 3)})
	}
	if r := diff.Compare(side(0.1), side(0.1035), rules, diff.Options{}); r.Gate.State != diff.GateMoreRuns {
		t.Errorf("alone: got %s, %s", r.Gate.State, r.Reason)
	}
	logs := verdict.Logs{logged("b", 5, 0.1, 0, 40), logged("c", 5, 0.1035, 0, 40)}
	if r := diff.Compare(side(0.1), side(0.1035), rules, diff.Options{Unprofiled: logs}); r.Gate.State != diff.GateFailed || r.Verdict != verdict.Regressed {
		t.Errorf("beside logs: got %s, %s, %s", r.Gate.State, r.Verdict, r.Reason)
	}
}

// TestUnprofiledOrder: the order in which logs are given has no influence.
func TestUnprofiledOrder(t *testing.T) {
	base, cand := difftest.SetOf("b", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(0.1, 3)}), difftest.SetOf("c", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(0.1, 4)})
	logs := verdict.Logs{logged("b", 5, 0.1, 0, 40), logged("c", 5, 0.101, 0, 40)}
	want := verdict.MetricOf(diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{Unprofiled: logs}).Metrics, run.StepTime)
	back := *logs[0]
	back.Runs = slices.Clone(back.Runs)
	slices.Reverse(back.Runs)
	got := verdict.MetricOf(diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{Unprofiled: verdict.Logs{&back, logs[1]}}).Metrics, run.StepTime)
	if got.Lo != want.Lo || got.Hi != want.Hi || got.Floor != want.Floor {
		t.Errorf("got %v to %v, floor %v; want %v to %v, %v", got.Lo, got.Hi, got.Floor, want.Lo, want.Hi, want.Floor)
	}
}
