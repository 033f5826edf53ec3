package sides_test

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
)

// TestOwnTime: what a step takes without waiting for other ranks is known of each of its steps where
// waiting is, and of no other rank.
func TestOwnTime(t *testing.T) {
	wait := map[run.Key]func(int, int) float64{{Metric: run.ExposedWaitTime}: func(rank, _ int) float64 { return 0.02 * float64(rank) }}
	r := difftest.Compare(difftest.SetOf("base", difftest.Job{Ranks: difftest.UpTo(3), Steps: 30, Step: difftest.Constant(0.1)}), difftest.SetOf("cand", difftest.Job{Ranks: difftest.UpTo(3), Steps: 30, Step: difftest.Constant(0.1), Series: wait}))
	for i := range r.Ranks {
		base, cand := &r.Ranks[i].Base, &r.Ranks[i].Cand
		if base.OwnTime != nil {
			t.Errorf("rank %d: waiting was not recorded, and its own time is %v", i, base.OwnTime)
		}
		if len(cand.OwnTime) != len(cand.Steps) {
			t.Fatalf("rank %d: got %d values of %d steps", i, len(cand.OwnTime), len(cand.Steps))
		}
		for at, v := range cand.OwnTime {
			if want := 0.1 - 0.02*float64(i); math.Abs(v-want) > 1e-12 {
				t.Errorf("rank %d, step %d: got %g, want %g", i, at, v, want)
			}
		}
	}
}
