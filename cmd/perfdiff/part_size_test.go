package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPartSize: the part of a rank has at most 5 % of its profile, of a model of 96 layers, 100 steps
// and some 700 kernels a step, in a job of 8 ranks.
func TestPartSize(t *testing.T) {
	dir, _ := writeEdited(t, "nodes-in-directories", synth.Nsight, strings.NewReplacer("nodes: 2", "nodes: 1", "layout: nodes", "layout: ''", "steps: 24", "steps: 100",
		"job:\n", "job:\n  layers: 96\n"))
	set := filepath.Join(dir, "baseline")
	profile, err := os.Stat(filepath.Join(set, "report.0.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	parts := filepath.Join(t.TempDir(), "parts")
	mustRun(t, statusOK, "summarize", set, "-q", "--shard", "0/8", "-o", parts)
	part, err := os.Stat(filepath.Join(parts, "shard-000000-of-000008.part"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a profile of %.1f MB, its part of %.0f kB: %.2f %%", float64(profile.Size())/1e6, float64(part.Size())/1e3, 100*float64(part.Size())/float64(profile.Size()))
	if part.Size()*20 > profile.Size() {
		t.Errorf("the part has %d bytes, more than 5 %% of %d", part.Size(), profile.Size())
	}
}
