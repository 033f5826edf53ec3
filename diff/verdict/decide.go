package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// proof holds the evidence for the verdict on a comparison, as far as it is known.
type proof struct {
	untested  string                       // the reason for which nothing was tested; "": something was, or there was no need
	barred    string                       // the reason for which there must be no verdict; "": there may be one
	sameFiles bool                         // nothing was measured twice, so that nothing is known to be equal
	equal     bool                         // both sides hold nothing but zeros, or one count
	test      *Tested                      // nil: nothing was tested
	between   func(sd float64) stat.Effect // the effect if runs differed by sd

	moving   bool // the sides may stand at other places of one trend
	disjoint bool // they have no step number in common
	single   bool // it is what one run a side printed, and nothing says what runs differ by
	within   bool // runs of a side change their level, and there are too few to tell whether they do so again

	together  []Family // that were tested with it; nil: it was tested by itself
	strictest float64  // the level for which it is said what would decide among these

	passes       bool        // each run is one pass, and there are enough runs
	needsHistory bool        // it gates only with past runs
	unequal      bool        // the sides differ in what must be equal
	against      bool        // runs without a profiler have another verdict
	decidedBy    *Comparison // of runs without a profiler, which decides what this one leaves open; nil: none does
}

// decide gives a comparison its verdict, by the first of these rules that holds; it is called again when more evidence
// is known. Nothing else sets a verdict.
func (x *proof) decide(c *Comparison) {
	c.Verdict, c.RunsNeeded = Inconclusive, 0
	switch {
	case x.decidedBy != nil:
		c.decideBy(x.decidedBy)
	case x.against:
		c.Reason = ReasonUnprofiled
	case x.unequal:
		c.Reason = ReasonEnvironment
	case x.needsHistory:
		c.Reason = ReasonNeedsHistory
	case x.untested != "":
		c.Reason = x.untested
	case x.barred != "":
		c.Reason = x.barred
	case x.sameFiles:
		c.Reason = ReasonSameFiles
	case x.equal:
		c.Verdict, c.Reason = Unchanged, ReasonDecided
	default:
		x.decideByTest(c)
	}
}

// decideByTest turns the effect that was tested into a verdict with its reason.
func (x *proof) decideByTest(c *Comparison) {
	c.Verdict, c.Reason = x.test.Verdict(c.Metric.Better), ReasonDecided
	if c.Verdict == Inconclusive {
		c.Reason = unclear(c, math.Abs(c.Estimate) >= c.Threshold, x.passes)
	}
	if x.moving && (c.Verdict != Inconclusive || x.disjoint && c.Reason != ReasonTooFewSteps) {
		c.Verdict, c.Reason = Inconclusive, ReasonNoCommonSteps
	}
	if x.single {
		c.Verdict, c.Reason = Inconclusive, ReasonNeedsRuns
	}
	if x.within && (c.Verdict == Regressed || c.Verdict == Improved) {
		c.Verdict, c.Reason = Inconclusive, ReasonWithin
	}
	if c.Main != nil && (c.Verdict == Regressed && !c.Main.Fails || c.Verdict == Inconclusive && c.Main.Asks) {
		c.Verdict, c.Reason = Inconclusive, c.Main.Why
	}
	if x.together != nil && (c.Verdict == Regressed || c.Verdict == Improved) && !LeavesOutZero(c) {
		c.Verdict, c.Reason = Inconclusive, ReasonManyMetrics
		c.TestedTogether, c.TestedCandidates = tested(x.together)
	}
	limits := x.test.Limits
	if x.together != nil {
		limits.Alpha = x.strictest
	}
	if c.Verdict == Inconclusive && (c.Reason != ReasonNoCommonSteps || x.together != nil) {
		c.RunsNeeded = stat.RunsNeeded(x.test.Effect, limits)
	}
}

// Verdict returns the verdict on an effect by itself.
func (t *Tested) Verdict(better run.Better) Verdict {
	outcome := stat.Decide(t.Effect, t.Limits)
	switch {
	case outcome == stat.Equal:
		return Unchanged
	case outcome == stat.Unclear:
		return Inconclusive
	case (outcome == stat.Lower) == (better == run.Lower):
		return Improved
	}
	return Regressed
}

// unclear returns why no verdict came out. An estimate of at least the threshold
// may be a change that more runs would show; a smaller one is noise as far as
// anybody can tell.
func unclear(c *Comparison, large, passes bool) string {
	switch {
	case c.StepsUsed < sides.EnoughSteps && !passes && !c.Metric.OfResult:
		return ReasonTooFewSteps
	case large:
		return ReasonNeedsRuns
	}
	return ReasonNoise
}

// bar says why there must be no verdict on a comparison; "": there may be one. context says that
// the sides measured it from different things.
func (p *Terms) bar(c *Comparison, context bool) string {
	switch {
	case len(p.Doubts) > 0:
		return ReasonUnclear
	case p.Sizes.Differ():
		return ReasonRankCount
	case p.NotCompared.hides(&c.Metric) && !p.Identical:
		return ReasonKinds
	case c.Metric.Better == run.Neither, context, c.Key.Metric == run.HostStepTime && hostAhead(p.Lined):
		return ReasonNotJudged
	case p.Plan.Unsettled && !p.Identical:
		return ReasonNoSteadyState
	}
	return ""
}

// finish gives a comparison its verdict by itself, and keeps its evidence and what its reason may name.
func (p *Trial) finish(c Comparison, x *proof) Comparison {
	p.proofs[c.Key] = x
	x.decide(&c)
	c.settle()
	c.Context = p.context
	return c
}

// NoSteps returns the gate where a side has no step to compare, or none of the same unit.
func NoSteps(p *sides.Lined) Comparison {
	nan, reason := math.NaN(), ReasonNoSteps
	if p.OtherUnit != nil {
		reason = ReasonOtherSteps
	} else if p.LoadsDiffer() {
		reason = ReasonLoad
	}
	return Comparison{
		Key: sides.StepTime, Metric: run.Metric{Traits: stepMetric.Traits}, Gating: true, Reason: reason, Relative: true,
		Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Detectable80: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, Spread: nan, FirstStep: nan, LastStep: nan, P: nan,
	}
}
