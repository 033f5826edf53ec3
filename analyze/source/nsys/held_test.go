package nsys

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// mixed is an export in which the pages of kernels and calls alternate, with what changes in it.
func mixed(t *testing.T, changes ...string) string {
	path := filepath.Join(t.TempDir(), "mixed.sqlite")
	rows := nsystest.Rows{Kernels: 4000, Calls: 6000, OS: 500, Ranges: 300, Interleaved: true}
	if err := nsystest.LargeExport(context.Background(), path, rows); err != nil {
		t.Fatal(err)
	}
	nsystest.WriteDatabase(t, path, changes...)
	return path
}

// readBoth reads an export with its kernels and calls together, and through SQLite, where it
// is read one table after the other.
func readBoth(t *testing.T, path string) (together, apart []*trace.Trace) {
	ctx := context.Background()
	file, _, err := table.Open(ctx, path, table.ExportWords, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !file.Mixed(ctx, kernelTable, runtimeTable) {
		t.Fatal("got that kernels and calls are not mixed")
	}
	if together, err = Read(ctx, path, nil); err != nil {
		t.Fatal(err)
	}
	if apart, err = Read(ctx, path, &trace.Options{BySQLite: true}); err != nil {
		t.Fatal(err)
	}
	return together, apart
}

// TestHeldCalls: calls that are read with the kernels are the same as those read behind them.
func TestHeldCalls(t *testing.T) {
	for name, changes := range map[string][]string{
		"as it is": nil,
		"calls of a process without device work": {
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid + (77 << 24) WHERE rowid % 3 = 0"},
		"two processes": {
			"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = globalPid + (77 << 24) WHERE rowid % 2 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid + (77 << 24) WHERE rowid % 5 = 0"},
		"calls before the capture, and without times in order": {
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = start - 20000000000, end = end - 20000000000 WHERE rowid < 900",
			fmt.Sprintf("UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = %d WHERE rowid = 1000", math.MinInt64+1),
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = start - 1 WHERE rowid % 50 = 7"},
		"ids that are large, not positive, not there or the same": {
			"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = correlationId + (1 << 40) WHERE rowid % 2 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = correlationId + (1 << 40) WHERE rowid % 3 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = -correlationId WHERE rowid % 7 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = NULL WHERE rowid % 11 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 5 WHERE rowid % 13 = 0"},
		"rows that are gone": {"DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid BETWEEN 2000 AND 4000"},
		"no device work":     {"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1"},
		"copies of another process": {
			"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER)",
			"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT start, end, 0, 7, correlationId + 1, globalPid + (77 << 24), 4096, 1 FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 9 = 0",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid + (77 << 24) WHERE rowid % 4 = 0"},
	} {
		together, apart := readBoth(t, mixed(t, changes...))
		if len(together) != len(apart) {
			t.Errorf("%s: got %d traces, want %d", name, len(together), len(apart))
			continue
		}
		for i, got := range together {
			if want := apart[i]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %d spans, %d calls, %v, want %d, %d, %v, or others", name,
					len(got.Device), len(got.API), got.Warnings, len(want.Device), len(want.API), want.Warnings)
			}
		}
	}
}

// TestHeldDamage: calls on pages that cannot be read cost no kernel, and none of them is left.
func TestHeldDamage(t *testing.T) {
	path := mixed(t)
	whole, err := Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, root := nsystest.OpenDatabase(t, path), 0
	if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", runtimeTable).Scan(&root); err != nil {
		t.Fatal(err)
	}
	db.Close()
	const pageSize = 4096
	last := binary.BigEndian.Uint32(bytes[(root-1)*pageSize+8:])
	bytes[(last-1)*pageSize] = 99 // no page of a table is of this type
	if err := os.WriteFile(path, bytes, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, want := got[0], whole[0]; len(x.Device) != len(want.Device) || len(x.API) != 0 || x.Recorded.Has(trace.HasLaunches) ||
		len(x.OS) != len(want.OS) || x.Incomplete()&trace.Calls == 0 {
		t.Errorf("got %d spans, %d calls and %d of the system, recorded %b, %v", len(x.Device), len(x.API), len(x.OS), x.Recorded, x.Warnings)
	}
}
