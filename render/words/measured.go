package words

import (
	"cmp"
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// measured says what was measured of the metric that speaks for a report: both medians, the
// interval and what it hangs on.
func measured(r *diff.Report) string {
	c, g := &r.Headline.Of, &r.Ground
	return typicalOf(c, g.ByLoad) + medians(c) + mediansAlone(c) + ". " + cmp.Or(twoLevels(g.Level), meanStep(c), stall(r.Headline.Stalls)) +
		withinRuns(c) + wandering(c, g.Level) + overRun(c) + tested(r, c) + sample(r, c) + "." + tipping(&r.Headline)
}

// reservations says what else to know of the comparison that speaks, with a space in front.
func reservations(r *diff.Report) string {
	c, g := &r.Headline.Of, &r.Ground
	text := ownHosts(c) + runsDiffer(c, g.RunSteps) + oddRuns(g.Odd)
	if c.Verdict == verdict.Regressed && !c.Gating {
		text += letThrough(c)
	}
	for _, why := range []string{unequal(shared(c).Unequal), sizes(shared(c).Sizes)} {
		if why != "" {
			text += " Measured, not judged: " + why + "."
		}
	}
	if g.Unpaired != nil {
		text += " Steps are not compared one by one: " + unpaired(g.Unpaired) + "."
	}
	return text + comparedLoads(r) + copiesLeft(g.Copies)
}

// typicalOf begins the sentence that states both sides; byLoad: the step is the usual one over
// loads.
func typicalOf(c *verdict.Comparison, byLoad bool) string {
	switch {
	case c.Key == sides.StepTime && byLoad:
		return "Usual step, over loads alike on both sides, "
	case c.Key == sides.StepTime:
		return "Median step "
	case c.Key.Metric == run.StepTimeMean:
		return "Mean step "
	case c.Metric.OfRun:
		return subject(c) + " "
	}
	if c.Metric.OfResult && max(c.Runs[0], c.Runs[1]) < 2 {
		return subject(c) + " "
	}
	return "Median of " + inSentence(c) + " "
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
	return " (" + changeOf(c, c.Delta/c.Base) + ")"
}

// twoLevels says that the steps of one side stand on two levels, with a space behind; "" of
// none.
func twoLevels(j *cause.Jump) string {
	if j == nil {
		return ""
	}
	sc := number.ScaleOf("s", math.Max(j.Rest, math.Max(j.Before, j.After)))
	if j.Alike && j.Alone {
		return fmt.Sprintf("Up to step %d both sides take %s, from then on the %s takes %s%s; the %s has no such jump. ",
			j.Step-1, sc.With(j.Before), j.Side, sc.With(j.After), inRuns(j.SideLevel), otherSide(j.Side))
	}
	return fmt.Sprintf("The %s takes %s up to step %d and %s from then on%s, the %s %s. ",
		j.Side, sc.Format(j.Before), j.Step-1, sc.With(j.After), inRuns(j.SideLevel), otherSide(j.Side), sc.With(j.Rest))
}

// fromStep says from where on the steps of a side take another time.
func fromStep(step int64, side string, change float64) string {
	return fmt.Sprintf("From step %d on the %s's steps take %s %s", step, side, number.Share(math.Abs(change)), longerOrLess(change))
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
	if c.EstimateApart && c.OutsideBy() > verdict.FarOutside*c.Threshold {
		medians, means := c.Changes()
		text += fmt.Sprintf("The medians changed by %s, the means by %s, the estimate is %s: %s. ",
			changeOf(c, medians), changeOf(c, means), changeOf(c, c.Estimate), estimateWhy(c))
	}
	return text
}

// tested writes what the test says: the interval, what runs are known or taken to differ by, and
// what matters; "" where there was none.
func tested(r *diff.Report, c *verdict.Comparison) string {
	if c.Reason == verdict.ReasonSameFiles || math.IsNaN(c.Lo) {
		return ""
	}
	return number.Setting(1-r.Policy.Alpha) + " interval " + intervalOf(c) + noiseNote(c) + "; threshold " + Amount(c, c.Threshold) + "; "
}

// allAlike says that all kernels moved together, which the runs at hand cannot tell from what
// runs of the job differ by, with a space in front; "" where they did not.
func allAlike(r *diff.Report, shift float64) string {
	if shift == 0 {
		return ""
	}
	return " " + number.Capital(allTake(shift)) + besideClock(sampled(r), allDevices) +
		": what moves all alike cannot be told from what runs differ by but with more runs."
}
