package diff

import (
	"cmp"

	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Ground is what a headline rests on besides its comparison, as the packages below diff say it; render/words writes
// the basis from both. "" if there is nothing to say.
type Ground struct {
	Doubts    []sides.Doubt    // what is not known of the sides, so that nothing is judged
	Unit      *sides.OtherUnit // why a step is not the same unit of work on both sides; nil nothing says so
	ByLoad    bool             // the medians are those over loads alike on both sides
	Alike     float64          // by how much all kernels moved together, a fraction; 0: they did not
	Copies    []sides.Copies   // runs that were given more than once and count once
	Odd       []verdict.OddRun // runs that stand apart from all others of their side, whatever the verdict
	RunSteps  [][]float64      // per side: the median step of each run, s, where the runs of a side differ by more than the sides
	LoadSteps [2]int           // of an inference engine, that the sides keep; 0: steps have no loads
	// Unpaired is why steps are not compared one by one although there are enough; nil: they
	// are, or there are too few.
	Unpaired *verdict.Unpaired
}

// newGround returns what the headline of a comparison rests on.
func newGround(p *cause.Causes) Ground {
	c := &p.Gate
	g := Ground{Doubts: p.Doubts, Unit: p.OtherUnit, ByLoad: p.LoadGroupOfSteps() != nil, Copies: p.Copies}
	if p.Loads != nil {
		g.LoadSteps = p.Loads.Steps
	}
	switch c.Reason {
	case verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonUnclear, verdict.ReasonLoad:
		return g
	}
	if withoutMetric(c.Reason) {
		return g
	}
	if fewInCommon(p) {
		why := p.Unpaired()
		g.Unpaired = &why
	}
	if g.Odd = p.OddRuns(); c.Key == sides.StepTime && c.RunsDifferMore() {
		g.RunSteps = p.RunSteps()
	}
	g.Alike = p.AllAlike(c)
	return g
}

// hints returns what users of sides without steps have to do.
func hints(p *cause.Causes, base, cand *Side) []string {
	if hint := cmp.Or(base.Steps.Hint, cand.Steps.Hint); hint != "" && p.Gate.Reason == verdict.ReasonNoSteps {
		return []string{hint}
	}
	return nil
}

// fewInCommon reports whether steps are not compared one by one although there are enough.
func fewInCommon(p *cause.Causes) bool { return !p.Plan.Paired && p.Plan.Steps >= sides.MinSteps }
