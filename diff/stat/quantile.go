package stat

import (
	"math"
	"slices"
)

// Median is the middle of v, the mean of the two middle values of an even
// number of them, and NaN of none. NaN values are left out. v is kept.
func Median(v []float64) float64 {
	if len(v) > fewValues {
		return quantileOf(Sorted(v), 0.5)
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
	return quantileOf(few[:n], 0.5)
}

// fewValues are so many that they are sorted fastest where they are put: the ranks of a
// node, the steps of a batch.
const fewValues = 32

// Quantile is the p-quantile of v with linear interpolation between the
// order statistics at (n-1)p: type 7 of Hyndman and Fan (1996), the default
// of R and NumPy. NaN values are left out; of none it is NaN.
func Quantile(v []float64, p float64) float64 { return quantileOf(Sorted(v), p) }

// Box is minimum, lower quartile, median, upper quartile and maximum of v, by
// the convention of Quantile.
func Box(v []float64) [5]float64 {
	s := Sorted(v)
	var box [5]float64
	for i := range box {
		box[i] = quantileOf(s, float64(i)/4)
	}
	return box
}

// Mean is the mean of v without NaN values, summed in order; NaN of none.
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

// Known is v without NaN values.
func Known(v []float64) []float64 {
	out := make([]float64, 0, len(v))
	for _, x := range v {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}

// Sorted is a copy of v in order and without NaN values.
func Sorted(v []float64) []float64 {
	s := Known(v)
	slices.Sort(s)
	return s
}

// quantileOf is the p-quantile of sorted values.
func quantileOf(s []float64, p float64) float64 {
	if len(s) == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	at := float64(p * float64(len(s)-1))
	i := int(math.Floor(at))
	switch {
	case i < 0:
		return s[0]
	case i >= len(s)-1:
		return s[len(s)-1]
	case s[i] == s[i+1]:
		return s[i]
	}
	// Weights, not a difference, so that the middle of two is their mean.
	w := at - float64(i)
	return float64(s[i]*(1-w)) + float64(s[i+1]*w)
}
