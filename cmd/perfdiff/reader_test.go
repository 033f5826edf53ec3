package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/source/nsys/table/enginetest"
	"perfdiff/analyze/synth"
	"perfdiff/golden"
	"perfdiff/testdata"
)

// outputsIn is all that the program says of its arguments: both streams, exit status and
// report.
func outputsIn(ctx context.Context, t *testing.T, args ...string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.json")
	var stdout, stderr bytes.Buffer
	status := run(ctx, append(args, "-o", out), &stdout, &stderr)
	report, err := os.ReadFile(out)
	if err != nil && status != statusError {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	said := append(stdout.Bytes(), stderr.Bytes()...)
	said = append(bytes.ReplaceAll(said, []byte(filepath.Dir(out)), nil), byte('0'+status))
	return append(said, report...)
}

// sameByEngine holds the decoder of pages to SQLite.
func sameByEngine(t *testing.T, args ...string) {
	t.Helper()
	ctx, asked := t.Context(), false
	engine := outputsIn(table.WithOpener(ctx, func(ctx context.Context, path string, progress func(int64)) (table.File, string, error) {
		asked = true
		return enginetest.Open(ctx, path, progress)
	}), t, args...)
	pages := outputsIn(ctx, t, args...)
	if !asked {
		t.Errorf("%s: SQLite was not asked", filepath.Base(args[0]))
	}
	if at := differAt(pages, engine); at >= 0 {
		t.Errorf("%s: the pages give %d bytes, the engine %d, and from byte %d on other ones: %.120q and %.120q",
			filepath.Base(args[0]), len(pages), len(engine), at, pages[at:], engine[at:])
	}
}

// differAt is where two texts part, -1 if they do not.
func differAt(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return min(len(a), len(b))
}

// TestReaderEngine: SQLite itself reads every story and every real export to the same
// report, byte for byte.
func TestReaderEngine(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			sameByEngine(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		})
	}
	t.Run("real", func(t *testing.T) {
		real := golden.RealFiles(t, "nsys/*.sqlite")
		for i, path := range real {
			sameByEngine(t, path, real[(i+1)%len(real)], "--force")
		}
	})
}
