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

// tested sets the interval to that of a comparison as its test has it.
func (f *Finding) tested(c *verdict.Comparison) {
	f.Estimate, f.Lo, f.Hi, f.Relative = c.Estimate, c.Lo, c.Hi, c.Relative
}

// onMedians sets the interval to that of a comparison in the metric's unit. That of a ratio
// is put on the median of the larger side, so that the interval of the sides the other way
// round is the mirror image, and what a ratio does not know of a side that is next to
// nothing is next to nothing.
func (f *Finding) onMedians(c *verdict.Comparison) {
	if math.IsNaN(c.Lo) || math.IsNaN(c.Hi) {
		return
	}
	if !c.Relative || !(c.Base > 0) {
		f.tested(c)
		return
	}
	of := func(change float64) float64 { return change * c.Base }
	if c.LogScale && c.Cand > c.Base {
		of = func(change float64) float64 { return c.Cand * (1 - 1/(1+change)) }
	}
	f.Lo, f.Hi = of(c.Lo), of(c.Hi)
	if c.LogScale { // it ends where the smaller side would be nothing
		f.Lo, f.Hi = math.Max(f.Lo, -c.Base), math.Min(f.Hi, c.Cand)
	}
}
