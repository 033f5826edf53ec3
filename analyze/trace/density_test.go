package trace

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, spread := range []int64{1, 1 << 20, 1 << 40, 1 << 61} {
		var d Density
		var starts []int64
		for range 2000 {
			at := r.Int64N(2*spread) - spread
			starts = append(starts, at)
			d.Add(at, 3)
		}
		if got := d.Before(math.MaxInt64); got != 6000 {
			t.Errorf("spread %d: %d bytes, want 6000", spread, got)
		}
		if got := d.Before(math.MinInt64); got != 0 {
			t.Errorf("spread %d: %d bytes before all, want 0", spread, got)
		}
		last := int64(0)
		for _, edge := range d.Edges() {
			want := int64(0)
			for _, at := range starts {
				if at < edge {
					want += 3
				}
			}
			if got := d.Before(edge); got != want || got < last {
				t.Fatalf("spread %d: %d bytes before %d, want %d", spread, got, edge, want)
			}
			last = want
		}
	}
}
