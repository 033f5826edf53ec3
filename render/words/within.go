package words

import (
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// withinRuns says what is known of these very runs: "Within these two runs steps took 7.9 %
// longer (+7.1 to +8.8 %). "; "" where no change that matters is seen in them.
func withinRuns(c *verdict.Comparison) string {
	if !c.Seen() || !(c.WithinLo > 0 || c.WithinHi < 0) {
		return ""
	}
	runs := "Within these " + number.Word(c.Runs[0]+c.Runs[1]) + " runs "
	if !c.Relative || !c.OfSteps() {
		inside := *c
		inside.Lo, inside.Hi = c.WithinLo, c.WithinHi
		return runs + inSentence(c) + " changed by " + changeOf(c, c.Estimate) + " (" + intervalOf(&inside) + "). "
	}
	f := number.PercentFor(c.Estimate, c.Lo, c.Hi) // as the headline
	steps := "steps"
	switch s := shared(c); {
	case mediansAlone(c) == "":
	case s.ByLoad:
		steps = "steps of like load"
	case s.Paired:
		steps = "the same steps"
	}
	return runs + steps + " took " + f.Digits(math.Abs(c.Estimate)) + number.Space + "% " + longerOrLess(c.Estimate) +
		" (" + f.Signed(c.WithinLo) + " to " + f.Signed(c.WithinHi) + number.Space + "%). "
}

// inSentence returns the subject within a sentence.
func inSentence(c *verdict.Comparison) string {
	if c.Key == sides.StepTime {
		return "the step time"
	}
	if c.Metric.OfResult {
		return ResultWithin(c.Key.Metric)
	}
	return number.Lower(subject(c))
}

// overRun says how a change moves over the runs, with a space at the end; "" where it is one number, or where it does
// not matter.
func overRun(c *verdict.Comparison) string {
	if !c.Seen() || math.IsNaN(c.FirstStep) {
		return ""
	}
	return "The change goes from " + changeOf(c, c.FirstStep) + " at the first step to " + changeOf(c, c.LastStep) + " at the last. "
}

// wandering says why no interval is given for these very runs, with a space at the end; "" if one is, or if it is
// known how their steps go on.
func wandering(c *verdict.Comparison, level *cause.Jump) string {
	if !c.Seen() || !c.Wanders || level != nil || !math.IsNaN(c.FirstStep) {
		return ""
	}
	return "Their steps wander, so that no interval is given within these " + number.Word(c.Runs[0]+c.Runs[1]) + " runs. "
}

// noiseNote says what runs differ by, and from where that is known: " if runs differ by 1.5 %
// (assumed)".
func noiseNote(c *verdict.Comparison) string {
	floor, hosts := Amount(c, c.Floor), ""
	if c.Hosts > 0 {
		hosts = " and hosts by " + deviation(c, c.Hosts) + " (assumed: each side ran on its own)"
	}
	switch {
	case c.History > 0 && c.Unprofiled:
		return " if runs differ by " + floor + ", as " + number.Counted(c.History, "run") + " without the profiler do" + hosts
	case c.History == 1:
		return " if runs differ by " + floor + ", as is assumed beside one past run" + hosts
	case c.History > 0:
		return " if runs differ by " + floor + ", as " + number.Counted(c.History, "past run") + " do" + hosts
	case !c.Assumed() && c.Floor == 0:
		return ", of runs that differ by " + deviation(c, c.Spread) + hosts
	case !c.Assumed():
		return ", of runs that differ by " + deviation(c, c.Spread) + " (and " + floor + " assumed beside it)" + hosts
	}
	if c.Metric.OfResult {
		return " if runs differ by " + floor + " (assumed: nothing says by how much)"
	}
	return " if runs differ by " + floor + " (" + assumedOf[c.Places] + ")"
}

// assumedOf says how the noise between runs was assumed, by where they ran.
var assumedOf = map[verdict.Places]string{
	"": "assumed", verdict.PlacesSame: "assumed", verdict.PlacesUnknown: "assumed: no host is recorded",
	verdict.PlacesOther: "assumed: the sides ran on other devices",
}

// premise returns the assumption that a plan is made with, "runs differ by 1.5 %"; "" if runs show their noise.
func premise(c *verdict.Comparison) string {
	if !c.Assumed() || !(c.Floor > 0) {
		return ""
	}
	return "runs differ by " + Amount(c, c.Floor)
}

// ifRuns adds the premise to a plan, as a clause.
func ifRuns(c *verdict.Comparison) string {
	if text := premise(c); text != "" {
		return ", if " + text
	}
	return ""
}

// tipping says on which deviation between runs the change hangs, with a space in front; ""
// where no change that matters is seen, or the first line is about one within these runs.
func tipping(h *diff.Headline) string {
	c := &h.Of
	switch {
	case !c.Seen() || math.IsNaN(c.Tipping), c.Tipping == 0 && (h.Jump != nil || h.Growth != nil || h.Mean != nil):
		return ""
	case c.Tipping == 0 && c.Hosts > 0:
		return " Even if all runs on one host were alike this would not be beyond chance: hosts may differ by as much."
	case c.Tipping == 0:
		return " Even if all runs of this job were alike this would not be beyond chance: " +
			"the steps within these runs differ too much."
	}
	text := " It would be beyond chance only if runs of this job differ by less than " + deviation(c, c.Tipping)
	if verdict.LeavesOutZero(c) {
		text = " It could be chance only if this job's runs differ by " + deviation(c, c.Tipping) + " or more"
	}
	switch {
	case c.History > 0:
	case c.Runs == [2]int{1, 1}:
		text += "; repeats would tell"
	case c.Spread > c.Tipping:
		text += ", and they differ by more"
	}
	return text + "."
}

// deviation writes a standard deviation between runs; a share as roughly as it is known.
func deviation(c *verdict.Comparison, v float64) string {
	if !c.Relative && c.Metric.Unit != "ratio" {
		return number.ScaleOf(c.Metric.Unit, v).With(v)
	}
	digits := 2
	switch {
	case v >= 0.1:
		digits = 0
	case v >= 0.01:
		digits = 1
	}
	return strconv.FormatFloat(100*v, 'f', digits, 64) + percentUnit(c)
}
