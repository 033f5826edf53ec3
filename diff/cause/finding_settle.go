package cause

import (
	"math"
	"slices"

	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// Better and worse are verdicts, and a verdict needs a test between runs: a finding has one of
// these classes only where its interval leaves out zero. What one run happens to be like is no
// such test: with one run a side 43 % of unchanged pairs whose ranks differ by 2 % from run to run
// named a straggler, 38 % a longer warm-up where it takes 3 to 12 steps, 40 % a slope where slopes
// differ by 15 %, 34 % compute on nodes of two kinds (simulated). Findings of these kinds are facts
// of the two runs then, to look at.

// ofRuns are the kinds whose size differs from run to run by more than the floor of the step.
var ofRuns = []policy.Kind{
	policy.KindStraggler, policy.KindLateRanks, policy.KindWait, policy.KindTransfer, policy.KindComputeSkew,
	policy.KindWarmUp, policy.KindDrift, policy.KindJitter, policy.KindCollectiveSpread, policy.KindCollectiveTail,
}

// sharedClauses are the reasons of a change of compute that all kernels share, as by a clock.
var sharedClauses = []ClauseKind{ClauseAllTake, ClauseClock, ClauseClockOf, ClauseClockMoved, ClauseClockSame}

// NeedsRuns reports whether a finding needs several runs a side to say something about a job: its size differs from
// run to run by more than one run can tell.
func (f *Finding) NeedsRuns() bool {
	shared := func(c Clause) bool { return slices.Contains(sharedClauses, c.Kind) }
	return slices.Contains(ofRuns, f.Kind) || f.Kind == policy.KindCompute && slices.ContainsFunc(f.Clauses, shared)
}

// settle takes back better and worse if no test between runs supports them.
func (f *Finding) settle(p *Causes) {
	alone := len(p.Base.Runs) == 1 && len(p.Cand.Runs) == 1 && !f.learned(p)
	if f.Class.Judges() && (!(f.Lo > 0 || f.Hi < 0) || alone && f.NeedsRuns()) {
		f.untested, f.Class = f.Class, verdict.ClassLook
	}
}

// LooksWorse reports whether a finding says that something got worse, or would say so if a test between runs supported
// it.
func (f *Finding) LooksWorse() bool {
	return f.Class == verdict.ClassWorse || f.untested == verdict.ClassWorse
}

// learned reports whether the number of a finding is one whose noise between runs past runs tell.
func (f *Finding) learned(p *Causes) bool {
	for _, list := range [][]verdict.Comparison{p.Metrics, p.Parts} {
		for i := range list {
			if c := &list[i]; c.Key == f.Evidence.Of && c.History > 0 {
				return !math.IsNaN(f.Estimate) // it is that of the comparison
			}
		}
	}
	return false
}
