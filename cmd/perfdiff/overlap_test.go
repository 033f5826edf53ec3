package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestOneSideHoldsTheOther: a directory above both sides is an error that names what may have
// been meant, before a profile is read; the same set twice is told by what it holds.
func TestOneSideHoldsTheOther(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	t.Chdir(dir)
	if err := os.Mkdir("saved", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, side := range []string{"baseline", "candidate"} {
		mustRun(t, statusOK, "summarize", side, "-q", "-o", filepath.Join("saved", side+".perfdiff"))
	}
	for _, tt := range []struct {
		base, cand string
		exit       int
		want       string
	}{
		{".", "candidate", 2, "perfdiff: error: baseline: .: 4 of its files are also in the candidate, candidate (give each side its own runs, as in baseline)"},
		{"baseline", ".", 2, "perfdiff: error: candidate: .: 4 of its files are also in the baseline, baseline (give each side its own runs, as in candidate)"},
		{"./", dir + "/candidate/", 2, "4 of its files are also in the candidate"},
		{"saved", "saved/candidate.perfdiff", 2, "perfdiff: error: baseline: saved: one of its files is also in the candidate, saved/candidate.perfdiff (give each side its own runs, as in RUNS/baseline)"},
		{"candidate/report.0.sqlite", "candidate", 2, "perfdiff: error: candidate: candidate: one of its files is also in the baseline"},
		{"baseline", "baseline/../baseline", 3, "perfdiff: not judged: Nothing was measured: both sides are the same files."},
		{"saved/baseline.perfdiff", "baseline", 3, "perfdiff: not judged: Nothing was measured"},
		{"baseline", "candidate", 0, ""},
		{"saved/baseline.perfdiff", "saved/candidate.perfdiff", 0, ""},
	} {
		if _, stderr := mustRun(t, tt.exit, tt.base, tt.cand, "-q"); !strings.Contains(stderr, tt.want) {
			t.Errorf("%s against %s: got %s want %q", tt.base, tt.cand, stderr, tt.want)
		}
	}
}
