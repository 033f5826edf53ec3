package stat

import (
	"math"
	"slices"
)

// What a run is like beside its level: whether it drifts, jumps or jitters.

// driftBatches returns how many batch medians a drift is drawn through: as many as
// there are for the verdict, or ten where the run is long.
func driftBatches(n int) int {
	if n >= 60 {
		return 10
	}
	return Batches(n)
}

// MinDrift is the fewest steps through which a drift is drawn. Chosen, not measured: few steps are cut into four
// batches, each has three of them, and one of these may be a spike. The rates of the drift were simulated with 100
// steps (TestDriftRates).
const MinDrift = 12

// Drift returns how much a run rises from its first to its last step, by the Theil-Sen line through its batch medians,
// on the scale of x (a fraction for logs). Variance is that of a least-squares slope with the batches' distances from
// the line.
func Drift(x []float64) Scalar {
	k := driftBatches(len(x))
	medians := BatchMedians(x, k)
	at := make([]float64, k)
	for i := range at {
		at[i] = (float64(i) + 0.5) / float64(k) // share of the run
	}
	line := TheilSen(at, medians)
	rest, spread := 0.0, 0.0
	for i, m := range medians {
		d := m - line.at(at[i])
		rest += float64(d * d)
		spread += float64((at[i] - 0.5) * (at[i] - 0.5))
	}
	return Scalar{line.Slope, rest / float64(k-2) / spread}
}

// What makes steps spikes. Simulated: with the counts of events that they give, with a history unchanged pairs fail in
// at most 2.6 %, where bootstraps of p99 fail in 8 to 18 % (100 to 200 steps). TestTailRates holds what is found.
const (
	spikeSize   = 1.25 // times the running median
	spikeWindow = 11   // steps of the running median
)

// Spikes marks the values that are far above their neighbours. x are times,
// not logs.
func Spikes(x []float64) []bool {
	out := make([]bool, len(x))
	for i, v := range x {
		lo, hi := max(0, i-spikeWindow/2), min(len(x), i+spikeWindow/2+1)
		out[i] = v > float64(spikeSize*Median(x[lo:hi]))
	}
	return out
}

// Regular marks the places that are spikes in most runs of both sides: what
// everybody does there (a checkpoint) is no event.
func Regular(base, cand [][]bool) []bool {
	if len(base) == 0 || len(cand) == 0 {
		return nil
	}
	most := func(rows [][]bool, j int) bool {
		n := 0
		for _, r := range rows {
			if r[j] {
				n++
			}
		}
		return 2*n > len(rows)
	}
	out := make([]bool, len(base[0]))
	for j := range out {
		out[j] = most(base, j) && most(cand, j)
	}
	return out
}

// Events counts spikes that are not regular, neighbours as one. regular may be
// nil.
func Events(spikes, regular []bool) int {
	n, before := 0, false
	for i, s := range spikes {
		s = s && (regular == nil || !regular[i])
		if s && !before {
			n++
		}
		before = s
	}
	return n
}

// CountScalar returns a count on the scale on which its noise does not depend on its
// size (Anscombe 1948). Its variance is at least PoissonVariance.
func CountScalar(n float64) float64 { return math.Sqrt(float64(n) + 3.0/8) }

// PoissonVariance is the variance of CountScalar if events come by chance alone. (Anscombe 1948)
const PoissonVariance = 0.25

// JitterVariance is the variance of Jitter times the number of steps, for steps that differ by normal noise: that of
// the median of half-normal distances, 1.166 squared, and a quarter more since neighbouring distances share a step
// (simulated).
const JitterVariance = 1.7

// Jitter returns the log of the median distance of neighbours in x, which are logs.
// A run without any counts as one with a billionth.
func Jitter(x []float64) float64 {
	d := make([]float64, 0, len(x))
	for i := 1; i < len(x); i++ {
		d = append(d, math.Abs(x[i]-x[i-1]))
	}
	return math.Log(math.Max(Median(d), 1e-9))
}

// Offsets returns by how much each rank is above the median rank, the median over steps: rows[r][s] are logs, NaN
// where a rank has no step.
func Offsets(rows [][]float64) []float64 {
	if len(rows) == 0 {
		return nil
	}
	distance := make([][]float64, len(rows))
	for r := range distance {
		distance[r] = make([]float64, len(rows[0]))
	}
	column := make([]float64, len(rows))
	for s := range rows[0] {
		for r := range rows {
			column[r] = rows[r][s]
		}
		middle := Median(column)
		for r, v := range column {
			distance[r][s] = v - middle
		}
	}
	out := make([]float64, len(rows))
	for r := range out {
		out[r] = Median(distance[r])
	}
	return out
}

// Largest returns the largest value and its place, -1 without any.
func Largest(v []float64) (value float64, at int) {
	value, at = math.NaN(), -1
	for i, x := range v {
		if !math.IsNaN(x) && (at < 0 || x > value) {
			value, at = x, i
		}
	}
	return value, at
}

// BatchMeans does what BatchMedians does with means, which include what spikes cost.
func BatchMeans(x []float64, k int) []float64 {
	length := len(x) / k
	x = x[len(x)-k*length:]
	means := make([]float64, 0, k)
	for part := range slices.Chunk(x, length) {
		means = append(means, Mean(part))
	}
	return means
}

// MeanScalar returns a run's mean with its variance from batch means.
func MeanScalar(x []float64, k int) Scalar {
	if k == 0 {
		return Scalar{Value: Mean(x)}
	}
	means := BatchMeans(x, k)
	return Scalar{Mean(x), lineVariance(means)}
}

// LogMean returns the log of a run's mean with its variance from batch means.
func LogMean(x []float64, k int) Scalar {
	if k == 0 {
		return Scalar{Value: math.Log(Mean(x))}
	}
	means := BatchMeans(x, k)
	mean := Mean(means)
	return Scalar{math.Log(mean), lineVariance(means) / (mean * mean)}
}

// RatioOfSums returns the sum of a over the sum of b, with its variance from the
// ratios of k batches.
func RatioOfSums(a, b []float64, k int) Scalar {
	length := len(a) / k
	skip := len(a) - k*length
	var sa, sb float64
	ratios := make([]float64, k)
	for i := range ratios {
		lo, hi := skip+i*length, skip+(i+1)*length
		x, y := Mean(a[lo:hi]), Mean(b[lo:hi])
		sa, sb = sa+x, sb+y
		ratios[i] = x / y
	}
	return Scalar{sa / sb, lineVariance(ratios)}
}

// PooledPaired does what Pooled does for scalars of curves less the curve that all share: because it holds the runs
// themselves, their variance is scaled as in Paired.
func PooledPaired(base, cand []Scalar, df float64) Sides {
	s, n := Pooled(base, cand, df), float64(len(base)+len(cand))
	s.Variance *= n / (n - 1)
	s.DF = df * (n - 1)
	return s
}

// Pooled returns the sides of scalars that runs have by themselves.
func Pooled(base, cand []Scalar, df float64) Sides {
	var s Sides
	for _, x := range base {
		s.Base = append(s.Base, x.Value)
		s.Variance += x.Variance
	}
	for _, x := range cand {
		s.Cand = append(s.Cand, x.Value)
		s.Variance += x.Variance
	}
	n := float64(len(base) + len(cand))
	s.Variance /= n
	s.DF = df * n
	return s
}
