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
	Doubts  []string // what is not known of runs and ranks, a clause each; Report.Hints has what to do
	Unit    string   // why a step is not the same unit of work on both sides, a clause
	Loads   string   // what the steps of engines are that are compared, or cannot be, sentences
	ByLoad  bool     // the medians are those over loads alike on both sides
	Typical string   // what begins the sentence with both medians
	Medians string   // by how much the medians alone differ, in brackets
	Level   string   // that the steps of a side stand on two levels, a sentence
	Within  string   // what is known of these very runs, a sentence
	OverRun string   // from where to where the change goes over the runs, a sentence
	Tipping string   // on which deviation between runs the change hangs, a sentence
	Alike   string   // that all kernels moved together, a sentence
	Copies  string   // which runs do not count, sentences
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
	g.Typical, g.Medians, g.Level = p.TypicalOf(c), p.MediansAlone(c), p.LevelNote(c)
	g.Within, g.OverRun, g.Tipping, g.Alike = p.WithinRuns(c), p.OverRun(c), p.Tipping(c), p.AllAlike(c)
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
