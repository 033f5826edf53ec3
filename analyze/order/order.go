// Package order finds what stands in the middle of a list, or at another place of its order: each
// by one definition, so that two numbers that are called a median are comparable.
//
//   - Median: of an even number of values the mean of the two in the middle.
//   - Lower, LowerMedian: of an even number the lower of the two, which is a value of the list.
//   - Quantile: between two values by linear interpolation; at 0.5 it is Median.
//   - NearestRank: a value of the list that a share of them does not exceed.
//   - LowerRank: the lower of the two values between which Quantile interpolates; at 0.5 it is Lower.
//
// Names is the order of names in which people count.
//
// None of them looks for NaN: package diff/stat leaves it out of measurements first. The package
// imports nothing.
package order

import (
	"cmp"
	"math"
	"slices"
)

// Median returns the middle of v, of an even number of values the mean of the two in the middle, of
// whole numbers without its fraction. v must not be empty and comes into another order.
func Median[T int64 | float64](v []T) T {
	n := len(v)
	low := Select(v, (n-1)/2)
	if n%2 == 1 {
		return low
	}
	return (low + slices.Min(v[n/2:])) / 2 // no value behind the lower one is below it
}

// LowerMedian returns the middle of v, of an even number of values the lower of the two in the
// middle; the zero value where v is empty. v comes into another order.
func LowerMedian[T cmp.Ordered](v []T) (middle T) {
	if len(v) == 0 {
		return middle
	}
	return Select(v, (len(v)-1)/2)
}

// Lower does what LowerMedian does for sorted elements. There must be one.
func Lower[T any](sorted []T) T { return sorted[(len(sorted)-1)/2] }

// Quantile returns the p-quantile of sorted values with linear interpolation between the order
// statistics at (n-1)p: type 7 of Hyndman and Fan (1996), the default of R and NumPy. It is NaN
// where there are none.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	at := float64(p * float64(len(sorted)-1))
	i := int(math.Floor(at))
	switch {
	case i < 0:
		return sorted[0]
	case i >= len(sorted)-1:
		return sorted[len(sorted)-1]
	case sorted[i] == sorted[i+1]:
		return sorted[i]
	}
	// Weights, not a difference, so that the middle of two is their mean.
	w := at - float64(i)
	return float64(sorted[i]*(1-w)) + float64(sorted[i+1]*w)
}

// NearestRank returns the place, from 0, of the value that a share of n values in order does not
// exceed: that of the ⌈share·n⌉th.
func NearestRank(n int, share float64) int { return max(0, int(math.Ceil(share*float64(n)))-1) }

// LowerRank returns the place, from 0, of the lower of the two values among n in order between which
// Quantile interpolates.
func LowerRank(n int, share float64) int { return int(share * float64(n-1)) }
