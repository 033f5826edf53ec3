package stat

import (
	"math"
)

// MinHistory is how many past runs must be there for noise to be learned from them.
// Simulated: with five, and the prior below, unchanged pairs fail as often as is asked
// for (golden/rates.txt, history 5); with fewer a variance is hardly known.
const MinHistory = 5

// minSplit is from how many past runs on a change of level among them is believed: five
// runs on two kinds of nodes look like one, and the interval then missed in 16 % of pairs
// (simulated).
const minSplit = 8

// pastPrior is how many degrees of freedom the declared floor keeps when there are past runs. A few runs on one quiet
// node say little about the pair at hand, which may be elsewhere. Simulated: with 2, ten past runs failed 4.7 and 4.2 %
// of unchanged pairs where runs differ by 2 and 4 %, with 1 they fail 4.2 and 3.5 %.
const pastPrior = 1

// Past is what repeats of one configuration differ by: the noise between runs, measured and not assumed.
type Past struct {
	Variance float64 // between the scalars of runs
	DF       float64 // degrees of freedom of Variance
	Runs     int
	Base     bool // the runs of the baseline are among them
}

// Known reports whether enough runs were used.
func (p Past) Known() bool { return p.Runs >= MinHistory && p.DF > 0 }

// Learn returns the noise of scalars of past runs, in the order in which they were recorded: their spread about the
// mean or, if the level changed among them for good, about the two means. A real change in the history would otherwise
// be taken for noise and hide all smaller changes. For this a change is believed sooner than for reporting it, and
// also if only the first or the last run differs: with an error of 1 % and two runs at least, one changed run of ten
// cost half of the power (a rise by 5 % found in 30 % of pairs instead of 71 %, simulated).
//
// The noise of differences of neighbours (von Neumann 1941) was measured as well. It needs no decision, but has only 6
// degrees of freedom of ten runs, which costs more power where nothing changed than it gains where something did.
func Learn(scalars []float64) Past {
	k := len(scalars)
	p := LearnSpread(scalars)
	if _, within, ok := split(scalars, 1, 0.05); ok && k >= minSplit {
		// One degree of freedom for each mean, and one for having looked.
		p.Variance, p.DF = within/float64(k-2), float64(k-3)
	}
	return p
}

// split finds where a series changes its level for good: at is the first value after the change, within the sum of
// squares about the two means. It is the split with the largest F statistic (Worsley 1979), and is significant with
// error alpha over all splits. Each part has at least so many values.
func split(v []float64, least int, alpha float64) (at int, within float64, ok bool) {
	k := len(v)
	if k < MinHistory {
		return 0, 0, false
	}
	middle := Mean(v)
	total := squares(v, middle)
	if total <= float64(k)*rounding*middle*middle {
		return 0, 0, false // equal values, but for the last bit of their mean
	}
	best := math.Inf(1)
	for i := least; i <= k-least; i++ {
		if w := squares(v[:i], Mean(v[:i])) + squares(v[i:], Mean(v[i:])); w < best {
			at, best = i, w
		}
	}
	if best <= 0 {
		return at, best, true
	}
	f := (total - best) / (best / float64(k-2))
	if !(f > 0) {
		return at, best, false
	}
	p := float64(k+1-2*least) * fAbove(f, 1, float64(k-2))
	return at, best, p < alpha
}

// rounding is the square of a rounding error relative to that of the value, with room. By definition of a float64,
// whose error is 1e-16.
const rounding = 1e-28

// LearnSpread does what Learn does for past runs on one level.
func LearnSpread(scalars []float64) Past {
	k := len(scalars)
	if k < 2 {
		return Past{Runs: k}
	}
	return Past{Variance: squares(scalars, Mean(scalars)) / float64(k-1), DF: float64(k - 1), Runs: k}
}

// PastScalars returns the scalars of past runs: rows over the same steps less their usual curve, as Paired does for
// two sides, else each row by itself.
func PastScalars(rows [][]float64, paired bool) []float64 {
	if len(rows) == 0 {
		return nil
	}
	if paired {
		rows = less(rows, usualCurve(rows))
	}
	out := make([]float64, len(rows))
	for i, x := range rows {
		out[i] = RunScalar(x, Batches(len(x))).Value
	}
	return out
}

// AboutMeans returns the noise of scalars that are each less the mean of their own group, for so many groups.
func (p Past) AboutMeans(groups int) Past {
	df := float64(p.Runs - groups)
	p.Variance, p.DF = float64(p.Variance*p.DF)/df, df
	return p
}

// Moderated combines past runs with a declared floor, a standard deviation: s2 = (d0 floor2 + d s2) / (d0 + d), as in
// Smyth 2004.
func (p Past) Moderated(floor float64) Past {
	p.Variance = (float64(pastPrior*floor*floor) + float64(p.DF*p.Variance)) / (pastPrior + p.DF)
	p.DF += pastPrior
	return p
}

// Learned returns the effect under the noise of past runs. The spread between the runs of a side is added to it,
// except for a baseline that is among them, and it is never below what the pair shows within its own runs.
//
// The mean of such a baseline counts as that of half as many runs. Its level may have moved by less than any test
// sees, and the runs were chosen for being on it: without, 3.7 % of unchanged candidates failed where runs differ by 2
// %, with it 3.1 % (simulated).
func Learned(s Sides, past Past) Effect {
	na, nb := len(s.Base), len(s.Cand)
	baseMean, candMean := Mean(s.Base), Mean(s.Cand)
	spread, between := squares(s.Cand, candMean), nb-1
	if !past.Base {
		spread, between = spread+squares(s.Base, baseMean), between+na-1
	}
	df, share := past.DF+float64(between), 1/float64(na)
	if past.Base {
		share = math.Min(1, 2*share)
	}
	variance := (float64(past.Variance*past.DF) + spread) / df
	if s.Variance > variance {
		variance, df = s.Variance, s.DF
	}
	return Effect{
		Estimate: candMean - baseMean,
		SE:       math.Sqrt(variance * (share + 1/float64(nb))),
		DF:       df, Learned: df, NA: na, NB: nb,
	}
}
