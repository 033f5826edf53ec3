package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Power is the chance with which a change of the stated size is found, and with which as
// many runs as are planned decide.
const Power = stat.Power

// MaxRuns is the number of runs a side from which on a plan names no number any more.
const MaxRuns = stat.MaxRuns

// MinHistory is the least number of past runs that noise is learned from.
const MinHistory = stat.MinHistory

// Leaning is the direction of a change that is large enough to matter and not yet beyond
// chance. The estimate is at least the threshold, and the interval leaves out a change by
// the threshold the other way (or, of a gating metric, would leave out zero alone): that
// it went the other way is excluded, and only how far it went this way is open. Of numbers
// that runs print, which are many, it is one of those of which at most one in twenty is chance.
type Leaning int8

// The directions. The zero value: it points nowhere, or is decided.
const (
	LeansNowhere Leaning = iota
	LeansWorse
	LeansBetter
)

// Leans returns the direction of a comparison that is not decided.
func (c *Comparison) Leans() Leaning {
	switch {
	case !c.DoesLean():
		return LeansNowhere
	case c.Better():
		return LeansBetter
	}
	return LeansWorse
}

// DoesLean reports whether an inconclusive change points one way: among fewer metrics it would
// be decided, or with more runs, and its interval leaves out a change of the threshold the
// other way.
func (c *Comparison) DoesLean() bool {
	if c.Verdict != Inconclusive || c.Metric.Better == run.Neither || math.IsNaN(c.Lo) {
		return false
	}
	if c.Metric.OfResult { // of many some point one way by chance
		return (c.Reason == ReasonManyMetrics || c.Reason == ReasonNeedsRuns) && !c.Assumed() && !c.TooSlight
	}
	back := -c.Threshold // the same change the other way round
	if c.LogScale {
		back = 1/(1+c.Threshold) - 1
	}
	switch {
	case c.Reason == ReasonManyMetrics:
		return true
	case c.Reason != ReasonNeedsRuns:
		return false
	case c.Estimate > 0:
		return c.Lo > back
	}
	return c.Hi < c.Threshold
}

// OfSteps reports whether people say slower and faster of a metric.
func (c *Comparison) OfSteps() bool {
	return c.Key == sides.StepTime || c.Key.Metric == run.HostStepTime || c.Key.Metric == run.StepTimeMean
}

// OfStepItself reports whether a comparison is of the time of the step on the device, by its median or
// its mean, or of its growth over a run.
func (c *Comparison) OfStepItself() bool {
	return slices.Contains(ofStepItself, c.Key.Metric) && c.Key.Part == ""
}

// Better reports whether the estimate points to the better side.
func (c *Comparison) Better() bool {
	return (c.Estimate < 0) == (c.Metric.Better == run.Lower)
}

// AsksForRuns reports whether the policy asks for three runs a side, whatever a plan says.
func (p *Terms) AsksForRuns() bool {
	return p.Policy.Escalate && min(len(p.Base.Runs), len(p.Cand.Runs)) < EnoughRuns
}

// setShown fills in what a comparison could have shown.
func (c *Comparison) setShown(t Tested) {
	worse := 1.0
	if c.Metric.Better == run.Higher {
		worse = -1
	}
	c.Detectable = Settled(t.back(stat.Detectable(t.Effect, t.Limits)))
	c.Detectable80 = Settled(math.Abs(t.back(worse * stat.Shown(t.Effect, t.Limits))))
}
