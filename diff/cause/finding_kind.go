package cause

import (
	"math"

	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// NewFinding is one of a kind of which no number is known yet.
func NewFinding(k policy.Kind) Finding {
	nan := math.NaN()
	return Finding{Kind: k, Base: nan, Cand: nan, Delta: nan, Estimate: nan, Lo: nan, Hi: nan, EachSpike: nan}
}

// of sets the numbers to those of a comparison, without an interval.
func (f *Finding) of(c *verdict.Comparison) {
	f.Base, f.Cand, f.Delta, f.Unit = c.Base, c.Cand, c.Delta, c.Metric.Unit
}

// tested sets the change to that of a comparison, in the metric's unit, so that a finding about a
// metric has the number and the interval that the tables have of it.
func (f *Finding) tested(c *verdict.Comparison) {
	if math.IsNaN(c.Estimate) {
		return
	}
	x := c.Change().Amount()
	f.Estimate, f.Lo, f.Hi, f.Relative = x.Estimate, x.Lo, x.Hi, x.Relative
}

// Change is the number of a finding, which is the difference that its sentence states, with the interval
// of the change as it was tested where the number lies in that.
func (f *Finding) Change() verdict.Change {
	out := verdict.Change{Estimate: f.Delta, Lo: f.Lo, Hi: f.Hi, Unit: f.Unit, Base: f.Base, Cand: f.Cand}
	if f.Relative || !(f.Lo <= f.Delta && f.Delta <= f.Hi) {
		out.Lo, out.Hi = math.NaN(), math.NaN()
	}
	return out
}
