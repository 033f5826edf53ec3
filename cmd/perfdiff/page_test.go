package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPageSize: the page of 16 ranks and 100 steps, from profiles on, is small enough to be
// sent around. Larger jobs are held to their bytes in render/html.
func TestPageSize(t *testing.T) {
	dir, _ := writeEdited(t, "o-direct", synth.Nsight, strings.NewReplacer("steps: 19", "steps: 100"))
	page := filepath.Join(t.TempDir(), "report.html")
	mustRun(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-q", "-o", page)
	info, err := os.Stat(page)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := info.Size(), int64(900_000); got > want {
		t.Errorf("got a page of %d bytes, want at most %d", got, want)
	}
}
