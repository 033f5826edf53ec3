package cause

import (
	"math"
	"slices"

	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// QuantilePoint is a quantile of the used steps of both sides, medians over ranks.
type QuantilePoint struct {
	Percent int     `report:"percent"`
	Base    float64 `report:"step.baseline"` // s; NaN without steps
	Cand    float64 `report:"step.candidate"`
}

// percents are the quantiles that a report states.
var percents = []int{0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100}

// Percents returns the quantiles that a report states, in order.
func Percents() []int { return slices.Clone(percents) }

// Quantiles returns the quantiles of the used steps of both sides.
func Quantiles(steps []StepPoint) []QuantilePoint {
	var base, cand []float64
	for _, s := range steps {
		if !s.Omission.Omitted() {
			base, cand = append(base, s.Base.Median), append(cand, s.Cand.Median)
		}
	}
	base, cand = stat.Known(base), stat.Known(cand)
	if len(base) == 0 || len(cand) == 0 {
		return nil
	}
	out := make([]QuantilePoint, len(percents))
	for i, q := range percents {
		at := float64(q) / 100
		out[i] = QuantilePoint{q, verdict.Settled(stat.Quantile(base, at)), verdict.Settled(stat.Quantile(cand, at))}
	}
	return out
}

// LeastSaving is the share of the candidate's step from which on a bound is worth naming as what to look at next.
// Chosen, not measured: a finding must be as large, see leastFinding.
const LeastSaving = 0.01

// NextBottleneck returns the bound that would save most of the candidate's step; 0 where none
// would save enough. The last, no idle time at all, holds others and does not count.
func NextBottleneck(bounds []Bound) int {
	best := 0
	for i := 1; i < len(bounds)-1; i++ {
		if !math.IsNaN(bounds[i].Cand) && (best == 0 || bounds[i].Cand < bounds[best].Cand) {
			best = i
		}
	}
	if best == 0 || !(bounds[0].Cand-bounds[best].Cand >= LeastSaving*bounds[0].Cand) {
		return 0
	}
	return best
}
