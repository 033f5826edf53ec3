package diff

import (
	"fmt"

	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// UnmarkedNote says why the rows are inconclusive that have no note of their own; "" where
// there are none.
func (r *Report) UnmarkedNote() string {
	why := ""
	for i := range r.Metrics {
		switch c := &r.Metrics[i]; {
		case c.Outcome() != verdict.Inconclusive.String() || c.HeldBack() != "":
		case c.Reason == verdict.ReasonTooFewSteps:
			return fmt.Sprintf("inconclusive, no note: with under %d steps runs are taken to differ by more", sides.EnoughSteps)
		default:
			why = "inconclusive, no note: within what runs of one job are taken to differ by"
		}
	}
	return why
}
