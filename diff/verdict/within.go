package verdict

import (
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// With one run a side two things are known apart: what tells these very runs apart, which
// is nearly certain, and what runs of the job differ by, which is assumed. The first is an
// interval within the runs; of the second the tipping point says how large it may be.

// setWithin fills in the interval within the runs of what was tested, at the policy's error.
// A few batches know little of their own noise, which the test takes into account with
// what it knows of runs: what is certain of runs is certain of these.
func (c *Comparison) setWithin(s stat.Sides, t Tested, alpha float64) {
	e := stat.Within(s)
	half := math.Min(e.HalfWidth(alpha), t.HalfWidth(alpha))
	c.WithinLo, c.WithinHi = t.back(e.Estimate-half), t.back(e.Estimate+half)
	if c.Relative {
		c.WithinLo, c.WithinHi = math.Max(c.WithinLo, -1), math.Max(c.WithinHi, -1)
	}
	c.WithinLo, c.WithinHi = Settled(c.WithinLo), Settled(c.WithinHi)
}

// setTipping fills in up to which deviation between runs the interval of a main metric at a
// level would leave out zero.
func (p *Judged) setTipping(c *Comparison, t Tested, level float64) {
	if of := p.between[c.Key]; of != nil && c.Metric.Main && c.Key.Part == "" {
		c.Tipping = Settled(t.deviation(stat.Tipping(of, level)))
	}
}

// WithinRuns says what is known of these very runs: "Within these two runs steps took 7.9 %
// longer (+7.1 to +8.8 %). "; "" where no change that matters is seen in them.
func (p *Judged) WithinRuns(c *Comparison) string {
	if !p.sensitive(c) || math.IsNaN(c.WithinLo) || !(c.WithinLo > 0 || c.WithinHi < 0) {
		return ""
	}
	runs := "Within these " + number.Word(c.Runs[0]+c.Runs[1]) + " runs "
	if !c.Relative || !c.OfSteps() {
		inside := *c
		inside.Lo, inside.Hi = c.WithinLo, c.WithinHi
		return runs + Within(c) + " changed by " + Change(c, c.Estimate) + " (" + Interval(&inside) + "). "
	}
	f := number.PercentFor(c.Estimate, c.Lo, c.Hi) // as the headline
	steps := "steps"
	switch {
	case p.MediansAlone(c) == "":
	case p.Like != nil:
		steps = "steps of like load"
	case p.Plan.Paired:
		steps = "the same steps"
	}
	return runs + steps + " took " + f.Digits(math.Abs(c.Estimate)) + number.Space + "% " + LongerOrLess(c.Estimate) +
		" (" + f.Signed(c.WithinLo) + " to " + f.Signed(c.WithinHi) + number.Space + "%). "
}

// Tipping says on which deviation between runs the change hangs, as a sentence with a space
// in front; "" where no change that matters is seen.
func (p *Judged) Tipping(c *Comparison) string {
	if !p.sensitive(c) || math.IsNaN(c.Tipping) {
		return ""
	}
	if c.Tipping == 0 {
		return " Even if all runs of this job were alike this would not be beyond chance: " +
			"the steps within these runs differ too much."
	}
	text := " Beyond chance if runs of this job differ by less than " + deviation(c, c.Tipping)
	switch {
	case c.History > 0:
	case c.Runs == [2]int{1, 1}:
		text += "; history or repeats would tell"
	default:
		text += "; history would tell"
	}
	return text + "."
}

// sensitive reports whether a change that matters was seen, so that it is worth a word on
// what it hangs.
func (p *Judged) sensitive(c *Comparison) bool {
	seen := []string{ReasonDecided, ReasonNeedsRuns, ReasonManyMetrics, ReasonTooFewSteps}
	matters := math.Abs(c.Estimate) >= c.Threshold && c.Metric.Better != run.Neither
	return !p.Identical && matters && slices.Contains(seen, c.Reason)
}

// deviation writes a standard deviation between runs; a share as roughly as it is known.
func deviation(c *Comparison, v float64) string {
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
