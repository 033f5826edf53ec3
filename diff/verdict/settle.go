package verdict

import (
	"math"
	"strconv"
)

// digits is how many significant digits the results of tests keep. Exponentials,
// powers and quantiles of t differ in their last bits from one kind of processor
// to another, and the same inputs must give the same bytes on all; nobody reads
// a tenth digit.
const digits = 9

// chanceDigits is how many digits probabilities keep, which are less exact.
const chanceDigits = 5

// Settled returns v with so many digits.
func Settled(v float64) float64 { return rounded(v, digits) }

// Chance returns a probability with as many digits as all processors agree in.
func Chance(p float64) float64 { return rounded(p, chanceDigits) }

func rounded(v float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return v
	}
	return out
}

// settle rounds the results of the test.
func (c *Comparison) settle() {
	for _, v := range []*float64{&c.Estimate, &c.Lo, &c.Hi, &c.Threshold, &c.Floor, &c.Hosts, &c.Spread, &c.Detectable, &c.Detectable80} {
		*v = Settled(*v)
	}
	c.P = Chance(c.P)
}
