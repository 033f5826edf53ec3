package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/testdata"
)

// TestDemoStories: every story is listed with what it is about, and can be written for
// both profilers and compared.
func TestDemoStories(t *testing.T) {
	list, _ := mustRun(t, statusOK, "demo", "--list")
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) != len(testdata.Names()) {
		t.Fatalf("%d lines of %d stories:\n%s", len(lines), len(testdata.Names()), list)
	}
	for i, name := range testdata.Names() {
		if fields := strings.Fields(lines[i]); fields[0] != name || len(fields) < 3 {
			t.Errorf("got %q, want %s and what it is about", lines[i], name)
		}
	}
	for format, want := range map[string]string{"nsight": "rank0.sqlite", "pytorch": "rank0.json"} {
		dir := filepath.Join(t.TempDir(), "sample")
		out, _ := mustRun(t, statusOK, "demo", "--story", "missing-rank", "--format", format, dir)
		if !strings.Contains(out, ": 8 and 6 ranks\n") {
			t.Errorf("got %s", out)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "baseline", "*")); len(files) != 8 || !strings.HasSuffix(files[0], want[len("rank0"):]) {
			t.Errorf("%s: got %v", format, files)
		}
		if text, _ := mustRun(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")); !strings.Contains(text, "2 ranks of the candidate are missing: 2, 5.") {
			t.Errorf("%s: got %s", format, text)
		}
	}
}
