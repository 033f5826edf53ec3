package stat

// MaxRuns is where RunsNeeded stops counting: nobody records more runs.
const MaxRuns = 100

// equalAlpha is the error of each of the two one-sided tests for equality,
// whose interval is the two-sided one of 90 %.
const equalAlpha = 0.05

// Limits are the borders of a verdict, on the scale of the effect.
type Limits struct {
	Alpha       float64 // two-sided error of the interval
	Threshold   float64 // smallest effect that matters
	Equivalence float64 // effects smaller than this count as equal
}

// Outcome is what an effect shows. The zero value is that it shows nothing.
type Outcome int

// The outcomes.
const (
	Unclear Outcome = iota
	Equal           // smaller than the equivalence limit either way
	Lower           // the candidate is lower, by at least the threshold
	Higher          // the candidate is higher, by at least the threshold
)

// Decide is what e shows: higher or lower when the interval excludes zero and
// the estimate reaches the threshold; equal when the 90 % interval lies within
// the equivalence limit (two one-sided tests, Schuirmann 1987).
func Decide(e Effect, l Limits) Outcome {
	half := e.HalfWidth(l.Alpha)
	equal := e.HalfWidth(2 * equalAlpha)
	switch {
	case e.Estimate-half > 0 && e.Estimate >= l.Threshold:
		return Higher
	case e.Estimate+half < 0 && e.Estimate <= -l.Threshold:
		return Lower
	case e.Estimate-equal > -l.Equivalence && e.Estimate+equal < l.Equivalence:
		return Equal
	}
	return Unclear
}

// Detectable is the smallest effect that e could have shown: one whose
// interval just excludes zero, and not less than the threshold. Half of the pairs with a
// true effect of that size show it; see Shown.
func Detectable(e Effect, l Limits) float64 { return e.border(l) }
