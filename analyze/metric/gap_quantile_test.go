package metric

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/order"
)

// TestQuantilesOfManyGaps: what counting by bins finds is what is there in order of length.
func TestQuantilesOfManyGaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lengths := map[string]func() int64{
		"all alike":    func() int64 { return 5000 },
		"of one bin":   func() int64 { return 1<<20 + random.Int64N(1<<10) },
		"of all sizes": func() int64 { return minGap + random.Int64N(1<<(1+random.IntN(60))) },
		"mostly short": func() int64 { return minGap + random.Int64N(50) },
	}
	for name, length := range lengths {
		for _, n := range []int{minBinnedGaps - 1, minBinnedGaps, 20_000} {
			gaps := make([]int64, n)
			for i := range gaps {
				gaps[i] = length()
			}
			sorted := slices.Sorted(slices.Values(gaps))
			got := gapQuantiles(gaps)
			for i := range quantiles {
				if want := sorted[order.NearestRank(n, quantiles[i])]; got[i] != want {
					t.Errorf("%s, %d gaps: quantile %g: got %d, want %d", name, n, quantiles[i], got[i], want)
				}
			}
		}
	}
}
