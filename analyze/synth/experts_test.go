package synth_test

import (
	"context"
	"math"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// TestExperts: what ranks wait in all-to-alls of different sizes is what the timeline says, to
// the microseconds that their ends differ by, whether NCCL's own calls are recorded or PyTorch's.
func TestExperts(t *testing.T) {
	text, err := testdata.Story("expert-imbalance")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		story, err := synth.Parse("expert-imbalance", text)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		truth, err := story.Write(context.Background(), dir, format)
		if err != nil {
			t.Fatal(err)
		}
		set, err := analyze.Load(context.Background(), dir+"/candidate", analyze.Options{Step: step.Options{SkipFirst: -1}})
		if err != nil {
			t.Fatal(err)
		}
		for i, rank := range truth.Candidate[0].Ranks {
			waits := set.Runs[0].Ranks[i].Values(run.Key{Metric: run.CommWaitTime, Part: "AllToAll"})
			for k, s := range rank.Steps {
				want := int64(0)
				for _, c := range s.AllToAlls {
					want += c.Wait
				}
				if waits == nil || math.Abs(waits[k]-seconds(want)) > 5e-6*float64(len(s.AllToAlls)) {
					t.Fatalf("%v, rank %d, step %d: got a wait of %v, want %v", format, rank.Rank, s.Number, waits, seconds(want))
				}
			}
		}
	}
}
