package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// With one run a side two things are known separately: what these very runs differ by, which
// is nearly certain, and what runs of the job differ by, which is assumed. The first is an
// interval within the runs; of the second the tipping point says how large it may be.

// setWithin fills in the interval within the runs for what was tested, at the policy's error. A few batches say little
// about their own noise, but the test also uses what it knows of runs: what is certain for runs in general is certain
// for these.
func (c *Comparison) setWithin(s stat.Sides, t Tested, alpha float64) {
	if c.Wanders = s.Wanders(); c.Wanders {
		return
	}
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
func (c *Comparison) setTipping(x *proof, level float64) {
	if c.Metric.Main && c.Key.Part == "" {
		c.Tipping = Settled(x.test.deviation(stat.Tipping(x.between, level)))
	}
}

// RunsDifferMore reports whether the runs of a side differ by more than the two sides do, and by more than what
// matters, so that this leaves the change open.
func (c *Comparison) RunsDifferMore() bool {
	return c.Verdict == Inconclusive && c.Spread > math.Abs(c.Estimate) && c.Spread >= c.Threshold && c.Error > 0
}

// Assumed reports whether the noise between runs is only assumed: no runs show it.
func (c *Comparison) Assumed() bool { return c.History == 0 && max(c.Runs[0], c.Runs[1]) < 2 }

// Seen reports whether a change that matters was seen, so that it is worth saying what the verdict hangs on.
func (c *Comparison) Seen() bool {
	seen := []string{ReasonDecided, ReasonNeedsRuns, ReasonManyMetrics, ReasonTooFewSteps}
	matters := math.Abs(c.Estimate) >= c.Threshold && c.Metric.Better != run.Neither
	return matters && slices.Contains(seen, c.Reason)
}
