package nsys_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/analyze/trace"
)

var errFull = errors.New("no room")

// exportsOfEachKind are one large export as a file and as a directory.
func exportsOfEachKind(t *testing.T, n nsystest.Rows) map[string]string {
	t.Helper()
	dir := t.TempDir()
	sqlite, parquet := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "c")
	err := errors.Join(nsystest.LargeExport(context.Background(), sqlite, n),
		parquetdir.WriteRead(context.Background(), sqlite, parquet))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"a file": sqlite, "a directory": parquet}
}

// TestRoomIsAskedFor: whatever holds the tables, at least what their rows take is asked
// for before they are read, and where it is refused the reading ends.
func TestRoomIsAskedFor(t *testing.T) {
	n := nsystest.Rows{Kernels: 30_000, Calls: 75_000, OS: 100, Ranges: 100}
	for name, path := range exportsOfEachKind(t, n) {
		asked := int64(0)
		counted := &trace.Options{Room: func(bytes int64) bool { asked += bytes; return true }}
		traces, err := nsys.Read(context.Background(), path, counted)
		if err != nil || len(traces) != 1 || len(traces[0].Device) != n.Kernels {
			t.Errorf("%s: got %d traces, %v, want one of %d kernels", name, len(traces), err, n.Kernels)
			continue
		}
		takes := int64(trace.SpanSize*len(traces[0].Device) + trace.CallSize*len(traces[0].API))
		if asked < takes || asked > 4*takes {
			t.Errorf("%s: got %d bytes asked for, want %d to %d", name, asked, takes, 4*takes)
		}
		ended, cancel := context.WithCancelCause(context.Background())
		_, err = nsys.Read(ended, path, &trace.Options{Room: func(int64) bool { cancel(errFull); return false }})
		if err == nil || context.Cause(ended) != errFull {
			t.Errorf("%s: got %v, want the reading ended", name, err)
		}
	}
}
