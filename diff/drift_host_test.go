package diff_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/trace"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestDriftOfHosts: a job without device work shares its processors with what else runs
// there, and its steps grow or shrink with that: the same drift is less certain.
func TestDriftOfHosts(t *testing.T) {
	judgedAs := func(recorded trace.Recorded) verdict.Comparison {
		g := rand.New(rand.NewPCG(3, 4))
		slower := typical(.01)
		slower.addDrift = .15
		base, _ := typical(.01).simulate(g, "base", 100, 2, 0, 0)
		cand, _ := slower.simulate(g, "cand", 100, 2, 0, 0)
		for i := range base.Ranks {
			base.Ranks[i].Recorded, cand.Ranks[i].Recorded = recorded, recorded
		}
		return shapeVerdict(difftest.NewPair(set("base", base), set("cand", cand), policy.DefaultPolicy()), "drift")
	}
	device, host := judgedAs(trace.HasDevice|trace.HasRanges), judgedAs(trace.HasRanges)
	if device.Verdict != verdict.Regressed || host.Verdict != verdict.Inconclusive || host.Estimate != device.Estimate {
		t.Errorf("got %v of %+.3f with device work and %v of %+.3f without, want regressed and inconclusive of the same",
			device.Verdict, device.Estimate, host.Verdict, host.Estimate)
	}
	if got, want := host.Floor/device.Floor, .07/.015; math.Abs(got-want) > 1e-6 {
		t.Errorf("without device work: got a floor %g times as large, want %g", got, want)
	}
}
