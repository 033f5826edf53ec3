package stat

import "math"

// priorDF is how many degrees of freedom the declared floor counts for if no runs show what they differ by. More finds
// more, and is wrong more often where runs differ by more than the floor: with 8 a single pair finds +5 % in 41 %
// where runs differ by 1 % (with 4 in 17 %), and 3.2 % of unchanged pairs are called regressed where they differ by 2
// % (1.4 %); with 10 it would be 3.9 % (simulated).
const priorDF = 8

// floorShare returns which share of its degrees of freedom the floor keeps beside so many of the runs themselves: it
// is a guess. With three runs a side 0.1, 2.6 and 3.6 % of unchanged pairs fail where runs differ by 1, 2 and 4 %, and
// +5 % is found in 99 % at 1 %. Divided by one more than their number it was 0.0, 2.7 and 4.4 % (simulated).
func floorShare(between float64) float64 { return 1 / (1 + float64(2*between)) }

// Sides holds the run scalars of both sides and what the runs show of their own noise.
type Sides struct {
	Base, Cand []float64
	Variance   float64 // mean variance of a scalar, from within the runs
	DF         float64 // its degrees of freedom
	Follow     float64 // how far batches follow each other, a correlation from 0 on; see Wanders
}

// Paired returns the scalars of runs that share their steps: base[i][s] and cand[i][s] belong to the same step, all
// rows are equally long, at least 3. The average of the two sides' usual curves is subtracted first, so that what
// every run does in the same step (a ramp, a checkpoint) cancels. Because the curve holds the runs themselves, their
// variance is scaled by N/(N-1).
func Paired(base, cand [][]float64) Sides {
	ref := sharedCurve(base, cand)
	k, n := Batches(len(ref)), float64(len(base)+len(cand))
	sides := scalars(less(base, ref), less(cand, ref), func(int) int { return k })
	sides.Variance *= n / (n - 1)
	sides.DF = BatchDF(k) * (n - 1)
	return sides
}

// Unpaired returns the scalars of runs with steps of their own; every row has at least 3 values.
func Unpaired(base, cand [][]float64) Sides { return scalars(base, cand, Batches) }

// scalars reduces each run; batches is the number of batches for a length.
func scalars(base, cand [][]float64, batches func(int) int) Sides {
	var sides Sides
	var f following
	reduce := func(rows [][]float64) []float64 {
		values := make([]float64, len(rows))
		for i, x := range rows {
			k := batches(len(x))
			s := RunScalar(x, k)
			values[i] = s.Value
			sides.Variance += s.Variance
			sides.DF += BatchDF(k)
			f.add(x, k)
		}
		return values
	}
	sides.Base, sides.Cand = reduce(base), reduce(cand)
	sides.Variance /= float64(len(base) + len(cand))
	sides.Follow = f.ofBatches()
	return sides
}

// WithoutShared returns rows of both sides less the average of their usual curves, as in Paired.
func WithoutShared(base, cand [][]float64) (b, c [][]float64) {
	ref := sharedCurve(base, cand)
	return less(base, ref), less(cand, ref)
}

func sharedCurve(base, cand [][]float64) []float64 {
	ref := usualCurve(base)
	for s, v := range usualCurve(cand) {
		ref[s] = 0.5 * (ref[s] + v)
	}
	return ref
}

// usualCurve returns for each step the median over the rows, or the mean of two rows. With a mean of more, a step that
// is slow in one run only would look fast in every other one, which cost half of the power where each tenth step is
// slow in any phase (simulated).
func usualCurve(rows [][]float64) []float64 {
	usual, at := make([]float64, len(rows[0])), make([]float64, len(rows))
	for s := range usual {
		for i, x := range rows {
			at[i] = x[s]
		}
		usual[s] = Median(at)
	}
	return usual
}

// less returns every row without the reference curve.
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
	Learned  float64 // of these, those of what runs showed; 0: what they differ by is assumed
	NA, NB   int     // runs of baseline and candidate
}

// Moderated returns the effect under a declared floor: the standard deviation between runs that is assumed without a
// history. The floor and the runs' own noise make a prior variance, whose degrees of freedom follow Satterthwaite, and
// the spread between the runs of a side is added to it (a moderated t, as in Smyth 2004). The more runs show
// themselves what they differ by, the less the floor counts: it is a guess. floor > 0 is in the unit of the scalars.
func Moderated(s Sides, floor float64) Effect {
	na, nb := len(s.Base), len(s.Cand)
	spread, between := s.squares(), float64(na+nb-2)
	floor2 := float64(floor * floor)
	prior := floor2 + s.Variance
	df := prior * prior / (float64(floor2*floor2/(priorDF*floorShare(between))) + float64(s.Variance*s.Variance/s.DF))
	variance := (float64(df*prior) + spread) / (df + between)
	return Effect{
		Estimate: Mean(s.Cand) - Mean(s.Base),
		SE:       math.Sqrt(variance * (1/float64(na) + 1/float64(nb))),
		DF:       df + between, Learned: between,
		NA: na, NB: nb,
	}
}

// ModeratedByRuns does what Moderated does for runs that may differ by any amount: once a side has two, the interval has
// the degrees of freedom of the runs alone. With those of the floor as well, two runs a side that differ by 44 % would be
// told apart in eight times as many pairs without a change as the error says.
func ModeratedByRuns(s Sides, floor float64) Effect {
	e := Moderated(s, floor)
	if e.Learned > 0 {
		e.DF = e.Learned
	}
	return e
}

// Observed returns the effect by what runs differ by themselves, a plain t of two samples: from five runs a side on no
// guess is needed beside it. Simulated, with five runs a side that differ by 0.1, 1, 2 and 4 %: its 95 % intervals hold
// the truth in 95 % each, those of Moderated under a floor of 1.5 % in 100, 96, 95 and 94 %, and are three times as wide
// at 0.1 %; unchanged pairs fail in 0.0, 0.1, 2.2 and 2.9 % (0.0, 0.1, 2.4 and 3.2 %).
func Observed(s Sides) Effect {
	na, nb := len(s.Base), len(s.Cand)
	between := float64(na + nb - 2)
	return Effect{
		Estimate: Mean(s.Cand) - Mean(s.Base),
		SE:       math.Sqrt(math.Max(s.squares()/between, s.Variance) * (1/float64(na) + 1/float64(nb))),
		DF:       between, Learned: between,
		NA: na, NB: nb,
	}
}

// Spread returns the standard deviation between runs of one side, over both sides; NaN where neither has two.
func (s Sides) Spread() float64 {
	between := len(s.Base) + len(s.Cand) - 2
	if between < 1 {
		return math.NaN()
	}
	return math.Sqrt(s.squares() / float64(between))
}

// If returns what the sides would be if their runs differed by sd, a standard deviation, about the same means; the
// sides themselves where no two runs of a side differ.
func (s Sides) If(sd float64) Sides {
	spread := s.Spread()
	if !(spread > 0) {
		return s
	}
	about := func(v []float64) []float64 {
		mean, out := Mean(v), make([]float64, len(v))
		for i, x := range v {
			out[i] = mean + float64((x-mean)*sd/spread)
		}
		return out
	}
	s.Base, s.Cand = about(s.Base), about(s.Cand)
	return s
}

// squares returns the sum of the squared distances of runs from the mean of their side.
func (s Sides) squares() float64 {
	return squares(s.Base, Mean(s.Base)) + squares(s.Cand, Mean(s.Cand))
}

// Plus returns the effect with another source of noise added: the variance that it adds to the estimate, with its
// degrees of freedom, combined by Satterthwaite's rule.
func (e Effect) Plus(variance, df float64) Effect {
	own := float64(e.SE * e.SE)
	sum := own + float64(variance)
	e.DF = sum * sum / (float64(own*own/e.DF) + float64(variance*variance/df))
	e.SE = math.Sqrt(sum)
	return e
}

// HalfWidth returns half the width of the effect's two-sided interval with error
// alpha.
func (e Effect) HalfWidth(alpha float64) float64 {
	return float64(student(e.DF).Quantile(1-float64(alpha/2)) * e.SE)
}
