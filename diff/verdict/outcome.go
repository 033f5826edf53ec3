package verdict

import "math"

// Outcome says what becomes of a comparison, or of a report: a verdict, or why there is none. render/words puts it in
// words.
type Outcome int

// The outcomes. Those that are verdicts have the verdict's number, so the zero value is inconclusive.
const (
	OutcomeInconclusive Outcome = iota
	OutcomeUnchanged
	OutcomeImproved
	OutcomeRegressed
	OutcomeNotRecorded   // a side cannot answer; of a comparison alone
	OutcomeNotJudged     // nothing is said of it, as of context
	OutcomeNotComparable // the sides are of other jobs; of a report alone, and so are the rest
	OutcomeLeans         // inconclusive, and it points one way: see Leaning
	OutcomePassed        // inconclusive, and nothing is seen that a gate looks for
)

// Outcome returns the verdict, or that there is none to have.
func (c *Comparison) Outcome() Outcome {
	switch {
	case c.Reason == ReasonNotRecorded:
		return OutcomeNotRecorded
	case c.Reason == ReasonSameFiles, c.Reason == ReasonNotJudged, c.Reason == ReasonUnclear, c.Reason == ReasonRankCount, c.Reason == ReasonEnvironment, c.Reason == ReasonUnprofiled, c.Reason == ReasonKinds,
		c.Verdict == Inconclusive && math.IsNaN(c.Estimate):
		return OutcomeNotJudged
	}
	return Outcome(c.Verdict)
}
