package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Notes returns sentences that a reader of a comparison's numbers needs: why it has no verdict if noise alone is not
// the reason, and where its numbers tell different stories.
func Notes(c *verdict.Comparison) (out []string) {
	for _, text := range []string{heldBack(c), leastNote(c), meanNote(c), estimateNote(c)} {
		if text != "" {
			out = append(out, number.Capital(text)+".")
		}
	}
	return out
}

// leastNote says that a wait for input may be longer; "" it may not.
func leastNote(c *verdict.Comparison) string {
	if c.MayBeInput == [2]float64{} {
		return ""
	}
	return atLeast(c.MayBeInput[0], c.MayBeInput[1])
}

// atLeast says how much more of the time per step may be a wait for input on either side.
func atLeast(base, cand float64) string {
	sc := number.ScaleOf("s", math.Max(base, cand))
	more := sc.Format(base) + " and " + sc.With(cand)
	if cand == 0 {
		more = sc.With(base) + " in the baseline"
	} else if base == 0 {
		more = sc.With(cand) + " in the candidate"
	}
	return "this is at least so much: without a range around the loader, " + more + " of other idle time may be input too"
}

// testedTogether names what was tested together: "8 gating metrics", "16 gating metrics of two candidates".
func testedTogether(c *verdict.Comparison) string {
	text := number.Counted(c.TestedTogether, "gating metric")
	if c.TestedCandidates > 1 {
		text += " of " + number.Word(c.TestedCandidates) + " candidates"
	}
	return text
}

// heldBack says what holds a comparison back from a verdict, as a clause; "" nothing.
func heldBack(c *verdict.Comparison) string {
	switch c.Obstacle() {
	case verdict.ObstacleTogether:
		return fmt.Sprintf("%s: for itself its interval would leave out zero; "+
			"those of the %s hold for all of them together (Holm's rule); %s",
			NotYet(c), testedTogether(c), wouldDecide(c.RunsNeeded))
	case verdict.ObstacleLeaning:
		return NotYet(c) + ": the interval holds zero; " + wouldDecide(c.RunsNeeded)
	case verdict.ObstacleEitherWay:
		return "large enough to matter, but it may be a change either way; " + wouldDecide(c.RunsNeeded)
	case verdict.ObstacleUnsettled:
		return "the steps do not settle"
	case verdict.ObstacleTrend:
		return "the interval leaves out zero, but steps could not be compared one by one, " +
			"and the sides may stand at other places of one trend"
	case verdict.ObstacleUnpaired:
		return "steps could not be compared one by one"
	case verdict.ObstacleSmall:
		return "the interval leaves out zero, but the change is less than what matters"
	}
	return ""
}

// meanNote says where the mean of a time changed by another amount than its median, and
// why, as a clause: "the mean rose from 0.50 to 5.60 ms, since …"; "" they tell one story.
func meanNote(c *verdict.Comparison) string {
	if !c.MeanApart.Is() {
		return ""
	}
	return meanMoved(c) + ", since " + meanSince(c)
}

// medianNote says the same of the median, of a finding about the mean.
func medianNote(c *verdict.Comparison) string {
	return "the median " + verb(c.Delta) + " " + times(c.Base, c.Cand) + ", since " + meanSince(c)
}

// MeanSince is the same as a sentence, with a space in front.
func MeanSince(c *verdict.Comparison) string {
	if !c.MeanApart.Is() {
		return ""
	}
	return " " + number.Capital(meanNote(c)) + "."
}

// movements are how a mean moves.
var movements = map[verdict.Movement]string{
	verdict.Rose:        "rose",
	verdict.Fell:        "fell",
	verdict.HardlyMoved: "hardly moved,",
}

// meanMoved says how a mean moved: "the mean rose from 0.50 to 5.60 ms".
func meanMoved(c *verdict.Comparison) string {
	sc := number.ScaleOf("s", math.Max(c.BaseMean, c.CandMean))
	return fmt.Sprintf("the mean %s from %s to %s", movements[c.MeanApart.Moved], sc.Format(c.BaseMean), sc.With(c.CandMean))
}

// singles names what one single value is.
var singles = map[verdict.Single]string{verdict.SingleSteps: "step", verdict.SingleRanks: "rank", verdict.SingleRuns: "run"}

// meanSince says what tells the mean of a time from its median.
func meanSince(c *verdict.Comparison) string {
	m := &c.MeanApart
	does := map[bool]string{true: "have far more of it", false: "have far less of it"}
	if c.OfSteps() {
		does = map[bool]string{true: "take far longer", false: "take far less"}
	}
	of := singles[m.Of]
	return fmt.Sprintf("some %ss of the %s %s than its median %s", of, m.Side, does[m.More], of)
}

// estimateWhy says why an estimate lies outside of the changes of medians and means.
func estimateWhy(c *verdict.Comparison) string {
	if shared(c).Paired {
		return "the estimate compares the same steps of both sides, whose changes differ over the run"
	}
	return "the estimate compares stretches of steps, which differ over the run"
}

// estimateNote says in a clause why the same steps changed by another number than medians and means; "" they did not.
func estimateNote(c *verdict.Comparison) string {
	if !c.EstimateApart {
		return ""
	}
	return "the same steps changed by another number than the medians and the means: " + estimateWhy(c)
}

// Unmarked explains the main metrics without a sign of a change; "" if there are none.
func Unmarked(r *diff.Report) string {
	for i := range r.Metrics {
		if RowOf(&r.Metrics[i]).Change == NoSign {
			return NoSign + ": no more than runs of one job are taken to differ by"
		}
	}
	return ""
}

// StepsApart says of which metrics the same steps changed by another number than their row's, and why; "" none.
func StepsApart(r *diff.Report) string {
	var parts []string
	why := ""
	for i := range r.Metrics {
		o := RowOf(&r.Metrics[i])
		if o.Steps == "" {
			continue
		}
		if n := len(parts); n > 0 && o.Why != why {
			parts[n-1] += " (" + why + ")"
		}
		parts, why = append(parts, r.Metrics[i].Metric.Name+" "+o.Steps), o.Why
	}
	if len(parts) == 0 {
		return ""
	}
	return SameSteps + ": " + strings.Join(parts, ", ") + " (" + why + ")"
}
