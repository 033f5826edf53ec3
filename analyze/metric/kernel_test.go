package metric

import (
	"math"
	"testing"
)

// TestStretches: a short capture keeps each step; of a long one sums over stretches
// stay, and steps without a value stay without.
func TestStretches(t *testing.T) {
	short := stretchMeans([]float64{1, 2, math.NaN(), 4}, 1e-9)
	if short[0] != 1 || short[1] != 2 || !math.IsNaN(short[2]) || short[3] != 4 {
		t.Errorf("got %v", short)
	}
	const steps = 1000
	v, sum := make([]float64, steps), 0.0
	for i := range v {
		v[i] = float64(i % 7)
		if i%10 == 9 {
			v[i] = math.NaN()
		} else {
			sum += v[i]
		}
	}
	different, after := map[float64]bool{}, 0.0
	for i, x := range stretchMeans(v, 0) {
		if (i%10 == 9) != math.IsNaN(x) {
			t.Fatalf("step %d: got %v", i, x)
		}
		if i%10 != 9 {
			different[x] = true
			after += x
		}
	}
	if math.Abs(after-sum) > 1e-9*sum || len(different) > maxKernelValues {
		t.Errorf("sum %v became %v, %d different values", sum, after, len(different))
	}
}

// TestStretchesOfTimes: they stay whole nanoseconds, which a summary writes in few bytes.
func TestStretchesOfTimes(t *testing.T) {
	v := make([]float64, 200)
	for i := range v {
		v[i] = seconds(int64(1_000_000 + i*i%1000))
	}
	for i, x := range stretchMeans(v, 1e-9) {
		if seconds(int64(math.Round(x*1e9))) != x {
			t.Fatalf("step %d: %v is no whole nanosecond", i, x)
		}
	}
}
