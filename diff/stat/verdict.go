package stat

import "math"

// MaxRuns is where RunsNeeded stops counting: nobody records more runs.
const MaxRuns = 100

// equalAlpha is the error of each of the two one-sided tests for equality, whose interval
// is the two-sided one of 90 %. Two one-sided tests (Schuirmann 1987).
const equalAlpha = 0.05

// Limits are the borders of a verdict, on the scale of the effect.
type Limits struct {
	Alpha       float64 // two-sided error of the interval
	Threshold   float64 // smallest effect that matters
	Equivalence float64 // effects smaller than this count as equal
	Below       float64 // as Threshold of an effect below zero, where that is another size on the scale; 0: it is not
}

// InLogs converts limits of ratios, given as fractions, to a scale of logs, on which a fall by everything has no
// limit.
func (l Limits) InLogs() Limits {
	l.Below = math.Inf(1)
	if l.Threshold < 1 {
		l.Below = -math.Log1p(-l.Threshold)
	}
	l.Threshold, l.Equivalence = math.Log1p(l.Threshold), math.Log1p(l.Equivalence)
	return l
}

// least returns the smallest effect that matters on the side of an estimate.
func (l Limits) least(estimate float64) float64 {
	if estimate < 0 && l.Below > 0 {
		return l.Below
	}
	return l.Threshold
}

// Outcome is what an effect shows. The zero value: nothing.
type Outcome int

// The outcomes.
const (
	Unclear Outcome = iota
	Equal           // smaller than the equivalence limit either way
	Lower           // the candidate is lower, by at least the threshold
	Higher          // the candidate is higher, by at least the threshold
)

// Decide returns what e shows: higher or lower when the interval excludes zero and the estimate reaches the threshold;
// equal when the 90 % interval lies within the equivalence limit (two one-sided tests, Schuirmann 1987).
func Decide(e Effect, l Limits) Outcome {
	size := math.Abs(e.Estimate)
	switch {
	case size >= l.least(e.Estimate) && e.HalfWidth(l.Alpha) < size:
		if e.Estimate > 0 {
			return Higher
		}
		return Lower
	case size < l.Equivalence && e.HalfWidth(2*equalAlpha) < l.Equivalence-size:
		return Equal
	}
	return Unclear
}

// Detectable returns the smallest effect that e could have shown: one whose interval just excludes zero, and not less
// than the threshold. Half of the pairs with a true effect of that size show it; see Shown.
func Detectable(e Effect, l Limits) float64 { return e.border(l) }
