package words

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Caveat says what to know before trusting a report: one thing that follows from what was compared.
func Caveat(r *diff.Report, c *diff.Caveat) string {
	step := verdict.MetricOf(r.Metrics, run.StepTime)
	switch c.Kind {
	case diff.CaveatMissing:
		side := &r.Base
		if c.Side == "candidate" {
			side = &r.Cand
		}
		return strings.TrimSpace(missing(c.Side, side))
	case diff.CaveatDrift:
		verb := "grow"
		if c.Drift < 0 {
			verb = "shrink"
		}
		return "Steps of the " + c.Side + " still " + verb + " at the last one, by " + number.Share(math.Abs(c.Drift)) +
			" from the first: another stretch of the run would give another median (record longer, or later)."
	case diff.CaveatOneRun:
		what := "One run per side"
		if c.Side != "" {
			what = "One run of the " + c.Side
		}
		return what + ", and no history: what runs differ by is not measured but taken to be " + Amount(step, step.Floor) + " (record three runs per side, or give --history)."
	case diff.CaveatHistory:
		return "No history: what runs differ by comes from these few runs and from " + Amount(step, step.Floor) + " that is assumed (give --history)."
	}
	return ""
}
