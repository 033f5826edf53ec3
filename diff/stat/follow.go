package stat

import "math"

// following measures over rows how much steps follow those before them.
type following struct {
	sum    float64 // of the correlations of neighbouring short batches
	length float64 // of how many of these a batch of the verdict is long
	rows   int
}

// add adds a row that the verdict cuts into k batches. It correlates the medians of short batches of three steps, or
// of two where the row is short: one slow step does not move the median of three. They are taken about their line, as
// the batches of the verdict are, and what that takes from their correlation is given back (Kendall 1954, for so many
// values less a line). With fewer than leastShort short batches nothing is known.
func (f *following) add(x []float64, k int) {
	short := 3
	switch {
	case len(x) < 2*leastShort:
		return
	case len(x) < 3*leastShort:
		short = 2
	}
	n := float64(len(x) / short)
	rest := fromLine(BatchMedians(x, len(x)/short))
	all, next := 0.0, 0.0
	for i, d := range rest {
		if all += float64(d * d); i > 0 {
			next += float64(d * rest[i-1])
		}
	}
	f.rows++
	f.length += n / float64(k)
	if all > 0 {
		f.sum += (float64(next/all*n) + 2) / (n - 6)
	}
}

// leastShort is from how many short batches on it is known how far they follow each other.
// Simulated: of ten, in a third of pairs whose steps hardly do they seemed to wander.
const leastShort = 12

// ofBatches returns the correlation of neighbouring batches of the verdict, if steps follow each other as in an AR(1);
// from 0 on.
func (f following) ofBatches() float64 {
	if f.rows == 0 {
		return 0
	}
	r, l := f.sum/float64(f.rows), f.length/float64(f.rows)
	if r <= 0 || l <= 1 {
		return 0
	}
	r = math.Min(r, mostFollow)
	last := 1 - math.Pow(r, l)
	return r * last * last / (float64(l*(1-float64(r*r))) - float64(2*r*last))
}

// mostFollow is the largest correlation that is assumed: with 1 nothing would be known about a level at all. By
// definition of what has a level.
const mostFollow = 0.97

// fromLine returns how far values at equal distances lie from their least-squares line.
func fromLine(v []float64) []float64 {
	mean, middle, slope := Mean(v), float64(float64(len(v)-1)/2), Slope(v)
	out := make([]float64, len(v))
	for i, y := range v {
		out[i] = y - mean - float64(slope*(float64(i)-middle))
	}
	return out
}

// Wanders reports whether steps follow each other so much that their batches do: six of them then say next to nothing
// about the level of these runs, and Within is not to be shown.
func (s Sides) Wanders() bool { return s.Follow > mostWander }

// mostWander is the correlation of their batches up to which steps do not wander. Simulated, AR .95 of 5 %, 60 steps:
// intervals held the level in 56 %, wider ones in 84, and if those are left out that this leaves out 90 % are right or
// are not shown; for steps with AR .5 it leaves out 6 %.
const mostWander = 0.4
