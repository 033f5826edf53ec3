package stat

import "math"

// Within returns the effect between these very runs: its noise is what the steps of each run differ by, and it says
// nothing about what another run would measure (Kalibera and Jones 2013 keep the two levels apart in the same way). It
// is wider where batches follow each other, as the variance of a mean of an AR(1) is. SE is 0 where the steps do not
// differ.
func Within(s Sides) Effect {
	na, nb := len(s.Base), len(s.Cand)
	return Effect{
		Estimate: Mean(s.Cand) - Mean(s.Base),
		SE:       math.Sqrt(s.Variance * (1/float64(na) + 1/float64(nb)) * (1 + s.Follow) / (1 - s.Follow)),
		DF:       s.DF, NA: na, NB: nb,
	}
}

// Tipping returns the standard deviation between runs up to which an effect is beyond chance: of(sd) is the effect if
// runs differ by sd, and the result is the largest sd with which its interval of error alpha still leaves out zero; 0
// where none does. It assumes nothing about what runs differ by, and says which assumption the verdict hangs on (a
// sensitivity analysis, as in Rosenbaum 2002 and VanderWeele and Ding 2017). With a normal instead of the t
// distribution, runs a side and variance v of an effect within them it would be sqrt(runs/2 ((estimate/1.96)^2 - v)).
//
// It searches from above: with a little noise between runs, about which more is known than about the noise within, the
// interval may be narrower than with none.
func Tipping(of func(sd float64) Effect, alpha float64) float64 {
	size := math.Abs(of(0).Estimate)
	beyond := func(sd float64) bool { return of(sd).P() < alpha } // as if the interval left out zero, at a tenth of its cost
	if size == 0 {
		return 0
	}
	above := size
	for beyond(above) {
		above *= 2
	}
	below := above
	for !beyond(below) {
		if above, below = below, below*tippingStep; below < size*leastTipping {
			return 0
		}
	}
	for range 60 {
		if middle := (below + above) / 2; beyond(middle) {
			below = middle
		} else {
			above = middle
		}
	}
	return below
}

// The search goes down by this factor, to this part of the effect. Chosen, not measured: they are how fast and how far
// is searched; the answer is then found by halving.
const (
	tippingStep  = 0.8
	leastTipping = 1e-3
)
