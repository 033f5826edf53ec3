package stat

import "math"

// Stretches returns the places from which on a series stands on another level, 0 first: by binary segmentation (Scott
// and Knott 1974), at the split with the largest F statistic, if that is significant with an error of 5 % over all
// splits, and each part again. This is sooner than for reporting a change: one change too many costs some runs of a
// level, one too few puts two levels into one. Each part has at least two values; under MinHistory values there is
// one.
func Stretches(v []float64) []int { return stretches(v, 0) }

func stretches(v []float64, from int) []int {
	at, _, ok := split(v, 2, 0.05)
	if !ok {
		return []int{from}
	}
	return append(stretches(v[:at], from), stretches(v[at:], from+at)...)
}

// oddBeyond is how many times the spread of the others a value must be away to be no part of them: among normal values
// one in a million is.
const oddBeyond = 5

// oddCounts is the distance, in spreads of the others, to which the odd value is moved, so that it shows that values
// can be off and does not hide all smaller changes: at its own distance, or at oddBeyond, one bad run of ten left none
// of the power to find +5 %, or a tenth (simulated).
const oddCounts = 3

// leastOdd is how many values must be there for one of them to be the odd one. By definition: of two values neither is
// the odd one.
const leastOdd = 3

// Odd finds the value that stands apart from all others, such as a run on a bad node: at is its place, -1 where there
// is none, and as the value as which it counts. The spread of the others is 1.4826 times their median distance from
// the median, and at least floor, a standard deviation. If several stand apart none does: that is how the values are.
func Odd(v []float64, floor float64) (at int, as float64) {
	if len(v) < leastOdd {
		return -1, 0
	}
	middle := Median(v)
	away := make([]float64, len(v))
	for i, x := range v {
		away[i] = math.Abs(x - middle)
	}
	others := 1.4826 * Median(away)
	sd := math.Max(floor, others)
	at = -1
	for i := range v {
		if away[i] <= oddBeyond*sd {
			continue
		}
		if at >= 0 {
			return -1, 0
		}
		at = i
	}
	if at < 0 {
		return -1, 0
	}
	return at, middle + math.Copysign(oddCounts*others, v[at]-middle)
}
