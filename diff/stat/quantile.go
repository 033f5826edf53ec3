package stat

import (
	"math"
	"slices"

	gonum "gonum.org/v1/gonum/stat"

	"perfdiff/analyze/order"
)

// Median returns the middle of v, the mean of the two middle values of an even number of them, and NaN without any.
// NaN values are left out. v is kept.
func Median(v []float64) float64 {
	if len(v) > fewValues {
		return order.Quantile(Sorted(v), 0.5)
	}
	var few [fewValues]float64
	n := 0
	for _, x := range v {
		if math.IsNaN(x) {
			continue
		}
		at := n
		for n++; at > 0 && few[at-1] > x; at-- {
			few[at] = few[at-1]
		}
		few[at] = x
	}
	return order.Quantile(few[:n], 0.5)
}

// fewValues are so many that they are sorted fastest where they are put: the ranks of a
// node, the steps of a batch.
const fewValues = 32

// fewSorted is how many values are sorted faster than their middle is selected.
const fewSorted = 16

// MedianInPlace returns the Median of v, which it reorders: it selects instead of sorting.
func MedianInPlace(v []float64) float64 {
	if len(v) <= fewSorted {
		return Median(v)
	}
	if v = slices.DeleteFunc(v, math.IsNaN); len(v) == 0 {
		return math.NaN()
	}
	return order.Median(v)
}

// LowerMedianInPlace returns the middle of v, of an even number of values the lower of the two, which is one of them
// (convention 1 of Hyndman and Fan), without NaN values; NaN without any. It sorts v.
func LowerMedianInPlace(v []float64) float64 {
	if v = slices.DeleteFunc(v, math.IsNaN); len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return gonum.Quantile(0.5, gonum.Empirical, v, nil)
}

// Quantile returns order.Quantile of v, which is kept. NaN values are left out.
func Quantile(v []float64, p float64) float64 { return order.Quantile(Sorted(v), p) }

// Box returns minimum, lower quartile, median, upper quartile and maximum of v, by
// the convention of Quantile.
func Box(v []float64) [5]float64 {
	s := Sorted(v)
	var box [5]float64
	for i := range box {
		box[i] = order.Quantile(s, float64(i)/4)
	}
	return box
}

// Mean returns the mean of v without NaN values, summed in order; NaN without any.
func Mean(v []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if !math.IsNaN(x) {
			sum += x
			n++
		}
	}
	return sum / float64(n)
}

// Known returns v without NaN values.
func Known(v []float64) []float64 {
	out := make([]float64, 0, len(v))
	for _, x := range v {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}

// Sorted returns a copy of v in order and without NaN values.
func Sorted(v []float64) []float64 {
	s := Known(v)
	slices.Sort(s)
	return s
}
