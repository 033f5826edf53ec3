package sides

import (
	"perfdiff/analyze/run"
)

// Lined are two sides lined up: their ranks matched, the steps chosen that are compared,
// and what is known of how far they can be.
type Lined struct {
	force         bool // what differs and must not is said, and compared all the same
	Base, Cand    *Side
	Plan          Plan
	Identical     bool       // both sides are the same files, or the same recording
	SameRecording bool       // they are the same recording
	RanksDiffer   bool       // the sides captured different ranks
	Forced        []Forced   // what differs and was to be compared all the same
	Sizes         Sizes      // how the jobs differ in size and are not judged; zero if they are
	Doubts        []Doubt    // what is not known of the sides, so that nothing is judged
	OtherSize     bool       // they differ, judged by force or not
	OtherUnit     *OtherUnit // why a step is not the same unit of work on both sides; nil if nothing says so, or it is forced
	Copies        []Copies   // runs that were given more than once
	Loads         *Loads     // of engine steps; nil: steps have none
	Reads         Reads      // where bytes read and written are taken from
	OtherMarker   bool       // steps are marked otherwise on both sides, and hold the same kernels
}

// Forced is something in which the sides differ and that was to be compared all the same.
// One of its fields says what.
type Forced struct {
	NoLikeLoad bool       // no engine step of one side is like one of the other
	Sizes      Sizes      // the jobs differ in size
	Unit       *OtherUnit // a step is another unit of work
	Doubt      *Doubt     // of ranks
}

// Of lines two sets up. Runs that were given more than once count once, engine steps
// are matched with those of like load, and ranks that one side alone has are set aside.
// What differs and must not is compared all the same where forced says so.
func Of(base, cand *run.Set, force bool) *Lined {
	base, again := WithoutCopies("baseline", base)
	cand, more := WithoutCopies("candidate", cand)
	both, isShared := shared(base, cand)
	base, cand, like := matchByLoad(base, cand, force)
	p := &Lined{force: force, Base: NewSide("baseline", base), Cand: NewSide("candidate", cand), Copies: append(again, more...)}
	p.Copies = append(p.Copies, append(p.Base.onceRecorded(), p.Cand.onceRecorded()...)...)
	p.RanksDiffer = matchRanks(p.Base, p.Cand)
	matchLosses(p.Base, p.Cand)
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
	if d, again := recordedOnBoth(p.Base, p.Cand); again && !isShared {
		both, isShared = d, true
	}
	if isShared && !p.Identical {
		p.Doubts = append(p.Doubts, both)
	}
	return p
}
