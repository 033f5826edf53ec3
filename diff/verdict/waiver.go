package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// waive notes how much of a comparison a waiver lets through, in the unit of its effect. For a part of the step that
// is shown in seconds that is a share of the part or, where the baseline has none of it, a share of the step, in s.
func (c *Comparison) waive(w *policy.Waiver, step float64) {
	c.Waiver, c.UpTo = w, w.UpTo
	if c.Relative || c.Metric.Unit != "s" {
		return
	}
	whole := c.Base
	if !(whole > 0) {
		whole = step
	}
	if c.UpTo *= whole; math.IsNaN(c.UpTo) {
		c.UpTo = 0
	}
}

// worse returns a change in the bad direction as a positive number.
func (c *Comparison) worse(v float64) float64 {
	if c.Metric.Better == run.Higher {
		return -v
	}
	return v
}

// beyondWaiver returns the p-value of a change beyond what its waiver lets through; 1 where it is not beyond.
func (c *Comparison) beyondWaiver(t *Tested) float64 {
	allowed := c.worse(c.UpTo)
	if c.LogScale {
		allowed = math.Log1p(allowed)
	} else {
		allowed /= t.back(1)
	}
	e := t.Effect
	if e.Estimate -= allowed; !(c.worse(e.Estimate) > 0) {
		return 1
	}
	return e.P()
}

// surelyAbove reports whether the whole interval lies beyond what the waiver lets through.
func (c *Comparison) surelyAbove() bool {
	least := c.Lo
	if c.Metric.Better == run.Higher {
		least = -c.Hi
	}
	return c.Waiver != nil && c.Verdict == Regressed && least > c.UpTo
}

// passWaived takes what a waiver lets through out of the gate.
func (c *Comparison) passWaived() { c.Gating = c.Gating && (c.Waiver == nil || c.surelyAbove()) }

// Above returns by how much an estimate is above what the waiver lets through, in the unit of the estimate; 0 where it
// is not.
func (c *Comparison) Above() float64 {
	if c.Waiver == nil {
		return 0
	}
	return max(0, c.worse(c.Estimate)-c.UpTo)
}
