package sides

import "perfdiff/analyze/run"

// Of lines two sets up. Runs that were given more than once count once, engine steps are matched by load, and ranks
// that only one side has are set aside. forced compares sides all the same that differ in what must be equal.
func Of(base, cand *run.Set, force bool) *Lined {
	base, again := WithoutCopies("baseline", base)
	cand, more := WithoutCopies("candidate", cand)
	both, isShared := shared(base, cand)
	base, cand, like := matchByLoad(base, cand, force)
	p := &Lined{force: force, Base: NewSide("baseline", base), Cand: NewSide("candidate", cand), Copies: append(again, more...)}
	p.Copies = append(p.Copies, append(p.Base.onceRecorded(), p.Cand.onceRecorded()...)...)
	p.RanksDiffer = matchRanks(p.Base, p.Cand)
	loseKernels(p.Base, p.Cand)
	matchLosses(p.Base, p.Cand)
	matchJoint(p.Base, p.Cand)
	p.chooseReads()
	p.setLoads(like)
	p.Plan = NewPlan(p.Base, p.Cand)
	p.SameRecording = !sameFiles(base, cand) && measuredTwice(p.Base, p.Cand)
	p.Identical = (sameFiles(base, cand) || p.SameRecording) && p.Base.Markers() == p.Cand.Markers() && p.Base.found() == p.Cand.found()
	if sizes := SizesDiffer(p.Base, p.Cand); sizes.Differ() {
		p.OtherSize = true
		if p.Sizes = sizes; force {
			p.Sizes, p.Forced = Sizes{}, append(p.Forced, Forced{Sizes: sizes})
		}
	}
	if unit := p.otherUnit(); unit != nil && force {
		p.Forced = append(p.Forced, Forced{Unit: unit})
	} else if unit != nil {
		p.OtherUnit, p.Plan.Steps = unit, 0
	}
	p.doubted()
	p.tellKinds()
	p.Work = p.stepWork()
	if d, again := recordedOnBoth(p.Base, p.Cand); again && !isShared {
		both, isShared = d, true
	}
	if isShared && !p.Identical {
		p.Doubts = append(p.Doubts, both)
	}
	return p
}
