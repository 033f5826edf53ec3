package verdict

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// explain writes the reason of a comparison as a sentence.
func (p *Judged) explain(c Comparison) Comparison {
	c.settle()
	c.Why = p.why(&c)
	return c
}

func (p *Judged) why(c *Comparison) string {
	switch c.Reason {
	case ReasonDecided:
		return p.whyDecided(c)
	case ReasonSameFiles:
		return "Not judged: both sides are " + p.SameWhat() + "."
	case ReasonNotRecorded:
		return WhyNotRecorded(c)
	case ReasonTooFewSteps:
		return p.whyFewSteps(c)
	case ReasonRankCount:
		return "Not judged, because the jobs differ in size: " + p.Sizes + "."
	case ReasonUnclear:
		return "Not judged: " + p.Doubtful() + "."
	case ReasonKinds:
		return "Not judged: " + p.Untold.Clause() + "."
	case ReasonEnvironment:
		return "Not judged: " + p.Environment + "."
	case ReasonOtherSteps:
		return "Not judged: " + p.Unit + "."
	case ReasonNeedsHistory:
		return "Not judged: it gates only with a history of at least " + number.Counted(stat.MinHistory, "past run") + ", since without one its false alarms are too many."
	case ReasonNoSteadyState:
		return "Not judged: the step times keep falling, so that the warm-up has no end within the run."
	case ReasonNotJudged:
		if c.Metric.Better != 0 {
			return "Not judged: " + p.notJudged(c) + "."
		}
		return number.Capital(p.notJudged(c)) + "."
	case ReasonNoCommonSteps:
		if p.Like != nil {
			return fmt.Sprintf("Of some loads a side has more steps than are compared, and steps of like load change over a run: the sides may stand at other places of one trend, and the interval, %s, does not decide.", Interval(c))
		}
		return fmt.Sprintf("%s, so that steps could not be compared one by one; the interval, %s, is too wide, or the runs change over time and the sides may stand at other places of one trend.", number.Capital(p.InCommon()), Interval(c))
	case ReasonNeedsRuns:
		return fmt.Sprintf("The interval, %s, holds zero. If the difference is what it looks like, %s (%s).", Interval(c), wouldDecide(c.RunsNeeded), number.Setting(Power))
	case ReasonManyMetrics:
		return fmt.Sprintf("For itself its interval would leave out zero. Those of the %d gating metrics hold together (Holm's rule): it is %s, and %s (%s).",
			c.Of, Interval(c), wouldDecide(c.RunsNeeded), number.Setting(Power))
	case ReasonNoise:
		if c.Lo > 0 || c.Hi < 0 {
			return fmt.Sprintf("%s is less than what matters, %s: the interval is %s.", Change(c, c.Estimate), Amount(c, c.Threshold), Interval(c))
		}
		return fmt.Sprintf("%s is within what runs of the same job differ by: the interval is %s.", Change(c, c.Estimate), Interval(c))
	}
	return ""
}

// notJudged is why a metric is shown and not judged, as a clause.
func (p *Judged) notJudged(c *Comparison) string {
	switch {
	case c.Metric.Better == run.Neither:
		return "shown as context: neither direction is better by itself"
	case c.Metric.Joint:
		return "it is measured over all ranks of a side, and the sides captured different ones"
	case p.Like != nil && c.Metric.ByOrder:
		return "engine steps are compared by load, and do not stand in the order of time on both sides"
	}
	return "measured from " + c.Source
}

func (p *Judged) whyDecided(c *Comparison) string {
	switch {
	case c.Verdict != Unchanged:
		return fmt.Sprintf("The %s interval, %s, excludes zero, and the change is at least %s.",
			number.Setting(1-p.Policy.Alpha), Interval(c), Amount(c, c.Threshold))
	case c.Lo == 0 && c.Hi == 0:
		return "The same in every step on both sides."
	}
	return fmt.Sprintf("The interval that holds the change with %s certainty lies within \u00b1%s.", number.Setting(0.9), Amount(c, c.Equal))
}

func WhyNotRecorded(c *Comparison) string {
	switch {
	case c.NotRecorded[0] != "" && c.NotRecorded[1] != "":
		return "Not recorded on either side. Needs " + c.NotRecorded[0] + "."
	case c.NotRecorded[0] != "":
		return "Not recorded in the baseline. Needs " + c.NotRecorded[0] + "."
	}
	return "Not recorded in the candidate. Needs " + c.NotRecorded[1] + "."
}

func (p *Judged) whyFewSteps(c *Comparison) string {
	if c.Least > 0 {
		return fmt.Sprintf("%s: it is measured from %d on.", p.StepsHeld(c.StepsUsed), c.Least)
	}
	if c.StepsUsed < sides.MinSteps {
		return fmt.Sprintf("%s: a change is judged from %d on.", p.StepsHeld(c.StepsUsed), sides.MinSteps)
	}
	return fmt.Sprintf("%s: with fewer than %d, runs are taken to differ by %s, and the interval, %s, does not decide.",
		p.StepsHeld(c.StepsUsed), sides.EnoughSteps, Amount(c, c.Floor), Interval(c))
}

// StepsHeld says how many steps there are: "Only 8 steps in common".
func (p *Judged) StepsHeld(n int) string {
	where := "in common"
	if !p.Plan.Paired {
		where = "a side"
	}
	return "Only " + number.Counted(n, "step") + " " + where
}

func runsWanted(n int) string {
	if n >= stat.MaxRuns {
		return "not even " + number.Counted(stat.MaxRuns, "run")
	}
	return number.Counted(n, "run")
}

// Interval writes an interval with its signs: "−3.1 to +9.4 %".
func Interval(c *Comparison) string { return Ends(c, " to ") }

// Ends writes both ends of an interval, joined.
func Ends(c *Comparison, joint string) string {
	if math.IsNaN(c.Lo) {
		return number.None
	}
	if c.Relative || c.Metric.Unit == "ratio" {
		f := number.PercentFor(c.Estimate, c.Lo, c.Hi)
		return f.Signed(c.Lo) + joint + f.Signed(c.Hi) + percentUnit(c)
	}
	sc := number.ScaleOf(c.Metric.Unit, math.Max(math.Abs(c.Lo), math.Abs(c.Hi)))
	return sc.Signed(c.Lo) + joint + sc.SignedWith(c.Hi) + per(c)
}

// Change writes an effect with its sign and unit.
func Change(c *Comparison, v float64) string {
	if c.Relative || c.Metric.Unit == "ratio" {
		return number.PercentFor(c.Estimate, c.Lo, c.Hi).Signed(v) + percentUnit(c)
	}
	return number.ScaleOf(c.Metric.Unit, v).SignedWith(v) + per(c)
}

// SizeOf writes the size of an effect, without its sign.
func SizeOf(c *Comparison, v float64) string {
	v = math.Abs(v)
	if c.Relative || c.Metric.Unit == "ratio" {
		return number.PercentFor(c.Estimate, c.Lo, c.Hi).Digits(v) + percentUnit(c)
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v) + per(c)
}

// per is what a count is of: "" for what has a unit.
func per(c *Comparison) string {
	if c.Metric.Unit == "1" && c.Key.Metric == run.Tail {
		return " in 100 steps"
	}
	return ""
}

// Amount writes a size of an effect that was set, such as a threshold.
func Amount(c *Comparison, v float64) string {
	switch {
	case c.Relative:
		return number.Setting(v)
	case c.Metric.Unit == "ratio":
		return strings.TrimSuffix(number.Setting(v), "%") + "points"
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v)
}

func percentUnit(c *Comparison) string {
	if c.Relative {
		return number.Space + "%"
	}
	return number.Space + "points"
}
