package main

import (
	"math"
	"path/filepath"
	"testing"

	"perfdiff/analyze/synth"
)

// TestSplitOnSomeRanks: where one profiler names peers and the other does not, waiting and
// transfer are compared on the ranks alone on which both tell them apart, not those of the ends of
// a pipeline with those of all stages; communication of unknown dimension is not compared where
// one side knows more; and the path is, as both sides know its launches.
func TestSplitOnSomeRanks(t *testing.T) {
	nsight := filepath.Join(writeStory(t, "pipeline-bubble", synth.Nsight), "baseline")
	pytorch := filepath.Join(writeStory(t, "pipeline-bubble", synth.Kineto), "candidate")
	d := groupsDocument(t, nsight, pytorch)
	found := 0
	for _, c := range d.Parts {
		switch {
		case c.Metric == "dimension_transfer_time" && c.Part == "pipeline parallel":
			found++
			if b, c := float64(c.Median.Baseline), float64(c.Median.Candidate); !(math.Abs(c/b-1) < 0.02) {
				t.Errorf("transfer: got %v and %v s, want the same, of the same ranks", b, c)
			}
		case c.Metric == "dimension_transfer_time" && c.Part == "other":
			t.Errorf("other communication is compared, though one side knows what it serves: %v", c.Median)
		}
	}
	if alike := groupsDocument(t, nsight, filepath.Join(writeStory(t, "pipeline-bubble", synth.Nsight), "candidate")); found != 1 ||
		len(d.Path.Parts) == 0 || len(d.Path.Parts) > len(alike.Path.Parts) {
		t.Errorf("got %d transfers and a path of %d parts, want 1 and at most %d parts", found, len(d.Path.Parts), len(alike.Path.Parts))
	}
}
