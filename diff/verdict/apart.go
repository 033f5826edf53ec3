package verdict

import (
	"math"

	"perfdiff/diff/sides"
)

// A comparison has three numbers for one change: that of the medians, which people read
// first; that of the means, which a job pays for and the waterfall adds up; and the
// estimate, which the test judges. Where they tell different stories all are shown, with
// the reason.

// setMeanApart notes where the mean of a time changed by another amount than its median, with the reason. They tell
// one story unless they differ by what matters in a step and by half of the larger change; for the step itself, also
// by twice of what matters.
func (p *Terms) setMeanApart(c *Comparison, base, cand sides.Measured) {
	whole := c.OfSteps()
	if c.Metric.Unit != "s" || !ofStep(c) && !whole {
		return
	}
	mean := c.CandMean - c.BaseMean
	off := math.Abs(mean - c.Delta)
	apart := off >= math.Max(math.Abs(mean), math.Abs(c.Delta))/2 || whole && off >= 2*p.Least()
	if !(off >= p.Least()) || !apart {
		return
	}
	c.MeanApart = meanApart(c, base, cand)
	switch {
	case math.Abs(mean) < p.Least()/2:
		c.MeanApart.Moved = HardlyMoved
	case mean < 0:
		c.MeanApart.Moved = Fell
	}
}

// MeanApart is how the mean of a time moved, and what makes it move otherwise than its median. The
// zero value: it does not.
type MeanApart struct {
	Moved Movement
	Of    Single // whose values far from the median make it
	Side  string // that differs most
	More  bool   // they have more of it than the median one; else less
}

// Is reports whether mean and median tell two stories.
func (m *MeanApart) Is() bool { return m.Moved != "" }

// Movement is the direction in which a mean moved.
type Movement string

// The movements.
const (
	Rose        Movement = "rose"
	Fell        Movement = "fell"
	HardlyMoved Movement = "hardly-moved"
)

// Single says what a few single values are: steps, ranks or runs.
type Single string

// What single values are of.
const (
	SingleSteps Single = "steps"
	SingleRanks Single = "ranks"
	SingleRuns  Single = "runs"
)

// MeanOpposes reports whether mean and median moved against each other.
func (c *Comparison) MeanOpposes() bool {
	return c.MeanApart.Is() && c.Delta*(c.CandMean-c.BaseMean) < 0
}

// meanApart says why the means of a time differ from its medians: single steps, single runs or single ranks, on the
// side where they differ most.
func meanApart(c *Comparison, base, cand sides.Measured) MeanApart {
	runsB, runsC := base.MeanOfRuns()-c.Base, cand.MeanOfRuns()-c.Cand
	stepsB, stepsC := base.MeanOfSteps()-c.Base-runsB, cand.MeanOfSteps()-c.Cand-runsC
	ranksB, ranksC := c.BaseMean-c.Base-stepsB-runsB, c.CandMean-c.Cand-stepsC-runsC
	of, b, d := SingleSteps, stepsB, stepsC
	if math.Abs(runsC-runsB) > math.Abs(d-b) {
		of, b, d = SingleRuns, runsB, runsC
	}
	if math.Abs(ranksC-ranksB) > math.Abs(d-b) {
		of, b, d = SingleRanks, ranksB, ranksC
	}
	if math.Abs(b) > math.Abs(d) {
		return MeanApart{Rose, of, "baseline", b > 0}
	}
	return MeanApart{Rose, of, "candidate", d > 0}
}

// maxOutside is by which share of the threshold an estimate may lie outside of the changes of medians and means before
// the report says so. Chosen, not measured: half of what matters is what people ask about.
const maxOutside = 0.5

// Changes returns the change of the medians and of the means, in the unit of the estimate.
func (c *Comparison) Changes() (medians, means float64) {
	if c.Relative {
		return c.Delta / c.Base, (c.CandMean - c.BaseMean) / c.BaseMean
	}
	return c.Delta, c.CandMean - c.BaseMean
}

// OutsideBy returns how far the estimate lies outside of the range between the changes of medians and means.
func (c *Comparison) OutsideBy() float64 {
	medians, means := c.Changes()
	return math.Max(c.Estimate-math.Max(medians, means), math.Min(medians, means)-c.Estimate)
}

// FarOutside is how many thresholds outside an estimate must lie for the report to say so at the top, and not only
// next to the row.
const FarOutside = 2

// setEstimateApart notes where an estimate lies outside of the changes of both medians and means: it compares step by
// step, and the changes differ over the run.
func (p *Terms) setEstimateApart(c *Comparison) {
	if p.Identical || !c.Metric.Main || c.Key.Part != "" || c.Metric.OfRun {
		return
	}
	c.EstimateApart = c.OutsideBy() > maxOutside*c.Threshold
}

// Shown returns the values that tables and findings show: means over runs, ranks and steps, which are what a job pays
// and whose parts add up. Of engine steps, which differ from run to run, they are over loads alike on both sides.
func (c *Comparison) Shown() (base, cand float64) {
	if c.Context != nil && c.Context.ByLoad || math.IsNaN(c.BaseMean) != math.IsNaN(c.Base) || math.IsNaN(c.CandMean) != math.IsNaN(c.Cand) {
		return c.Base, c.Cand
	}
	return c.BaseMean, c.CandMean
}
