package main

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// largeRank writes a rank file that takes some 200 MB in memory as a whole, and edits it.
func largeRank(t *testing.T, dir string, edits ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "report.0.sqlite")
	rows := synth.Rows{Kernels: 1_000_000, Calls: 1_500_000, OS: 300_000, Ranges: 60_000}
	if err := synth.LargeExport(context.Background(), path, rows); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, edit := range edits {
		if _, err := db.Exec(edit); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLargerThanMemory: a rank file that does not fit is read in parts, and nothing that
// is written tells; where a step alone does not fit it is left out, and said.
func TestLargerThanMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes rank files of 180 MB")
	}
	dir := t.TempDir()
	largeRank(t, filepath.Join(dir, "large"))
	saved := func(memory string) []byte {
		out := filepath.Join(dir, memory+".perfdiff")
		var stdout, stderr bytes.Buffer
		args := []string{"summarize", filepath.Join(dir, "large"), "-o", out, "--max-memory", memory}
		if status := run(context.Background(), args, &stdout, &stderr); status != 0 {
			t.Fatalf("--max-memory %s: status %d\n%s", memory, status, stderr.String())
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if whole, parts := saved("2G"), saved("100M"); !bytes.Equal(whole, parts) {
		t.Errorf("the summaries differ: %d and %d bytes", len(whole), len(parts))
	}

	largeRank(t, filepath.Join(dir, "one"),
		"DELETE FROM NVTX_EVENTS WHERE text LIKE 'step %' AND text NOT IN ('step 0', 'step 99')")
	var stdout, stderr bytes.Buffer
	args := []string{"summarize", filepath.Join(dir, "one"), "-o", filepath.Join(dir, "one.perfdiff"), "--max-memory", "100M"}
	status := run(context.Background(), args, &stdout, &stderr)
	want := "report.0.sqlite: needs more memory than is allowed: the limit is 100 MB (raise --max-memory, or record " +
		"fewer steps); it was not read in parts: one step alone needs more than "
	if status != 2 || !strings.Contains(stderr.String(), want) {
		t.Errorf("one step: got status %d, %s, want 2, %s", status, stderr.String(), want)
	}
}
