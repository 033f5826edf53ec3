package verdict

import "math"

// Held is what holds an inconclusive comparison back from a verdict.
type Held int

// What holds a comparison back. HeldNot is the zero value: it has a verdict, or its estimate
// is just within the noise that is assumed, or it has too few steps.
const (
	HeldNot       Held = iota
	HeldTogether       // for itself it would be decided, among Of gating metrics it is not
	HeldLeaning        // it leans one way, and its interval holds zero; RunsNeeded would decide
	HeldEitherWay      // it is large enough to matter, and may be a change either way
	HeldUnsettled      // the steps do not settle
	HeldTrend          // its interval leaves out zero, and the sides may stand at other places of one trend
	HeldUnpaired       // its steps could not be compared one by one
	HeldSmall          // its interval leaves out zero, and it is less than what matters
)

// HeldBack is what holds a comparison back from a verdict.
func (c *Comparison) HeldBack() Held {
	if c.Outcome() != Inconclusive.String() {
		return HeldNot
	}
	switch c.Reason {
	case ReasonManyMetrics:
		return HeldTogether
	case ReasonNeedsRuns:
		if c.DoesLean() {
			return HeldLeaning
		}
		return HeldEitherWay
	case ReasonTooFewSteps:
		return HeldNot
	case ReasonNoSteadyState:
		return HeldUnsettled
	case ReasonNoCommonSteps:
		if LeavesOutZero(c) {
			return HeldTrend
		}
		return HeldUnpaired
	}
	if LeavesOutZero(c) && math.Abs(c.Estimate) < c.Threshold {
		return HeldSmall
	}
	return HeldNot
}
