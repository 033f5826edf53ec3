package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestWindow: a comparison of some seconds of each capture says which steps lie outside; none inside is an error that
// says where they lie, and so are what is no window and logs.
func TestWindow(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	base, cand, out := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), filepath.Join(t.TempDir(), "r.json")
	mustRun(t, statusOK, base, cand, "--window", "0-1", "-o", out, "-q")
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "outside of --window 0-1\"") {
		t.Error("the report does not say which steps lie outside of the window")
	}
	if strings.Contains(string(text), "other-steps") { // ranks that leave a step out say nothing of its kind
		t.Error("steps that a rank leaves out are told as steps of another kind")
	}
	log := filepath.Join(writeStory(t, "aa", synth.StepLog), "baseline")
	for _, tt := range []struct{ path, window, want string }{
		{base, "1000-2000", "nothing to measure in --window 1000-2000: the steps lie from "},
		{base, "2-1", "--window 2-1: must be two times in seconds"},
		{base, "1-nan", "--window 1-nan: must be two times in seconds"},
		{log, "0-1", "--window is for profiles"},
	} {
		if _, stderr := mustRun(t, statusError, "report", tt.path, "--window", tt.window); !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.window, stderr, tt.want)
		}
	}
}
