package verdict

import "math"

// Change is by how much a quantity changed. It is made once, and every output writes this one.
type Change struct {
	Estimate, Lo, Hi float64 // in Unit, of Relative fractions of the baseline; NaN: not known
	Relative         bool
	Unit             string  // of the quantity: "s", "ratio"
	Base, Cand       float64 // the two values that it is between, in Unit
}

// Change returns the change of the comparison: as tested, or of its medians where nothing was tested.
func (c *Comparison) Change() Change {
	out := Change{Estimate: c.Estimate, Lo: c.Lo, Hi: c.Hi, Relative: c.Relative, Unit: c.Metric.Unit, Base: c.Base, Cand: c.Cand}
	if math.IsNaN(c.Estimate) {
		out.Estimate, out.Lo, out.Hi, out.Relative = c.Delta, math.NaN(), math.NaN(), false
	}
	return out
}

// Amount returns the same change in its unit: a fraction becomes this much of the baseline, so that it agrees with
// what a reader gets by multiplying.
func (x Change) Amount() Change {
	if !x.Relative || !(x.Base > 0) {
		return x
	}
	of := func(fraction float64) float64 { return Settled(fraction * x.Base) }
	x.Estimate, x.Lo, x.Hi, x.Relative = of(x.Estimate), of(x.Lo), of(x.Hi), false
	return x
}
