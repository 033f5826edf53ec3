package picture

import (
	"cmp"
	"slices"

	"perfdiff/analyze/order"
)

// neighbours is how many steps, including itself in the middle, a step is compared with: as many as the running median
// has by which reports find spikes. leastExcess is the share of their median by which it must be longer at least.
// Chosen, not measured: well below what is called a spike, which is not decided here, and above the usual differences
// between steps, of which nobody wants a picture.
const (
	neighbours  = 11
	leastExcess = 0.1
)

// outliers returns at most n of the steps, which are in order, that take much longer than their neighbours: those that
// do most, without the first one, with which a capture begins. Length alone would not find them: in a run that drifts,
// or goes on at another level, its later steps are all among the longest.
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
