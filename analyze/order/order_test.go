package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		v            []int64
		lower, whole int64
	}{{[]int64{7}, 7, 7}, {[]int64{9, 1}, 1, 5}, {[]int64{3, 1, 2}, 2, 2}, {[]int64{4, 1, 3, 2}, 2, 2}} {
		if got := LowerMedian(slices.Clone(c.v)); got != c.lower || Lower(slices.Sorted(slices.Values(c.v))) != c.lower {
			t.Errorf("%v: got the lower median %d, want %d", c.v, got, c.lower)
		}
		if got := Median(slices.Clone(c.v)); got != c.whole {
			t.Errorf("%v: got the median %d, want %d", c.v, got, c.whole)
		}
	}
	if got := LowerMedian([]int(nil)); got != 0 {
		t.Errorf("of none: got %d, want 0", got)
	}
}

// TestPlaces holds the places of quantiles, by both definitions, of few and of one.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		n              int
		share          float64
		nearest, lower int
	}{{1, 0, 0, 0}, {1, 1, 0, 0}, {4, 0, 0, 0}, {4, .5, 1, 1}, {4, .51, 2, 1}, {4, 1, 3, 3}, {100, .99, 98, 98}, {101, .99, 99, 99}} {
		if nearest, lower := NearestRank(c.n, c.share), LowerRank(c.n, c.share); nearest != c.nearest || lower != c.lower {
			t.Errorf("%g of %d: got %d, %d, want %d, %d", c.share, c.n, nearest, lower, c.nearest, c.lower)
		}
	}
}

// TestQuantile: the middle is the median, and what cannot be is NaN.
func TestQuantile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = random.NormFloat64()
		}
		sorted := slices.Sorted(slices.Values(v))
		if got, want := Quantile(sorted, .5), Median(v); got != want {
			t.Errorf("%d values: got %g, want the median %g", n, got, want)
		}
		if Quantile(sorted, 0) != sorted[0] || Quantile(sorted, 1) != sorted[n-1] || Quantile(sorted, .5) < Quantile(sorted, .4) {
			t.Errorf("%d values: quantiles are not in order", n)
		}
	}
	if !math.IsNaN(Quantile(nil, .5)) || !math.IsNaN(Quantile([]float64{1}, math.NaN())) {
		t.Error("a quantile of nothing is not NaN")
	}
}

func TestSelectRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 1; n < 400; n += 7 {
		v := make([]int64, n)
		for i := range v {
			switch n % 3 {
			case 0:
				v[i] = rng.Int64N(1000)
			case 1:
				v[i] = rng.Int64N(4)
			default:
				v[i] = int64(i)
			}
		}
		want := slices.Sorted(slices.Values(v))
		for _, k := range []int{0, n / 2, n - 1, n * 9 / 10} {
			if got := Select(v, k); got != want[k] {
				t.Fatalf("%d of %d: got %d want %d", k, n, got, want[k])
			}
		}
	}
}
