package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// largeRank writes a rank file that takes some 200 MB in memory as a whole, and edits it.
func largeRank(t *testing.T, dir string, edits ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "report.0.sqlite")
	rows := nsystest.Rows{Kernels: 1_000_000, Calls: 1_500_000, OS: 300_000, Ranges: 60_000}
	if err := nsystest.LargeExport(context.Background(), path, rows); err != nil {
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

// TestTraceLargerThanMemory: a trace of PyTorch is not read in parts, and what is said of
// one that does not fit names that and what helps.
func TestTraceLargerThanMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads two million kernels")
	}
	zip := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.Bytes()
	}
	kernels := strings.Repeat(`{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1},`, 1000)
	text := append(zip(`{"schemaVersion":1,"distributedInfo":{"rank":0},"traceEvents":[`), bytes.Repeat(zip(kernels), 2000)...)
	step := `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":9}]}`
	text = append(text, zip(step)...)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "worker0.json.gz"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	args := []string{"summarize", dir, "-o", filepath.Join(t.TempDir(), "x.perfdiff"), "--max-memory", "64M"}
	status := run(context.Background(), args, &stdout, &stderr)
	want := "worker0.json.gz: needs more memory than is allowed: the limit is 64 MB (raise --max-memory, or record " +
		"fewer steps); it was not read in parts: only exports of Nsight Systems can be, and the events of a trace in " +
		"JSON stand in no order of steps"
	if status != 2 || !strings.Contains(stderr.String(), want) {
		t.Errorf("got status %d, %s, want 2, %s", status, stderr.String(), want)
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
	little := fmt.Sprintf("%dM", 85+heldMB())
	if whole, parts := saved("2G"), saved(little); !bytes.Equal(whole, parts) {
		t.Errorf("the summaries differ: %d and %d bytes", len(whole), len(parts))
	}

	largeRank(t, filepath.Join(dir, "one"),
		"DELETE FROM NVTX_EVENTS WHERE text LIKE 'step %' AND text NOT IN ('step 0', 'step 99')")
	var stdout, stderr bytes.Buffer
	args := []string{"summarize", filepath.Join(dir, "one"), "-o", filepath.Join(dir, "one.perfdiff"), "--max-memory", little}
	status := run(context.Background(), args, &stdout, &stderr)
	want := "report.0.sqlite: needs more memory than is allowed: the limit is " + strings.TrimSuffix(little, "M") + " MB (raise --max-memory, or record " +
		"fewer steps); it was not read in parts: one step alone needs more than "
	if status != 2 || !strings.Contains(stderr.String(), want) {
		t.Errorf("one step: got status %d, %s, want 2, %s", status, stderr.String(), want)
	}
}

// heldMB is what other tests of this process hold, in MB: a limit counts that as well.
func heldMB() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	runtime.ReadMemStats(&m)
	return m.HeapAlloc / 1e6
}
