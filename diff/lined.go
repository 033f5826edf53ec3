package diff

import "perfdiff/analyze/run"

// Lined are two sides lined up: their ranks matched, the steps chosen that are compared,
// and what is known of how far they can be.
type Lined struct {
	force      bool // what differs and must not is said, and compared all the same
	base, cand *side
	plan       plan
	same       bool     // both sides are the same files, or the same recording
	again      bool     // they are the same recording
	ranks      bool     // the sides captured different ranks
	forced     []string // what differs and was to be compared all the same
	sizes      string   // why the jobs differ in size and are not judged; "" if they are
	doubts     []doubt  // what is not known of the sides, so that nothing is judged
	otherSize  bool     // they differ, judged by force or not
	unit       string   // why a step is not the same unit of work on both sides; "" if nothing says so, or it is forced
	copies     []copies // runs that were given more than once
	like       *loads   // of engine steps; nil: steps have none
	called     bool     // steps are marked otherwise on both sides, and hold the same kernels
}

// lineUp lines two sets up. Runs that were given more than once count once, engine steps
// are matched with those of like load, and ranks that one side alone has are set aside.
// What differs and must not is compared all the same where forced says so.
func lineUp(base, cand *run.Set, force bool) *Lined {
	base, again := once("baseline", base)
	cand, more := once("candidate", cand)
	both, isShared := shared(base, cand)
	base, cand, like := likeWithLike(base, cand, force)
	p := &Lined{force: force, base: newSide("baseline", base), cand: newSide("candidate", cand), copies: append(again, more...)}
	p.copies = append(p.copies, append(p.base.onceRecorded(), p.cand.onceRecorded()...)...)
	p.ranks = matchRanks(p.base, p.cand)
	matchLosses(p.base, p.cand)
	p.setLoads(like)
	p.plan = newPlan(p.base, p.cand)
	p.again = !sameFiles(base, cand) && measuredTwice(p.base, p.cand)
	p.same = (sameFiles(base, cand) || p.again) && p.base.markers() == p.cand.markers() && p.base.found() == p.cand.found()
	if why, differ := sizesDiffer(p.base, p.cand); differ {
		p.otherSize = true
		if p.sizes = why; force {
			p.sizes, p.forced = "", append(p.forced, why)
		}
	}
	if why := p.otherUnit(); why != "" && force {
		p.forced = append(p.forced, why)
	} else if why != "" {
		p.unit, p.plan.steps = why, 0
	}
	p.doubted()
	if d, again := recordedOnBoth(p.base, p.cand); again && !isShared {
		both, isShared = d, true
	}
	if isShared && !p.same {
		p.doubts = append(p.doubts, doubt{"", both})
	}
	return p
}
