package cause

import (
	"math"

	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// NewFinding returns a finding of a kind, with no numbers set yet.
func NewFinding(k policy.Kind) Finding {
	nan := math.NaN()
	return Finding{Kind: k, Base: nan, Cand: nan, Delta: nan, Estimate: nan, Lo: nan, Hi: nan, EachSpike: nan}
}

// of sets the numbers to those that tables show of a comparison, without an interval.
func (f *Finding) of(c *verdict.Comparison) {
	f.Base, f.Cand = c.Shown()
	f.Delta, f.Unit, f.OfMeans = f.Cand-f.Base, c.Metric.Unit, f.Base != c.Base || f.Cand != c.Cand
}

// tested copies the tested change of a comparison, in the metric's unit, so that the finding has the number and the
// interval that the tables show.
func (f *Finding) tested(c *verdict.Comparison) {
	if math.IsNaN(c.Estimate) {
		return
	}
	x := c.Change().Amount()
	f.Estimate, f.Lo, f.Hi, f.Relative = x.Estimate, x.Lo, x.Hi, x.Relative
}

// Change returns the number of a finding, which is the difference that its sentence states, with the interval
// of the change as it was tested where the number lies in that.
func (f *Finding) Change() verdict.Change {
	out := verdict.Change{Estimate: f.Delta, Lo: f.Lo, Hi: f.Hi, Unit: f.Unit, Base: f.Base, Cand: f.Cand}
	if f.Relative || !(f.Lo <= f.Delta && f.Delta <= f.Hi) {
		out.Lo, out.Hi = math.NaN(), math.NaN()
	}
	return out
}
