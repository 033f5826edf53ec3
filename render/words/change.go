package words

import (
	"math"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Points is the unit of differences of shares: percentage points.
const Points = "points"

// Change returns a change as every output writes it: with its sign, its unit, and the interval in the
// same unit, which it does not repeat. "" where something is not known.
func Change(x verdict.Change) (digits, unit, interval string) {
	if math.IsNaN(x.Estimate) {
		return "", "", ""
	}
	signed, unit := changeFormat(x)
	if !math.IsNaN(x.Lo) && !math.IsNaN(x.Hi) {
		interval = signed(x.Lo) + " to " + signed(x.Hi)
	}
	return signed(x.Estimate), unit, interval
}

func withUnit(s, unit string) string {
	switch {
	case s == "":
		return number.None
	case unit == "":
		return s
	}
	return s + number.Space + unit
}

// changeFormat returns the format of a change and its interval: one scale for all, that of the values shown with them.
func changeFormat(x verdict.Change) (signed func(float64) string, unit string) {
	switch {
	case x.Relative:
		return number.PercentFor(x.Estimate, x.Lo, x.Hi).Signed, "%"
	case x.Unit == "ratio":
		lo, hi := x.Lo, x.Hi
		if math.IsNaN(lo) || math.IsNaN(hi) {
			lo, hi = 0, 0
		}
		return number.PercentFor(x.Estimate, lo, hi).Signed, Points
	}
	most := 0.0
	for _, v := range []float64{x.Base, x.Cand, x.Estimate, x.Lo, x.Hi} {
		if math.Abs(v) > most { // NaN is not larger
			most = math.Abs(v)
		}
	}
	sc := number.ScaleOf(x.Unit, most)
	return sc.Signed, sc.Name
}
