package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// logged are runs without a profiler, whose steps take about level s, numbered from first on.
func logged(label string, runs int, level float64, first int64, steps int) *run.Set {
	jobs := make([]job, runs)
	for i := range jobs {
		jobs[i] = job{ranks: upTo(1), first: first, steps: steps, step: steady(level*(1+0.002*float64(i)), float64(7*i))}
	}
	return setOf(label, jobs...)
}

func TestUnprofiled(t *testing.T) {
	profiled := func(level float64) *run.Set {
		return setOf("profiled", job{ranks: upTo(2), first: 20, steps: 40, step: steady(level, 3)})
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
		r := Compare(profiled(0.1), profiled(x.cand), x.rules, Options{Unprofiled: x.logs})
		c := verdict.MetricOf(r.Metrics, run.StepTime)
		if r.Verdict != x.want || r.Reason != x.reason || c.History != x.history || c.Unprofiled != (x.history > 0) {
			t.Errorf("%s: got %s, %s, noise of %d runs (%v); want %s, %s, of %d", x.name, r.Verdict, r.Reason, c.History, c.Unprofiled, x.want, x.reason, x.history)
		}
		if (r.Gate.State == GateNotJudged) != (x.reason == verdict.ReasonUnprofiled) {
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
		return setOf("profiled", job{ranks: upTo(2), steps: 40, step: steady(level, 3)})
	}
	if r := Compare(side(0.1), side(0.1035), rules, Options{}); r.Gate.State != GateMoreRuns {
		t.Errorf("alone: got %s, %s", r.Gate.State, r.Reason)
	}
	logs := verdict.Logs{logged("b", 5, 0.1, 0, 40), logged("c", 5, 0.1035, 0, 40)}
	if r := Compare(side(0.1), side(0.1035), rules, Options{Unprofiled: logs}); r.Gate.State != GateFailed || r.Verdict != verdict.Regressed {
		t.Errorf("beside logs: got %s, %s, %s", r.Gate.State, r.Verdict, r.Reason)
	}
}

// TestUnprofiledOrder: the order in which logs are given has no influence.
func TestUnprofiledOrder(t *testing.T) {
	base, cand := setOf("b", job{ranks: upTo(2), steps: 40, step: steady(0.1, 3)}), setOf("c", job{ranks: upTo(2), steps: 40, step: steady(0.1, 4)})
	logs := verdict.Logs{logged("b", 5, 0.1, 0, 40), logged("c", 5, 0.101, 0, 40)}
	want := verdict.MetricOf(Compare(base, cand, policy.DefaultPolicy(), Options{Unprofiled: logs}).Metrics, run.StepTime)
	back := *logs[0]
	back.Runs = slices.Clone(back.Runs)
	slices.Reverse(back.Runs)
	got := verdict.MetricOf(Compare(base, cand, policy.DefaultPolicy(), Options{Unprofiled: verdict.Logs{&back, logs[1]}}).Metrics, run.StepTime)
	if got.Lo != want.Lo || got.Hi != want.Hi || got.Floor != want.Floor {
		t.Errorf("got %v to %v, floor %v; want %v to %v, %v", got.Lo, got.Hi, got.Floor, want.Lo, want.Hi, want.Floor)
	}
}

// TestUnprofiledRates: five logs a side make a single profiled pair find what it does not find alone, and fail no more
// pairs that hold no change than is asked for.
func TestUnprofiledRates(t *testing.T) {
	const trials, steps = 150, 50
	g := rand.New(rand.NewPCG(16, 7))
	fails := func(shift float64, runs int) (regressed, unjudged int) {
		job := typical(.01)
		side := func(label string, n int, shift float64) *run.Set {
			var list []run.Run
			for i := range n {
				r, _ := job.simulate(g, fmt.Sprintf("%s%d", label, i), steps, 2, g.NormFloat64(), shift)
				list = append(list, r)
			}
			return set(label, list...)
		}
		for range trials {
			logs := verdict.Logs{}
			if runs > 0 {
				logs = verdict.Logs{side("bl", runs, 0), side("cl", runs, shift)}
			}
			r := Compare(side("b", 1, 0), side("c", 1, shift), policy.DefaultPolicy(), Options{Unprofiled: logs})
			if c := verdict.MetricOf(r.Metrics, sides.StepTime.Metric); c.Verdict == verdict.Regressed {
				regressed++
			} else if c.Reason == verdict.ReasonUnprofiled {
				unjudged++
			}
		}
		return regressed, unjudged
	}
	if got, aside := fails(0, 5); got > trials/25 || aside > trials/10 {
		t.Errorf("without a change: %d of %d pairs regressed, %d were not judged", got, trials, aside)
	}
	alone, _ := fails(0.05, 0)
	beside, aside := fails(0.05, 5)
	t.Logf("a rise by 5 %%: %d of %d pairs alone, %d beside logs, which take %d back", alone, trials, beside, aside)
	if beside <= alone {
		t.Errorf("a rise by 5 %%: found in %d of %d pairs beside logs, in %d alone", beside, trials, alone)
	}
}
