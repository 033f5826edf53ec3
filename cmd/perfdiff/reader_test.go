package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/golden"
	"perfdiff/testdata"
)

// TestCheckReader: perfdiff and SQLite read the same rows of every story and every real export.
func TestCheckReader(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			for _, side := range []string{"baseline", "candidate"} {
				if name == "truncated" && side == "candidate" { // which no reader reads
					mustRun(t, statusError, "check", filepath.Join(dir, side), "--reader", "sqlite")
					continue
				}
				out, _ := mustRun(t, statusOK, "check", filepath.Join(dir, side), "--reader", "sqlite")
				if !strings.HasPrefix(out, "the same ") || strings.Contains(out, "only SQLite") {
					t.Errorf("%s: got %s", side, out)
				}
			}
		})
	}
	t.Run("real", func(t *testing.T) {
		for _, path := range golden.RealFiles(t, "nsys/*.sqlite") {
			mustRun(t, statusOK, "check", path, "--reader", "sqlite")
		}
	})
}

// TestCheckReaderSays: what only SQLite reads is counted, what neither reads is an error, and
// nothing is said of a set without databases.
func TestCheckReaderSays(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow, "ALTER TABLE NVTX_EVENTS ADD COLUMN more INTEGER DEFAULT 7",
		"CREATE TABLE w (k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES ('a')")
	out, _ := mustRun(t, statusOK, "check", path, "--reader", "sqlite")
	if !strings.Contains(out, "only SQLite reads") {
		t.Errorf("got %s, want what is left to SQLite", out)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:len(content)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said := mustRun(t, statusError, "check", path, "--reader", "sqlite"); !strings.Contains(said, "truncated") {
		t.Errorf("got %s, want that it is truncated", said)
	}
	if _, said := mustRun(t, statusError, "check", path, "--reader", "x"); !strings.Contains(said, "--reader x: it must be sqlite") {
		t.Errorf("got %s, want what the reader can be", said)
	}
}
