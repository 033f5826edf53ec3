package number

import (
	"math"
	"strconv"
)

// Percent is a change as it is written: an estimate and its interval share
// one number of decimals, because a digit below the interval's width says
// nothing. The zero value writes whole per cent.
type Percent struct{ decimals int }

// PercentFor returns the format of an estimate with the interval [lo, hi], all fractions: without decimals if half the
// interval is at least one per cent and the estimate at least 20 %, with one decimal otherwise.
func PercentFor(estimate, lo, hi float64) Percent {
	if (hi-lo)/2 >= 0.01 && math.Abs(estimate) >= 0.195 {
		return Percent{0}
	}
	return Percent{1}
}

// Digits writes the fraction v in per cent, without the sign "%".
func (p Percent) Digits(v float64) string {
	if math.IsNaN(v) {
		return None
	}
	s := strconv.FormatFloat(math.Abs(v)*100, 'f', p.decimals, 64)
	whole, fraction := s, ""
	if p.decimals > 0 {
		cut := len(s) - p.decimals - 1
		whole, fraction = s[:cut], s[cut:]
	}
	s = group(whole) + fraction
	if v < 0 && !zero(s) {
		return Minus + s
	}
	return s
}

// Signed does what Digits does with a plus sign in front of positive numbers.
func (p Percent) Signed(v float64) string {
	s := p.Digits(v)
	if v > 0 && !zero(s) {
		return "+" + s
	}
	return s
}

func zero(s string) bool { return s == "0" || s == "0.0" }

// Share writes a measured fraction in per cent: "82.0 %".
func Share(v float64) string { return With(v*100, "%") }

// Setting writes a fraction that somebody chose, such as a threshold, in per
// cent without trailing zeros: "2 %", "1.5 %".
func Setting(v float64) string {
	rounded := math.Round(v*1e4) / 100
	return strconv.FormatFloat(rounded, 'f', -1, 64) + Space + "%"
}
