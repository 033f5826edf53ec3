package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// TestOwnTime: the maps open on what ranks take without waiting for others, on which the straggler
// is the one that takes longest.
func TestOwnTime(t *testing.T) {
	var stdout, stderr bytes.Buffer
	run(context.Background(), append(sides(writeStory(t, "straggler-rank3", synth.Nsight)), "-q", "-o", "-", "--format", "html"), &stdout, &stderr)
	_, reading, _ := strings.Cut(stdout.String(), "Own time, the step without waiting for other ranks, goes in the candidate from")
	reading, _, _ = strings.Cut(reading, "</p>")
	if !strings.Contains(reading, "ms (rank 3) per step.") {
		t.Errorf("the maps do not begin with the own time of rank 3: %q", reading)
	}
	d, err := golden.Decode(stdout.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if d.Map == nil || d.Map.Metrics[0].Name != "Own time" {
		t.Fatalf("the first map is not that of own time: %+v", d.Map)
	}
	own := d.Floats(d.Map.Metrics[0].Cand, d.Map.Columns*len(d.Ranks))
	for rank := range d.Ranks {
		for step := 1; step < d.Map.Columns-1; step++ {
			if at := own[rank*d.Map.Columns+step]; rank != 3 && !(at < own[3*d.Map.Columns+step]) {
				t.Errorf("step %d: rank %d takes %v ms of its own, rank 3 %v", step, rank, at, own[3*d.Map.Columns+step])
			}
		}
	}
}
