package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestOwnTrace: a trace that perfdiff wrote, left among the profiles, is told to be one, and
// costs the set nothing.
func TestOwnTrace(t *testing.T) {
	dir := writeStory(t, "aa", synth.Kineto)
	for _, name := range []string{"steps.json", "steps.json.gz"} {
		made := filepath.Join(dir, name)
		mustRun(t, statusOK, append(sides(dir), "-q", "--perfetto", made)...)
		if err := os.Rename(made, filepath.Join(dir, "baseline", name)); err != nil {
			t.Fatal(err)
		}
	}
	out, stderr := mustRun(t, statusOK, sides(dir)...)
	if all := strings.Join(strings.Fields(out+stderr), " "); !strings.Contains(all, "a trace that perfdiff wrote of a few steps") || strings.Contains(all, "usable time") {
		t.Errorf("got %s", all)
	}
}
