package stat

import (
	"cmp"
	"math"
	"slices"
)

// P returns the two-sided p-value of the effect being zero.
func (e Effect) P() float64 {
	if e.SE == 0 {
		if e.Estimate == 0 {
			return 1
		}
		return 0
	}
	t := math.Abs(e.Estimate / e.SE)
	return math.Min(1, 2*student(e.DF).Survival(t))
}

// Holm tells which of several p-values are significant when the chance of even one false claim is to stay below alpha,
// and the level that applied to each. Each gets a share of alpha: its weight divided by the weights of all that are
// not significant before it (Holm 1979, with the weights of Benjamini and Hochberg 1997). Weights are positive.
func Holm(p, weights []float64, alpha float64) (significant []bool, levels []float64) {
	significant, levels = make([]bool, len(p)), make([]float64, len(p))
	weighted, left := make([]float64, len(p)), 0.0
	for i := range p {
		weighted[i] = p[i] / weights[i]
		left += weights[i]
	}
	stopped := false
	for _, at := range ordered(weighted) {
		levels[at] = alpha * math.Min(1, weights[at]/left) // of the last one alone it may be 1 but for rounding
		if stopped = stopped || !(p[at] <= levels[at]); !stopped {
			significant[at] = true
			left -= weights[at]
		}
	}
	return significant, levels
}

// FalseDiscoveries returns the p-values adjusted so that, if all of at most q are claimed, a share q of the claims is
// false (Benjamini and Hochberg 1995).
func FalseDiscoveries(p []float64) []float64 {
	out := make([]float64, len(p))
	order, least := ordered(p), 1.0
	for i := len(order) - 1; i >= 0; i-- {
		least = math.Min(least, p[order[i]]*float64(len(p))/float64(i+1))
		out[order[i]] = least
	}
	return out
}

// ordered returns the places of p from the smallest value up, what is no number
// last.
func ordered(p []float64) []int {
	at := make([]int, len(p))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return -cmp.Compare(-p[a], -p[b]) })
	return at
}
