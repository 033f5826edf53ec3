package stat

// Batches returns the number of contiguous batches into which n steps are cut: 6 from 30 steps on, 4 from 10 on. With
// fewer steps it is the number from 3 to 5 that leaves out the fewest of them, so that every batch holds at least one;
// 0 under 3 steps, which make no scalar.
func Batches(n int) int {
	switch {
	case n >= 30:
		return 6
	case n >= 10:
		return 4
	case n < 3:
		return 0
	}
	best := 4
	if n < 4 {
		best = 3
	}
	for _, k := range []int{3, 5} {
		if k <= n && n%k < n%best {
			best = k
		}
	}
	return best
}

// BatchMedians cuts x into k batches of equal length and returns the median
// of each. Surplus values at the start are left out: that is where a rest of
// the warm-up would be. k is at most len(x).
func BatchMedians(x []float64, k int) []float64 {
	length := len(x) / k
	x = x[len(x)-k*length:]
	medians := make([]float64, k)
	for i := range medians {
		medians[i] = Median(x[i*length : (i+1)*length])
	}
	return medians
}

// Scalar is one run in one number.
type Scalar struct {
	Value    float64 // mean of the batch medians
	Variance float64 // of Value, from the spread of the batches about a line within the run
}

// BatchDF returns the degrees of freedom of the variance of a scalar with k batches; 1 of one without batches, whose
// variance is zero.
func BatchDF(k int) float64 { return float64(max(1, k-2)) }

// RunScalar returns the scalar of a run's values with k batches, at least 3; with 0 it is their mean, and nothing is
// known of its variance, which runs have to show. The spread of the batches is taken about
// their least-squares line: an effect that grows over the steps is not noise of its mean. About the mean a change from
// -27 to -64 % of every step looked like one between -36 and -66 %; false verdicts are as many either way, also for
// steps that follow each other (AR .95) and for runs whose slopes differ (simulated).
func RunScalar(x []float64, k int) Scalar {
	if k == 0 {
		return Scalar{Value: Mean(x)}
	}
	medians := BatchMedians(x, k)
	return Scalar{Mean(medians), lineVariance(medians)}
}

// lineVariance returns the variance of the mean of batches, from their spread about their line.
func lineVariance(batches []float64) float64 {
	return aboutLine(batches) / BatchDF(len(batches)) / float64(len(batches))
}

// aboutLine returns the sum of squared distances from the least-squares line through values at
// equal distances.
func aboutLine(v []float64) float64 { return squares(fromLine(v), 0) }

// squares returns the sum of squared distances from a center.
func squares(v []float64, center float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64((x - center) * (x - center))
	}
	return sum
}

// RelativeError returns the variance of the mean of independent values, as a share of the mean, squared.
func RelativeError(v []float64) float64 {
	mean, n := Mean(v), float64(len(v))
	return squares(v, mean) / (n - 1) / n / float64(mean*mean)
}
