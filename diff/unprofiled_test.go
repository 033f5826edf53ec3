package diff_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

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
			r := diff.Compare(side("b", 1, 0), side("c", 1, shift), policy.DefaultPolicy(), diff.Options{Unprofiled: logs})
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
