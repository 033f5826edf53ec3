package words

import (
	"testing"

	"perfdiff/diff/cause"
)

// TestSchedule: how stages go through a step, against the baseline where both are known; where one
// side alone has a pipeline, the sentence says which.
func TestSchedule(t *testing.T) {
	known := func(batches int) *cause.Pipeline {
		return &cause.Pipeline{Stages: 4, MicroBatches: batches, Chunks: 1, Schedule: "1F1B"}
	}
	for _, tt := range []struct {
		base, cand *cause.Pipeline
		want       string
	}{
		{known(8), known(4), "4 micro-batches instead of 8 pass through 4 stages (1F1B)"},
		{known(8), &cause.Pipeline{}, "8 micro-batches pass through 4 stages (1F1B) in the baseline"},
		{&cause.Pipeline{}, known(4), "4 micro-batches pass through 4 stages (1F1B) in the candidate"},
	} {
		if got := plain(Schedule(tt.base, tt.cand)); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
