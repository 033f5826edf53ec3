package stat

import "math"

// priorDF is how many degrees of freedom the declared floor counts for. More finds
// more, and is wrong more often where runs differ by more than the floor: with 8 a
// single pair finds +5 % in 41 % where runs differ by 1 % (with 4 in 17 %), and 3.4 % of
// unchanged pairs are called regressed where they differ by 2 % (1.4 %); with 10 it would
// be 3.9 % (simulated).
const priorDF = 8

// disproved is the error with which the runs of the sides are believed to differ by more
// than the floor says. It then counts as little as it does beside past runs: averaged in
// as a whole it hid that runs on two kinds of nodes, or with ramps of their own, differ by
// three times as much, and a fifth of unchanged pairs of three runs a side was called
// changed (simulated).
const disproved = 0.1

// Sides are the run scalars of both sides and what the runs show of their own
// noise.
type Sides struct {
	Base, Cand []float64
	Variance   float64 // mean variance of a scalar, from within the runs
	DF         float64 // its degrees of freedom
}

// Paired are the scalars of runs that share their steps: base[i][s] and
// cand[i][s] belong to the same step, all rows are equally long, at least 3.
// The average of the two sides' mean curves is subtracted first, so that what
// every run does in the same step (a ramp, a checkpoint) cancels. Because the
// curve holds the runs themselves, their variance is scaled by N/(N-1).
func Paired(base, cand [][]float64) Sides {
	ref := sharedCurve(base, cand)
	k, n := Batches(len(ref)), float64(len(base)+len(cand))
	sides := scalars(less(base, ref), less(cand, ref), func(int) int { return k })
	sides.Variance *= n / (n - 1)
	sides.DF = BatchDF(k) * (n - 1)
	return sides
}

// Unpaired are the scalars of runs with steps of their own; every row has at
// least 3 values.
func Unpaired(base, cand [][]float64) Sides { return scalars(base, cand, Batches) }

// scalars reduces each run; batches is the number of batches for a length.
func scalars(base, cand [][]float64, batches func(int) int) Sides {
	var sides Sides
	reduce := func(rows [][]float64) []float64 {
		values := make([]float64, len(rows))
		for i, x := range rows {
			k := batches(len(x))
			s := RunScalar(x, k)
			values[i] = s.Value
			sides.Variance += s.Variance
			sides.DF += BatchDF(k)
		}
		return values
	}
	sides.Base, sides.Cand = reduce(base), reduce(cand)
	sides.Variance /= float64(len(base) + len(cand))
	return sides
}

// WithoutShared are rows of both sides less the average of their mean curves,
// as Paired has them.
func WithoutShared(base, cand [][]float64) (b, c [][]float64) {
	ref := sharedCurve(base, cand)
	return less(base, ref), less(cand, ref)
}

func sharedCurve(base, cand [][]float64) []float64 {
	ref := meanCurve(base)
	for s, v := range meanCurve(cand) {
		ref[s] = 0.5 * (ref[s] + v)
	}
	return ref
}

func meanCurve(rows [][]float64) []float64 {
	mean := make([]float64, len(rows[0]))
	for _, x := range rows {
		for s, v := range x {
			mean[s] += v
		}
	}
	for s := range mean {
		mean[s] /= float64(len(rows))
	}
	return mean
}

// less is every row without the reference curve.
func less(rows [][]float64, ref []float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, x := range rows {
		out[i] = make([]float64, len(x))
		for s, v := range x {
			out[i][s] = v - ref[s]
		}
	}
	return out
}

// Effect is the difference between two sides with what is known of its noise.
type Effect struct {
	Estimate float64 // mean of the candidate's scalars less the baseline's
	SE       float64 // standard error of Estimate
	DF       float64 // degrees of freedom of SE
	NA, NB   int     // runs of baseline and candidate
}

// Moderated is the effect under a declared floor: the standard deviation
// between runs that is assumed without a history. The floor and the runs' own
// noise make a prior variance, whose degrees of freedom follow Satterthwaite,
// and the spread between the runs of a side is added to it (a moderated t, as
// in Smyth 2004). floor > 0 is in the unit of the scalars.
func Moderated(s Sides, floor float64) Effect {
	na, nb := len(s.Base), len(s.Cand)
	baseMean, candMean := Mean(s.Base), Mean(s.Cand)
	spread := squares(s.Base, baseMean) + squares(s.Cand, candMean)
	between := float64(na + nb - 2)
	floor2 := float64(floor * floor)
	prior := floor2 + s.Variance
	df := prior * prior / (float64(floor2*floor2/priorDF) + float64(s.Variance*s.Variance/s.DF))
	if between > 0 && fAbove(spread/between/prior, between, df) < disproved {
		df = min(df, pastPrior)
	}
	variance := (float64(df*prior) + spread) / (df + between)
	return Effect{
		Estimate: candMean - baseMean,
		SE:       math.Sqrt(variance * (1/float64(na) + 1/float64(nb))),
		DF:       df + between,
		NA:       na, NB: nb,
	}
}

// HalfWidth is half the width of the effect's two-sided interval with error
// alpha.
func (e Effect) HalfWidth(alpha float64) float64 {
	return float64(student(e.DF).Quantile(1-float64(alpha/2)) * e.SE)
}
