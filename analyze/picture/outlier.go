package picture

import (
	"cmp"
	"slices"

	"perfdiff/analyze/order"
)

// neighbours is how many steps, the middle one included, a step is held against: those of the
// running median by which reports find spikes. leastExcess is by which part of their median it
// takes longer at least. Chosen, not measured: well below what is called a spike, since what is
// one is not decided here, and above what steps differ by, of which nobody wants a picture.
const (
	neighbours  = 11
	leastExcess = 0.1
)

// outliers are at most n of the steps, which stand in order, that take much longer than their
// neighbours: those that do most, the first one being none, with which a capture begins. Length
// alone would not find them: in a run that drifts, or goes on at another level, its later steps
// are all among the longest.
func outliers[T any](steps []T, n int, length func(T) int64) []T {
	type far struct {
		at     int
		excess float64
	}
	var all []far
	var window []int64
	for i := 1; i < len(steps); i++ {
		window = window[:0]
		for _, x := range steps[max(0, i-neighbours/2):min(len(steps), i+neighbours/2+1)] {
			window = append(window, length(x))
		}
		if usual := float64(order.Median(window)); usual > 0 && float64(length(steps[i])) > float64((1+leastExcess)*usual) {
			all = append(all, far{i, float64(length(steps[i])) / usual})
		}
	}
	slices.SortStableFunc(all, func(a, b far) int { return cmp.Compare(b.excess, a.excess) })
	var out []T
	for _, x := range all[:min(n, len(all))] {
		out = append(out, steps[x.at])
	}
	return out
}
