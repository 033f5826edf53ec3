package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// measured says what was measured of the metric that speaks for a report: both medians, the
// interval and what it hangs on; "" where nothing was.
func measured(r *diff.Report) string {
	c := speaks(r)
	if c == nil {
		return ""
	}
	text := typicalOf(c) + medians(c) + mediansAlone(c) + ". " + cmp.Or(levelOfOne(r.Level), meanStep(c)) +
		withinRuns(c) + overRun(c) + intervalNote(c) + sample(c, !r.Unpaired) + floorNote(c) + "." + tipping(c) + allAlike(r.Alike)
	if c.Verdict == verdict.Regressed && !c.Gate {
		text += letThrough(c)
	}
	s := shared(c)
	for _, why := range []string{unequal(s.Unequal), s.Sizes} {
		if why != "" {
			text += " Measured, not judged: " + why + "."
		}
	}
	if r.Unpaired && s.Steps >= sides.MinSteps {
		text += " Steps are not compared one by one: " + unpaired(&s.Unpaired) + "."
	}
	return text
}

// speaks is the comparison of the metric that speaks for a report; nil where it says nothing.
func speaks(r *diff.Report) *verdict.Comparison {
	at := slices.IndexFunc(r.Metrics, func(c verdict.Comparison) bool { return c.Key == r.Speaks })
	if at < 0 || r.WithoutMetric() || slices.Contains(notCompared, r.Reason) {
		return nil
	}
	return &r.Metrics[at]
}

// notCompared are the reasons for which no step is compared.
var notCompared = []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}

// Key is of the basis both medians of the step, where it begins with them: "160 → 79.0 ms"; ""
// it does not.
func Key(r *diff.Report) string {
	c := speaks(r)
	if c == nil || forced(r) != "" || r.Left != "" || c.Key != sides.StepTime || shared(c).OverLoads {
		return ""
	}
	return medians(c) + mediansAlone(c)
}

// typicalOf begins the sentence that states both sides.
func typicalOf(c *verdict.Comparison) string {
	switch {
	case c.Key == sides.StepTime && shared(c).OverLoads:
		return "Usual step, over loads alike on both sides, "
	case c.Key == sides.StepTime:
		return "Median step "
	case c.Metric.OfRun:
		return subject(c) + " "
	}
	return "Median of " + lower(subject(c)) + " "
}

// medians writes both medians, with an arrow only where a change is certain.
func medians(c *verdict.Comparison) string {
	sc := scaleOf(c)
	between := " and "
	if c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed {
		between = " \u2192 "
	}
	if c.Metric.Unit == "ratio" {
		return number.Share(c.Base) + between + number.Share(c.Cand)
	}
	return sc.Format(c.Base) + between + sc.With(c.Cand)
}

// mediansAlone is by how much the two medians of a change that matters differ, where that
// reads otherwise than the estimate: " (−51.9 %)". Readers work it out.
func mediansAlone(c *verdict.Comparison) string {
	if !c.Seen() || !c.Relative || !(c.Base > 0) {
		return ""
	}
	f := number.PercentFor(c.Estimate, c.Lo, c.Hi)
	if f.Signed(c.Delta/c.Base) == f.Signed(c.Estimate) {
		return ""
	}
	return " (" + verdict.Change(c, c.Delta/c.Base) + ")"
}

// levelOfOne says that the steps of one side stand on two levels, with a space behind; "" of
// none.
func levelOfOne(l *cause.LevelOfOne) string {
	if l == nil {
		return ""
	}
	return fromStep(l.Step, l.Side, l.Change) + ". "
}

// fromStep says from where on the steps of a side take another time.
func fromStep(step int64, side string, change float64) string {
	return fmt.Sprintf("From step %d on the %s's steps take %s %s", step, side, number.Share(math.Abs(change)), verdict.LongerOrLess(change))
}

// meanStep states the mean step where it tells another story than the median, and the
// changes of both where the estimate is neither, each with a space behind.
func meanStep(c *verdict.Comparison) (text string) {
	if c.Key != sides.StepTime {
		return ""
	}
	if c.MeanApart.Is() {
		sc := number.ScaleOf("s", math.Max(c.BaseMean, c.CandMean))
		text = fmt.Sprintf("Mean step %s and %s: %s. ", sc.Format(c.BaseMean), sc.With(c.CandMean), meanSince(c))
	}
	if c.EstimateApart && c.Beyond() > verdict.FarOutside*c.Threshold {
		medians, means := c.Changes()
		text += fmt.Sprintf("The medians changed by %s, the means by %s, the estimate is %s: %s. ",
			verdict.Change(c, medians), verdict.Change(c, means), verdict.Change(c, c.Estimate), estimateWhy(c))
	}
	return text
}

// tested reports whether there is an interval to state.
func tested(c *verdict.Comparison) bool {
	return c.Reason != verdict.ReasonSameFiles && !math.IsNaN(c.Lo)
}

// intervalNote writes what the test says, in front of what was compared.
func intervalNote(c *verdict.Comparison) string {
	if !tested(c) {
		return ""
	}
	return number.Setting(1-shared(c).Alpha) + " interval " + verdict.Interval(c) + "; threshold " + verdict.Amount(c, c.Threshold) + "; "
}

// sample is what was compared, of steps that are paired or not: "1 run of 16 ranks × 18 steps
// a side".
func sample(c *verdict.Comparison, paired bool) string {
	runs := number.Counted(c.Runs[0], "run")
	if c.Runs[0] != c.Runs[1] {
		runs = number.Count(c.Runs[0]) + " and " + number.Counted(c.Runs[1], "run")
	}
	ranks := number.Counted(c.Ranks[0], "rank")
	if c.Ranks[0] != c.Ranks[1] {
		ranks = number.Count(c.Ranks[0]) + " and " + number.Counted(c.Ranks[1], "rank")
	}
	steps := number.Counted(c.StepsUsed, "step")
	if !paired {
		steps = number.Count(c.StepsUsed) + " or more steps"
	}
	return runs + " of " + ranks + " \u00d7 " + steps + " a side"
}

// floorNote says what runs are taken to differ by, behind what was compared.
func floorNote(c *verdict.Comparison) string {
	if !tested(c) {
		return ""
	}
	floor := verdict.Amount(c, c.Floor)
	if c.History > 0 {
		return "; runs differ by " + floor + ", from " + number.Counted(c.History, "past run")
	}
	return "; no history, noise floor " + floor + " assumed"
}

// allAlike says that all kernels moved together, which the runs at hand cannot tell from what
// runs of the job differ by, with a space in front; "" where they did not.
func allAlike(shift float64) string {
	if shift == 0 {
		return ""
	}
	return " " + number.Capital(allTake(shift)) +
		", as with another clock: what moves all alike cannot be told from what runs differ by but with more runs."
}
