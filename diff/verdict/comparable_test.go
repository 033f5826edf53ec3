package verdict_test

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestUnset: a setting that is on one side only differs, where the other side's
// environment was recorded.
func TestUnset(t *testing.T) {
	recorded := trace.Fact{Key: trace.FactEnvironment, Value: "recorded"}
	set := func(facts ...trace.Fact) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 30, Step: difftest.Steady(0.1, 0), Facts: facts})
	}
	blocking := trace.Fact{Key: "CUDA_LAUNCH_BLOCKING", Value: "1"}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		class      string
		baseText   string
	}{
		{"recorded", set(recorded), set(recorded, blocking), policy.ClassLook, "not set"},
		{"not recorded", set(), set(recorded, blocking), policy.ClassHarmless, ""},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		found := false
		for _, d := range r.Differences {
			if d.Name == blocking.Key {
				found = true
				if d.Class != tt.class || d.Base != tt.baseText {
					t.Errorf("%s: got %+v", tt.name, d)
				}
			}
		}
		if !found {
			t.Errorf("%s: no difference", tt.name)
		}
	}
}

// marked has steps found by another marker.
func marked(s *run.Set, marker string) *run.Set {
	for i := range s.Runs {
		for k := range s.Runs[i].Ranks {
			s.Runs[i].Ranks[k].Receipts[0].Marker = marker
		}
	}
	return s
}

// TestMarkersDiffer: steps between kernels and steps of a range are not the same
// thing, and the same files with steps found otherwise are not the same sides.
func TestMarkersDiffer(t *testing.T) {
	base, cand := difftest.One(60, 0, difftest.Steady(0.1, 0)), marked(difftest.One(60, 0, difftest.Steady(0.01, 1)), `kernel "dgrad"`)
	if r := difftest.Compare(base, cand); r.Judged || r.Reason != verdict.ReasonOtherSteps || r.Gate.State != diff.GateNotJudged {
		t.Errorf("got %s, %s", r.Reason, difftest.HeadlineOf(r))
	}
	p := policy.DefaultPolicy()
	p.Force = true
	if r := diff.Compare(base, cand, p, diff.Options{}); !r.Judged || r.Verdict != verdict.Improved {
		t.Errorf("forced: got %s", difftest.HeadlineOf(r))
	}
	if r := difftest.Compare(base, marked(difftest.One(60, 0, difftest.Steady(0.1, 1)), `range "iteration N"`)); r.Judged || !strings.Contains(difftest.BasisOf(r), "iteration N") {
		t.Errorf("two ranges: got %s", difftest.HeadlineOf(r))
	}
	base.Digest, cand.Digest = "d", "d"
	if r := diff.Compare(base, cand, p, diff.Options{}); r.SameFiles {
		t.Errorf("the same files, other steps: got %s", difftest.HeadlineOf(r))
	}
}

// TestForcedSizes: jobs of different size that are compared all the same lack no
// ranks, and the sizes are not called harmless.
func TestForcedSizes(t *testing.T) {
	of := func(n int) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(n), Steps: 30, Step: difftest.Steady(0.1, float64(n)), World: n})
	}
	p := policy.DefaultPolicy()
	p.Force = true
	r := diff.Compare(of(4), of(8), p, diff.Options{})
	if len(r.Base.Missing)+len(r.Cand.Missing) > 0 || !r.Judged {
		t.Errorf("missing %v and %v, %s", r.Base.Missing, r.Cand.Missing, difftest.HeadlineOf(r))
	}
	for _, d := range r.Differences {
		if d.Name == "world size" && d.Class != policy.ClassInvalidates {
			t.Errorf("got %+v", d)
		}
	}
}

// TestOtherMachines: sides that ran on other GPUs are not judged,
// however much slower one is, but with force, which says so; what may be why all the same is looked at first, and fails no build.
func TestOtherMachines(t *testing.T) {
	on := func(step float64, seed float64, facts ...trace.Fact) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), World: 2, Steps: 40, Step: difftest.Steady(step, seed), Facts: facts})
	}
	fact := func(key, value string) trace.Fact { return trace.Fact{Key: key, Value: value} }
	for _, c := range []struct {
		name       string
		base, cand trace.Fact
		reason     string
		state      diff.GateState
	}{
		{"the same GPU", fact(trace.FactGPU, "A100"), fact(trace.FactGPU, "A100"), verdict.ReasonDecided, diff.GateFailed},
		{"another GPU", fact(trace.FactGPU, "A100"), fact(trace.FactGPU, "H100"), verdict.ReasonEnvironment, diff.GateNotJudged},
		{"a GPU that nobody knows", fact(trace.FactGPU, "A100"), fact(trace.FactSchema, "1"), verdict.ReasonEnvironment, diff.GateNotJudged},
		{"another driver", fact(trace.FactDriver, "550"), fact(trace.FactDriver, "560"), verdict.ReasonDecided, diff.GateNotJudged},
		{"other SMs", fact(trace.FactGPUSMs, "132"), fact(trace.FactGPUSMs, "66"), verdict.ReasonEnvironment, diff.GateNotJudged},
		{"another highest clock", fact(trace.FactGPUMaxClock, "1980000000"), fact(trace.FactGPUMaxClock, "1410000000"), verdict.ReasonDecided, diff.GateNotJudged},
		{"memory without what the driver keeps", fact(trace.FactGPUMemory, "84990623744"), fact(trace.FactGPUMemory, "85095874560"), verdict.ReasonDecided, diff.GateFailed},
		{"half of the memory", fact(trace.FactGPUMemory, "85520809984"), fact(trace.FactGPUMemory, "42520809984"), verdict.ReasonDecided, diff.GateNotJudged},
		{"other options", fact(trace.FactRecorded, trace.NoOptions), fact(trace.FactRecorded, "with_stack"), verdict.ReasonDecided, diff.GateNotJudged},
		{"another NCCL", fact(trace.FactNCCL, "2.20"), fact(trace.FactNCCL, "2.21"), verdict.ReasonDecided, diff.GateFailed},
	} {
		base, cand := on(.1, 0, c.base), on(.2, 1, c.cand)
		r := difftest.Compare(base, cand)
		if r.Reason != c.reason || r.Gate.State != c.state || (r.Verdict == verdict.Regressed) != (c.reason == verdict.ReasonDecided) {
			t.Errorf("%s: got %v, %s, gate %s, want %s, %s", c.name, r.Verdict, r.Reason, r.Gate.State, c.reason, c.state)
		}
		rules := policy.DefaultPolicy()
		rules.Force = true
		if r := diff.Compare(base, cand, rules, diff.Options{}); r.Verdict != verdict.Regressed || r.Gate.State != diff.GateFailed {
			t.Errorf("%s, forced: got %v, gate %s, want regressed, failed", c.name, r.Verdict, r.Gate.State)
		}
		rules = policy.DefaultPolicy()
		rules.RequireEqual = []string{trace.FactDriver}
		if r := diff.Compare(base, cand, rules, diff.Options{}); c.base.Key == trace.FactDriver && (r.Reason != verdict.ReasonEnvironment || r.Gate.State != diff.GateNotJudged) {
			t.Errorf("%s, which the policy requires to be equal: got %s, gate %s", c.name, r.Reason, r.Gate.State)
		}
	}
}
