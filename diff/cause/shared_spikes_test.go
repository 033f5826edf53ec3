package cause

import (
	"math"
	"testing"
)

// TestSharedSpikesVariance: what the spikes of a run differ by counts as a sample does, over n - 1.
// Of three ratios of 1, 1.1 and 1.21 the squares of the logs are 2 ln(1.1)^2.
func TestSharedSpikesVariance(t *testing.T) {
	s := sharedSpikes{places: []int{3, 9, 15}, base: [][]float64{{1, 1, 1}}, cand: [][]float64{{1, 1.1, 1.21}}}
	e := s.effect()
	variance := float64(math.Log(1.1)*math.Log(1.1)) / 3
	if want := math.Sqrt(float64(spikeFloor*spikeFloor)*2 + variance); math.Abs(e.Estimate-math.Log(1.1)) > 1e-12 || math.Abs(e.SE-want) > 1e-12 {
		t.Errorf("got %g with an error of %g, want %g, %g", e.Estimate, e.SE, math.Log(1.1), want)
	}
}
