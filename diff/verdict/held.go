package verdict

import (
	"fmt"
	"math"

	"perfdiff/diff/number"
)

// Notes are what a reader of a comparison's numbers needs beside them, a sentence each:
// why it has no verdict where the noise alone is not the reason, and where its numbers tell
// different stories.
func (c *Comparison) Notes() (out []string) {
	for _, text := range []string{c.HeldBack(), c.MeanNote, c.EstimateNote} {
		if text != "" {
			out = append(out, number.Capital(text)+".")
		}
	}
	return out
}

// HeldBack says why a comparison is inconclusive, as a clause; "" where it is not, or where
// its estimate is just within the noise that is assumed.
func (c *Comparison) HeldBack() string {
	if c.Outcome() != Inconclusive.String() {
		return ""
	}
	switch c.Reason {
	case ReasonManyMetrics:
		return fmt.Sprintf("%s%s: for itself its interval would leave out zero; "+
			"those of the %s hold for all of them together (Holm's rule); %s",
			c.Leans(), NotYet, number.Counted(c.Of, "gating metric"), wouldDecide(c.RunsNeeded))
	case ReasonNeedsRuns:
		if c.DoesLean() {
			return fmt.Sprintf("%s%s: the interval holds zero; %s", c.Leans(), NotYet, wouldDecide(c.RunsNeeded))
		}
		return "large enough to matter, but it may be a change either way; " + wouldDecide(c.RunsNeeded)
	case ReasonTooFewSteps:
		return ""
	case ReasonNoSteadyState:
		return "the steps do not settle"
	case ReasonNoCommonSteps:
		if LeavesOutZero(c) {
			return "the interval leaves out zero, but steps could not be compared one by one, " +
				"and the sides may stand at other places of one trend"
		}
		return "steps could not be compared one by one"
	}
	if LeavesOutZero(c) && math.Abs(c.Estimate) < c.Threshold {
		return "the interval leaves out zero, but the change is less than what matters"
	}
	return ""
}

// wouldDecide says how many runs a side are planned to decide.
func wouldDecide(runs int) string { return runsWanted(runs) + " a side should decide" }
