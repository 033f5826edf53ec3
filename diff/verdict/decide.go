package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Decide turns an effect into a verdict with its reason.
func (p *Judged) Decide(c *Comparison, t Tested) {
	e, l := t.Effect, t.Limits
	outcome := stat.Decide(e, l)
	switch {
	case outcome == stat.Equal:
		c.Verdict = Unchanged
	case outcome == stat.Unclear:
		c.Verdict = Inconclusive
	case (outcome == stat.Lower) == (c.Metric.Better == run.Lower):
		c.Verdict = Improved
	default:
		c.Verdict = Regressed
	}
	c.Reason = ReasonDecided
	p.tested[c.Key] = t
	if c.Verdict == Inconclusive {
		c.RunsNeeded = stat.RunsNeeded(e, l)
		c.Reason = p.unclear(c, math.Abs(e.Estimate) >= l.Threshold)
	}
}

// unclear is why no verdict came out. An estimate of at least the threshold
// may be a change that more runs would show; a smaller one is noise as far as
// anybody can tell.
func (p *Judged) unclear(c *Comparison, large bool) string {
	switch {
	case c.StepsUsed < sides.EnoughSteps:
		return ReasonTooFewSteps
	case large:
		return ReasonNeedsRuns
	}
	return ReasonNoise
}

// judgeable takes the verdict back where there must be none.
func (p *Judged) judgeable(c *Comparison, context bool) {
	reason := ""
	switch {
	case len(p.Doubts) > 0:
		reason = ReasonUnclear
	case p.Sizes.Differ():
		reason = ReasonRankCount
	case p.NotCompared.hides(&c.Metric) && !p.Identical:
		reason = ReasonKinds
	case c.Metric.Better == run.Neither, context:
		reason = ReasonNotJudged
	case p.Plan.Unsettled && !p.Identical:
		reason = ReasonNoSteadyState
	}
	if reason != "" {
		c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, reason, 0
	}
	c.OtherCause = context || reason != "" && reason != ReasonNotJudged
}

// NoSteps is the gate where a side has no step to compare, or none of the same unit.
func (p *Judged) NoSteps() Comparison {
	nan, reason := math.NaN(), ReasonNoSteps
	if p.OtherUnit != nil {
		reason = ReasonOtherSteps
	} else if p.LoadsDiffer() {
		reason = ReasonLoad
	}
	return Comparison{
		Key: sides.StepTime, Metric: run.Metric{Traits: stepMetric.Traits}, Gating: true, Reason: reason, Relative: true,
		Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Detectable80: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, FirstStep: nan, LastStep: nan, P: nan,
	}
}
