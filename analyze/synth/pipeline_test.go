package synth

import (
	"fmt"
	"math"
	"testing"
)

// pipelineStory is a pipeline without anything else.
const pipelineStory = `
about: a pipeline
ranks: %d
steps: 3
job:
  noise: 0
  layers: 1
  forward: 120ms
  backward: 240ms
  optimizer: 1us
  input: {from: 1us}
  copy: {bytes: 0}
  all_reduce: {count: 0}
  pipeline: {stages: %d, micro_batches: %d, transfer: 1us}
`

// TestPipeline: whatever the number of stages and micro-batches, all of them pass, and stages idle
// or wait for (p - 1) of m + p - 1 turns, as the schedule's authors say.
func TestPipeline(t *testing.T) {
	for stages := 2; stages <= 6; stages++ {
		for batches := 1; batches <= 10; batches++ {
			s, err := Parse("pipeline", fmt.Appendf(nil, pipelineStory, stages, stages, batches))
			if err != nil {
				t.Fatal(err)
			}
			ideal := float64(stages-1) / float64(batches+stages-1)
			for i, r := range s.simulate(0, 0) {
				messages := 4 * batches
				if i == 0 || i == stages-1 {
					messages = 2 * batches
				}
				step := r.truth(0, Nsight)[1]
				if got := len(step.Messages); got != messages {
					t.Errorf("%d stages, %d micro-batches: got %d messages on stage %d, want %d", stages, batches, got, i, messages)
				}
				if got := float64(step.Bubble.Time) / float64(step.Time); math.Abs(got-ideal) > 0.01 {
					t.Errorf("%d stages, %d micro-batches: stage %d idles or waits for %.3f of a step, want %.3f", stages, batches, i, got, ideal)
				}
			}
		}
	}
}
