package diff

import (
	"cmp"

	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Ground is what a headline stands on beside the comparison that it is of, as the rooms of
// diff say it; render/words makes the basis of both. "" is what there is nothing to say of.
type Ground struct {
	Doubts []string          // what is not known of runs and ranks, a clause each; Report.Hints has what to do
	Unit   string            // why a step is not the same unit of work on both sides, a clause
	Loads  string            // what the steps of engines are that are compared, or cannot be, sentences
	ByLoad bool              // the medians are those over loads alike on both sides
	Level  *cause.LevelOfOne // the change of level of the one side whose steps stand on two; nil: none, or both do
	Alike  float64           // the change of all kernels that explains an undecided one of the step, a fraction; 0: none does
	Copies string            // which runs do not count, sentences
	// Unpaired is why steps are not compared one by one although there are enough; nil: they
	// are, or there are too few.
	Unpaired *verdict.Unpaired
}

// newGround is what the headline of what was compared stands on.
func newGround(p *cause.Causes) Ground {
	c := &p.Gate
	g := Ground{Unit: p.Unit, ByLoad: p.LoadKinds() != nil}
	for i := range p.Doubts {
		g.Doubts = append(g.Doubts, p.Doubts[i].Clause())
	}
	switch c.Reason {
	case verdict.ReasonLoad:
		g.Loads = cause.Held(p.Like)
		return g
	case verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonUnclear:
		return g
	}
	if withoutMetric(c.Reason) {
		return g
	}
	if fewInCommon(p) {
		why := p.Unpaired()
		g.Unpaired = &why
	}
	g.Loads, g.Copies = cause.Basis(p.Like), p.SaidOfCopies()
	g.Level, g.Alike = p.LevelOfOne(c), p.AllAlike(c)
	return g
}

// hints are what the basis of a headline says to do.
func hints(p *cause.Causes, r *Report) (out []string) {
	switch p.Gate.Reason {
	case verdict.ReasonNoSteps:
		if hint := cmp.Or(r.Base.Steps.Hint, r.Cand.Steps.Hint); hint != "" {
			out = append(out, hint)
		}
	case verdict.ReasonUnclear:
		for i := range p.Doubts {
			out = append(out, p.Doubts[i].Hint)
		}
	}
	return out
}

// fewInCommon reports whether steps are not compared one by one although there are enough.
func fewInCommon(p *cause.Causes) bool { return !p.Plan.Paired && p.Plan.Steps >= sides.MinSteps }
