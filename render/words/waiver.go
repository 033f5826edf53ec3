package words

import "perfdiff/diff/verdict"

// letThrough is what becomes of a regression that does not fail, with a space in front.
func letThrough(c *verdict.Comparison) string {
	switch {
	case c.Waiver == nil:
		return " The policy only warns of it."
	case c.Above() > 0:
		return " Let through: " + Waiver(c.Waiver) + "; by its estimate it is " + c.AboveWaiver() + ", which the interval does not show."
	}
	return " Let through: " + Waiver(c.Waiver) + "."
}
