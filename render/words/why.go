package words

import (
	"fmt"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Why is the reason of a comparison's verdict as a sentence; "" where it has none.
func Why(c *verdict.Comparison) string {
	s := shared(c)
	switch c.Reason {
	case verdict.ReasonDecided:
		return whyDecided(c, s)
	case verdict.ReasonSameFiles:
		return "Not judged: both sides are " + verdict.SameWhat(s.Again) + "."
	case verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad:
		return "Shown as context: without steps nothing is judged."
	case verdict.ReasonNotRecorded:
		return whyNotRecorded(c)
	case verdict.ReasonTooFewSteps:
		return whyFewSteps(c, s)
	case verdict.ReasonRankCount:
		return "Not judged, because the jobs differ in size: " + sizes(s.Sizes) + "."
	case verdict.ReasonUnclear:
		return "Not judged: " + doubtful(s.Doubt) + "."
	case verdict.ReasonKinds:
		return "Not judged: " + s.Untold.Clause() + "."
	case verdict.ReasonUnprofiled:
		return "Not judged: runs without the profiler have another verdict."
	case verdict.ReasonEnvironment:
		return "Not judged: " + s.Environment + "."
	case verdict.ReasonNeedsHistory:
		return "Not judged: it gates only with a history of at least " + number.Counted(verdict.MinHistory, "past run") +
			", since without one its false alarms are too many."
	case verdict.ReasonNoSteadyState:
		return "Not judged: the step times keep falling, so that the warm-up has no end within the run."
	case verdict.ReasonNotJudged:
		if c.Metric.Better != run.Neither {
			return "Not judged: " + verdict.Unjudgeable(c) + "."
		}
		return number.Capital(verdict.Unjudgeable(c)) + "."
	}
	return whyOpen(c, s)
}

// shared is what the reason of a comparison may name.
func shared(c *verdict.Comparison) *verdict.Shared {
	if c.Shared == nil {
		return &verdict.Shared{}
	}
	return c.Shared
}

// whyOpen is why the interval of a comparison decides nothing.
func whyOpen(c *verdict.Comparison, s *verdict.Shared) string {
	interval := verdict.Interval(c)
	switch c.Reason {
	case verdict.ReasonNoCommonSteps:
		if s.ByLoad {
			return "Of some loads a side has more steps than are compared, and steps of like load change over a run: " +
				"the sides may stand at other places of one trend, and the interval, " + interval + ", does not decide."
		}
		return number.Capital(s.InCommon) + ", so that steps could not be compared one by one; the interval, " + interval +
			", is too wide, or the runs change over time and the sides may stand at other places of one trend."
	case verdict.ReasonNeedsRuns:
		return fmt.Sprintf("The interval, %s, holds zero. If the difference is what it looks like, %s (%s).",
			interval, wouldDecide(c.RunsNeeded), number.Setting(verdict.Power))
	case verdict.ReasonManyMetrics:
		return fmt.Sprintf("For itself its interval would leave out zero. "+
			"Those of the %d gating metrics hold together (Holm's rule): it is %s, and %s (%s).",
			c.Of, interval, wouldDecide(c.RunsNeeded), number.Setting(verdict.Power))
	case verdict.ReasonNoise:
		change := verdict.Change(c, c.Estimate)
		if verdict.LeavesOutZero(c) {
			return fmt.Sprintf("%s is less than what matters, %s: the interval is %s.", change, verdict.Amount(c, c.Threshold), interval)
		}
		return change + " is within what runs of the same job differ by: the interval is " + interval + "."
	}
	return ""
}

func whyDecided(c *verdict.Comparison, s *verdict.Shared) string {
	switch {
	case c.Verdict != verdict.Unchanged:
		return fmt.Sprintf("The %s interval, %s, excludes zero, and the change is at least %s.",
			number.Setting(1-s.Alpha), verdict.Interval(c), verdict.Amount(c, c.Threshold))
	case c.Lo == 0 && c.Hi == 0:
		return "The same in every step on both sides."
	}
	return fmt.Sprintf("The interval that holds the change with %s certainty lies within \u00b1%s.", number.Setting(0.9), verdict.Amount(c, c.Equal))
}

func whyNotRecorded(c *verdict.Comparison) string {
	base, cand := c.NotRecorded[0], c.NotRecorded[1]
	switch {
	case base != "" && cand != "":
		return "Not recorded on either side. Needs " + base + "."
	case base != "":
		return "Not recorded in the baseline. Needs " + base + "."
	}
	return "Not recorded in the candidate. Needs " + cand + "."
}

func whyFewSteps(c *verdict.Comparison, s *verdict.Shared) string {
	held := verdict.StepsHeld(c.StepsUsed, s.Paired)
	switch {
	case c.Least > 0:
		return fmt.Sprintf("%s: it is measured from %d on.", held, c.Least)
	case c.StepsUsed < sides.MinSteps:
		return fmt.Sprintf("%s: a change is judged from %d on.", held, sides.MinSteps)
	}
	return fmt.Sprintf("%s: with fewer than %d, runs are taken to differ by %s, and the interval, %s, does not decide.",
		held, sides.EnoughSteps, verdict.Amount(c, c.Floor), verdict.Interval(c))
}

// wouldDecide says how many runs a side are planned to decide.
func wouldDecide(runs int) string {
	if runs >= verdict.MaxRuns {
		return "not even " + number.Counted(verdict.MaxRuns, "run") + " a side should decide"
	}
	return number.Counted(runs, "run") + " a side should decide"
}
