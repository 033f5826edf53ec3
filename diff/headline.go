package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Headline is what became of the metric that speaks for a report; render/words makes the
// sentence, by the reason of Of.
type Headline struct {
	Of   verdict.Comparison // the metric that speaks, with its verdict and reason
	Lost []Lack             // parts of the sides: too little is left to judge; nil: enough is
	// Of sides without steps: those that keep none ("baseline", "candidate"), and whether
	// steps were found there and all left out. CutAt is after how many s a clock ended both
	// captures, where they hold different amounts of work; 0: that is not known.
	Silent  []string
	LeftOut bool
	CutAt   float64
	// Wide: the worst that the interval holds is so large that nobody learns from hearing
	// that more is excluded. AsksForRuns: the policy asks for more runs whatever a plan says.
	// Besides is what changed all the same, where nothing tells the sides apart.
	Wide, AsksForRuns bool
	Besides           Besides
	// Work is how much more or less the steps of the candidate do, where that is another job than
	// the baseline's; nil: it is not, or not known.
	Work *sides.StepWork
}

// Besides is what changed where the step as a whole, by its median, did not.
type Besides string

// What can change beside it; the zero value: nothing did.
const (
	MeanChanged Besides = "mean" // the mean step
	PartChanged Besides = "part" // something within the step
)

// newHeadline is the headline of what was compared, of which some parts are lost.
func newHeadline(p *cause.Causes, lost []Lack) Headline {
	h := Headline{Of: p.Gate, Lost: lost, Wide: p.Wide(&p.Gate), AsksForRuns: p.AsksForRuns(), Work: p.Lined.Work}
	if h.Work == nil {
		h.Work = p.OtherFLOPs()
	}
	switch h.Of.Reason {
	case verdict.ReasonNoSteps:
		h.Silent, h.LeftOut = silent(p)
		if w, ok := p.WorkRate(); ok && w.Fixed && w.Sure && math.Abs(w.Rate-1) > p.Policy.Threshold {
			h.CutAt = w.Length
		}
	case verdict.ReasonNoise:
		switch {
		case meanMoved(p, &h.Of):
			h.Besides = MeanChanged
		case worsened(p):
			h.Besides = PartChanged
		}
	}
	return h
}

// silent are the sides that keep no step, and whether any was found there.
func silent(p *cause.Causes) (names []string, found bool) {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.Kept) > 0 }) {
			continue
		}
		names = append(names, s.Name)
		found = found || slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.DropReasons) > 0 })
	}
	return names, found
}

// meanMoved reports whether the mean step changed for sure where the median did not: by
// its own interval, or by steps that stand out, by theirs.
func meanMoved(p *cause.Causes, c *verdict.Comparison) bool {
	mean := verdict.MetricOf(p.Parts, run.StepTimeMean)
	return c.Key == sides.StepTime && c.MeanApart.Is() && mean != nil && (verdict.LeavesOutZero(mean) || slices.ContainsFunc(p.SpikeFindings(), func(f cause.Finding) bool { return f.Class != verdict.ClassLook }))
}
