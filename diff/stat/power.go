package stat

import (
	"math"
	"sort"
)

// Power is the chance that plans aim at: a change of the stated size is found in four of five pairs. A plan for an
// interval that just leaves out zero would find it in one of two. It is what plans of experiments use by convention
// (Cohen 1988).
const Power = 0.8

// plannedNoise is the share of cases in which the noise is not above the noise that plans assume. Half of the time
// runs differ by more than they showed. Simulated, where they differ by 1, 2 and 4 %, three and five a side and ten
// past: what would have been shown is found in 78 to 88 % of pairs, and so many runs as are asked for decide 79 to 96.
const plannedNoise = 0.65

// planned returns the standard error that plans are made with: if runs showed their noise, its upper end, by the
// approximation of Wilson and Hilferty (1931) of a chi-square quantile; else the assumed one, which whoever states a
// plan has to name.
func (e Effect) planned() float64 {
	if e.Learned == 0 {
		return e.SE
	}
	of := 2 / (9 * e.DF)
	root := 1 - of + float64(normalQuantile(1-plannedNoise)*math.Sqrt(of))
	return e.SE / math.Sqrt(root*root*root)
}

// Shown returns the smallest effect that a pair with the noise of e shows with Power: in so many pairs the interval
// leaves out zero and the estimate reaches the threshold. Under a moderated t the distance of the estimate from the
// true effect, in standard errors, follows the t distribution of the interval (Smyth 2004), so it is the border of a
// verdict plus that quantile: (t(1-alpha/2) + t(Power)) SE.
func Shown(e Effect, l Limits) float64 {
	if e.Learned == 0 {
		return e.border(l) + float64(student(e.DF).Quantile(Power)*e.SE)
	}
	e.SE = e.planned()
	return e.border(l) + float64(normalQuantile(Power)*e.SE)
}

// border returns the size of an estimate from which on a change is a verdict.
func (e Effect) border(l Limits) float64 { return math.Max(e.HalfWidth(l.Alpha), l.Threshold) }

// chanceOfVerdict returns how often a pair with the noise of e has a verdict, of change or of
// equality, where the true effect is the estimate of e.
func (e Effect) chanceOfVerdict(l Limits) float64 {
	if e.SE == 0 {
		return map[bool]float64{true: 1}[Decide(e, l) != Unclear]
	}
	change := math.Max(e.border(l), l.least(e.Estimate))
	equal := math.Min(change, l.Equivalence-e.HalfWidth(2*equalAlpha))
	below := func(border float64) float64 { return student(e.DF).CDF((border - e.Estimate) / e.SE) }
	chance := below(-change) + 1 - below(change)
	if equal > 0 {
		chance += below(equal) - below(-equal)
	}
	return chance
}

// RunsNeeded returns how many runs a side give a verdict with Power, if the true effect is what it looks like and the
// noise between runs is what plans assume. MaxRuns means that many or more.
func RunsNeeded(e Effect, l Limits) int {
	scale := e.planned() / math.Sqrt(1/float64(e.NA)+1/float64(e.NB)) // of one run
	more := min(max(e.NA, e.NB)+1, MaxRuns)
	return more + sort.Search(MaxRuns-more, func(i int) bool {
		then := e.of(more + i)
		then.SE = scale * math.Sqrt(2/float64(more+i))
		return then.chanceOfVerdict(l) >= Power
	})
}

// of returns an effect of so many runs a side, with the standard error of e: more runs show more themselves and the
// floor counts for less, as in Moderated.
func (e Effect) of(runs int) Effect {
	now, then := float64(e.NA+e.NB-2), float64(2*runs-2)
	floor := float64((e.DF - e.Learned) / floorShare(now) * floorShare(then))
	e.Learned += then - now
	e.DF, e.NA, e.NB = floor+e.Learned, runs, runs
	return e
}
