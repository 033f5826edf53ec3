package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// moreOfThem is by which share of all steps a side has more of another kind. Chosen, not measured: one step of twenty.
const moreOfThem = 0.05

// otherStepsFinding reports that only one side has steps of another kind, or has another share of them: the mean shows
// them and the median step does not.
func otherStepsFinding(p *Causes) []Finding {
	base, cand := p.Base.Runs[0].Others, p.Cand.Runs[0].Others
	b, c := base.Share(), cand.Share()
	if math.Abs(c-b) < moreOfThem {
		return nil
	}
	side, of, other := p.Cand.Name, cand, b
	if c < b {
		side, of, other = p.Base.Name, base, c
	}
	x := *of
	x.Side, x.Other = side, other
	f := NewFinding(policy.KindOtherSteps)
	f.Base, f.Cand, f.Delta, f.Unit = b, c, c-b, "ratio"
	f.Metric, f.Class, f.Section, f.Steps, f.Others = run.KernelLaunches, verdict.ClassLook, run.SectionSteps, x.Steps, &x
	f.Evidence, f.Advice.Kind = Evidence{Kind: EvidenceRecorded}, AdviceOtherSteps
	return []Finding{f}
}
