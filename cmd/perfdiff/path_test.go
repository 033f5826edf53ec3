package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPathOfMissingRank: with a rank missing on one side alone, waiting counts as communication
// there, and the paths of the two sides are not compared.
func TestPathOfMissingRank(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	for _, missing := range []bool{false, true} {
		if missing {
			files, err := filepath.Glob(filepath.Join(dir, "candidate", "*3.sqlite"))
			if err != nil || len(files) != 1 {
				t.Fatalf("got files %v (%v), want that of rank 3", files, err)
			}
			if err := os.Remove(files[0]); err != nil {
				t.Fatal(err)
			}
		}
		text, _ := runAny(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		if strings.Contains(text, "critical path") == missing {
			t.Errorf("missing %v: got %s", missing, text)
		}
	}
}
