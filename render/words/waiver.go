package words

import (
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// letThrough says why a regression does not fail, with a space in front.
func letThrough(c *verdict.Comparison) string {
	switch {
	case c.Waiver == nil:
		return " The policy only warns of it."
	case c.Above() > 0:
		return " Let through: " + Waiver(c.Waiver) + "; by its estimate it is " + aboveWaiver(c) + ", which the interval does not show."
	}
	return " Let through: " + Waiver(c.Waiver) + "."
}

// aboveWaiver says by how much an estimate is above what the waiver lets through: "38.2
// points above the 7 % that its waiver lets through"; "" where it is not.
func aboveWaiver(c *verdict.Comparison) string {
	above := c.Above()
	if above == 0 {
		return ""
	}
	by := number.PercentFor(c.Estimate, c.Lo, c.Hi).Digits(above) + number.Space + Points
	if !c.Relative && c.Metric.Unit != "ratio" {
		by = number.ScaleOf(c.Metric.Unit, above).With(above)
	}
	return by + " above the " + Amount(c, c.UpTo) + " that its waiver lets through"
}
