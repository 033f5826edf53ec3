package verdict

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
)

// A comparison has three numbers for one change: that of the medians, which people read
// first; that of the means, which a job pays for and the waterfall adds up; and the
// estimate, which the test judges. Where they tell different stories all are shown, with
// the reason.

// setMeanApart says where the mean of a time changed by another amount than its median,
// with the reason; nothing where both tell one story. They do not where they differ by what matters in a step and by half of
// the larger change; a step's own where they differ by twice of what matters, too.
func (p *Judged) setMeanApart(c *Comparison, base, cand sides.Measured) {
	whole := c.Key == sides.StepTime || c.Metric.Name == run.HostStepTime
	if c.Metric.Unit != "s" || !ofStep(c) && !whole {
		return
	}
	mean := c.CandMean - c.BaseMean
	off := math.Abs(mean - c.Delta)
	apart := off >= math.Max(math.Abs(mean), math.Abs(c.Delta))/2 || whole && off >= 2*p.Least()
	if !(off >= p.Least()) || !apart {
		return
	}
	verb := "rose"
	switch {
	case math.Abs(mean) < p.Least()/2:
		verb = "hardly moved,"
	case mean < 0:
		verb = "fell"
	}
	sc := number.ScaleOf("s", math.Max(c.BaseMean, c.CandMean))
	c.MeanMoved = fmt.Sprintf("the mean %s from %s to %s", verb, sc.Format(c.BaseMean), sc.With(c.CandMean))
	c.MeanSince = whyMean(c, base, cand, whole)
}

// MeanOpposes reports whether mean and median moved against each other.
func (c *Comparison) MeanOpposes() bool {
	return c.MeanMoved != "" && c.Delta*(c.CandMean-c.BaseMean) < 0
}

// whyMean says what tells the means of a time from its medians: single steps, or single
// ranks, of the side that differs most.
func whyMean(c *Comparison, base, cand sides.Measured, whole bool) string {
	stepsB, stepsC := base.MeanOfSteps()-c.Base, cand.MeanOfSteps()-c.Cand
	ranksB, ranksC := c.BaseMean-c.Base-stepsB, c.CandMean-c.Cand-stepsC
	what, b, d := "step", stepsB, stepsC
	if math.Abs(ranksC-ranksB) > math.Abs(stepsC-stepsB) {
		what, b, d = "rank", ranksB, ranksC
	}
	side, more := "candidate", d > 0
	if math.Abs(b) > math.Abs(d) {
		side, more = "baseline", b > 0
	}
	does := map[bool]string{true: "have far more of it", false: "have far less of it"}
	if whole {
		does = map[bool]string{true: "take far longer", false: "take far less"}
	}
	return fmt.Sprintf("some %ss of the %s %s than its median %s", what, side, does[more], what)
}

// MediansAlone is by how much the two medians of a change that matters differ, where that
// reads otherwise than the estimate: " (−51.9 %)". Readers work it out.
func (p *Judged) MediansAlone(c *Comparison) string {
	if !p.sensitive(c) || !c.Relative || !(c.Base > 0) {
		return ""
	}
	f := number.PercentFor(c.Estimate, c.Lo, c.Hi)
	medians := f.Signed(c.Delta / c.Base)
	if medians == f.Signed(c.Estimate) {
		return ""
	}
	return " (" + Change(c, c.Delta/c.Base) + ")"
}

// outside is by which share of the threshold an estimate may lie outside of what medians
// and means changed by, before that is said. Chosen, not measured: half of what matters
// is what people ask about.
const outside = 0.5

// Changes are those of the medians and of the means, in the unit of the estimate.
func (c *Comparison) Changes() (medians, means float64) {
	if c.Relative {
		return c.Delta / c.Base, (c.CandMean - c.BaseMean) / c.BaseMean
	}
	return c.Delta, c.CandMean - c.BaseMean
}

// Beyond is by how much the estimate lies outside of what medians and means changed by.
func (c *Comparison) Beyond() float64 {
	medians, means := c.Changes()
	return math.Max(c.Estimate-math.Max(medians, means), math.Min(medians, means)-c.Estimate)
}

// FarOutside is from how many thresholds on that is said at once, and not only beside the row.
const FarOutside = 2

// setEstimateApart says why an estimate lies outside of what both the medians and the means
// changed by; nothing where it does not.
func (p *Judged) setEstimateApart(c *Comparison) {
	if p.Identical || !c.Metric.Main || c.Key.Part != "" || c.Metric.OfRun {
		return
	}
	if !(c.Beyond() > outside*c.Threshold) {
		return
	}
	c.EstimateWhy = "it compares stretches of steps, which differ over the run"
	if p.Plan.Paired {
		c.EstimateWhy = "it compares the same steps of both sides, whose changes differ over the run"
	}
}
