package nsys

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// read is Read of a file that must be readable.
func read(t testing.TB, path string) []*trace.Trace {
	t.Helper()
	traces, err := Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

func readSmall(t *testing.T, statements ...string) *trace.Trace {
	t.Helper()
	traces := read(t, nsystest.Export(t, statements...))
	if len(traces) != 1 {
		t.Fatalf("traces: got %d want 1", len(traces))
	}
	return traces[0]
}

func warned(x *trace.Trace, text string) bool {
	return slices.ContainsFunc(x.Warnings, func(w trace.Warning) bool { return strings.Contains(w.Text, text) })
}

func TestKernels(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
		(90, 95, 0, 4294967295, 9, $P, 1), (-50, -10, 0, 7, 2, $P, 0), (-50, 10, 0, 7, NULL, $P, 900000000),
		(300, 250, 0, 7, 2, $P, 0), (300, NULL, 0, 7, 2, $P, 0), ('x', 400, 0, 7, 2, $P, 0)`)
	type span struct {
		start, launch int64
		name, coll    string
		class         trace.Class
		stream        int32
	}
	want := []span{
		{-50, trace.NoTime, "far", "", trace.Compute, 7},
		{90, trace.NoTime, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", "AllReduce", trace.Comm, -1},
		{100, 50, "void add<float>(float*)", "", trace.Compute, 7},
	}
	var got []span
	for _, s := range x.Device {
		got = append(got, span{s.Start, s.Launch, x.Names.Text(s.Name), x.Names.Text(x.Messages.Coll(&s)), s.Class, s.Stream})
	}
	if !slices.Equal(got, want) {
		t.Errorf("spans: got %v want %v", got, want)
	}
	if !warned(x, "1 rows were left out: they ended before") || !warned(x, "3 rows were left out: they have no start and end") {
		t.Errorf("warnings: got %v want one about 1 early row and one about 3 invalid rows", x.Warnings)
	}
	if got, want := x.Names.Text(x.Names.Caller(x.API[0]).Name), "cudaLaunchKernel"; got != want {
		t.Errorf("call: got %q want %q", got, want)
	}
	if x.Capture != (trace.Interval{Start: 0, End: 10000}) || x.Epoch != 1700000000000000000 {
		t.Errorf("capture: got %v from %d want [0, 10000) from 1700000000000000000", x.Capture, x.Epoch)
	}
}

func TestCorrelationIsOfTheProcess(t *testing.T) {
	traces := read(t, nsystest.Export(t, nsystest.KernelRow, `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 1, 7, 1, $Q, 0);
		INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (300, 400, 3, 7, 2, $Q, 0);
		INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (70, 80, $U, 1, 2), (65, 90, $U, 1, 2), (200, 210, $U, 2, 2)`))
	var got []int64
	for _, x := range traces {
		got = append(got, x.Identity.Process, int64(x.Identity.Device), x.Device[0].Launch, int64(len(x.API)))
	}
	want := []int64{4242, 0, 50, 1, 4243, 1, 65, 3, 4243, 3, 200, 3}
	if !slices.Equal(got, want) {
		t.Errorf("process, device, launch, calls: got %v want %v", got, want)
	}
}

func TestCopies(t *testing.T) {
	x := readSmall(t, `INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 7, 1, $P, 4096, 1), (3, 4, 0, 7, 1, $P, -5, 77)`)
	a, b := x.Device[0], x.Device[1]
	if a.Copy != trace.HostToDev || a.Bytes() != 4096 || a.Class != trace.Memory || x.Names.Text(a.Name) != "Memcpy HtoD" {
		t.Errorf("copy: got %+v want 4096 bytes to the device", a)
	}
	if b.Copy != trace.CopyUnknown || b.Bytes() != 0 || x.Names.Text(b.Name) != "Memcpy" {
		t.Errorf("copy: got %+v want one of unknown direction and size", b)
	}
}

func TestRanges(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO NVTX_EVENTS VALUES
		(0, NULL, 75, 'NCCL', NULL, 3, $T, NULL), (0, NULL, 75, 'other', NULL, 3, $U, NULL),
		(10, 20, 59, 'aten::mm, op_id = 12', NULL, 0, $T, NULL), (20, 30, 60, NULL, 5, 3, $T, NULL),
		(30, NULL, 59, 'open', NULL, 0, $T, NULL), (40, NULL, 34, 'mark', NULL, 0, $T, NULL), (-9, -1, 59, 'early', NULL, 0, $T, NULL)`)
	var got []string
	for _, r := range x.Ranges {
		got = append(got, x.Names.Text(r.Name)+"|"+x.Names.Text(r.Domain))
	}
	if want := []string{"aten::mm|", "forward|NCCL", "open|"}; !slices.Equal(got, want) {
		t.Errorf("ranges: got %v want %v", got, want)
	}
	if end := x.Ranges[2].End; end != 10000 || !warned(x, "1 ranges were open") {
		t.Errorf("open range: ends at %d, warnings %v, want 10000 and a warning", end, x.Warnings)
	}
}

func TestHostActivity(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO OSRT_API VALUES (1, 2, $T, 4), (3, 4, $T, 3), (5, 6, $U, 3);
		INSERT INTO OSRT_FILE_ACCESS_DESCRIPTORS VALUES (1, 4242), (2, 4243);
		INSERT INTO OSRT_FILE_ACCESS_EVENTS VALUES (1, 4299, 10, 20, 3, 100), (2, 4243, 30, 40, 4, 50), (1, 4299, 50, 60, 1, 0);
		INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (5, 9, 0, 4294967295, $P, 4)`)
	if want := []trace.Call{x.Names.Call(3, 4, x.Names.ID("read"), 4242), x.Names.Call(5, 6, x.Names.ID("read"), -4242)}; !slices.Equal(x.OS, want) {
		t.Errorf("system calls: got %v want the read of the process and that of its helper", x.OS)
	}
	want := []trace.FileAccess{
		{Start: 10, End: 20, Bytes: 100, Thread: 4299, Op: trace.OpRead},
		{Start: 30, End: 40, Bytes: 50, Thread: 4243, Op: trace.OpWrite},
		{Start: 50, End: 60, Thread: 4299},
	}
	if !slices.Equal(x.Access, want) {
		t.Errorf("file accesses: got %v want %v", x.Access, want)
	}
	if want := []trace.Sync{{Start: 5, End: 9, Stream: -1, Type: 4}}; !slices.Equal(x.Syncs, want) {
		t.Errorf("waits: got %v want %v", x.Syncs, want)
	}
	for _, bit := range []trace.Recorded{trace.HasOS, trace.HasFileBytes, trace.HasSyncs} {
		if !x.Recorded.Has(bit) {
			t.Errorf("recorded: got %b want %b in it", x.Recorded, bit)
		}
	}
}

// TestHelperProcesses: of the calls of processes without device work those that read
// are kept, if it is known whose data they read.
func TestHelperProcesses(t *testing.T) {
	const calls = `INSERT INTO StringIds VALUES (70, 'poll'), (71, 'pread64'), (72, 'pthread_cond_wait');
		INSERT INTO OSRT_API VALUES (10, 90, $T, 70), (20, 60, $U, 71), (20, 95, $U, 70), (65, 80, $U, 3), (82, 90, $U, 72), (90000, 99000, $U, 9)`
	x := readSmall(t, nsystest.KernelRow, calls)
	got := ""
	for _, c := range x.OS {
		got += fmt.Sprintf("%s %d-%d by %d; ", x.Names.Text(x.Names.Caller(c).Name), c.Start, c.End(), x.Names.Caller(c).Thread)
	}
	if want := "poll 10-90 by 4242; pread64 20-60 by -4242; read 65-80 by -4242; "; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	second := strings.NewReplacer("$P", "$Q", "$T", "$U").Replace(nsystest.KernelRow) + `; INSERT INTO OSRT_API VALUES (30, 40, 281546000000000000, 3)`
	for _, x := range read(t, nsystest.Export(t, nsystest.KernelRow, second, calls)) {
		for _, c := range x.OS {
			if x.Names.Caller(c).Thread < 0 {
				t.Errorf("two ranks in a file: got a helper's %v", c)
			}
		}
	}
}

func TestHostOnly(t *testing.T) {
	traces := read(t, nsystest.Export(t, `INSERT INTO OSRT_API VALUES (3, 4, $T, 3), (5, 6, $U, 3)`))
	if len(traces) != 1 || traces[0].Identity.Device != -1 || !warned(traces[0], "no device work") {
		t.Errorf("host only: got %d traces, want one without a device and a warning", len(traces))
	}
}

// TestAccessWithoutDevice: file accesses name their process by the system's number, and
// are no process of their own beside the one that has that number; those of loaders go
// to the one process that says what it does.
func TestAccessWithoutDevice(t *testing.T) {
	const accesses = `INSERT INTO OSRT_FILE_ACCESS_DESCRIPTORS VALUES (1, 4242), (2, 4299);
		INSERT INTO OSRT_FILE_ACCESS_EVENTS VALUES (1, 4242, 10, 20, 3, 100), (2, 4299, 30, 40, 3, 50)`
	const span = `INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'step 1', NULL, 0, $T, NULL)`
	for _, tt := range []struct {
		rows []string
		want string
	}{
		{[]string{accesses, span}, "4242: 2 "},
		{[]string{accesses, `INSERT INTO OSRT_API VALUES (3, 4, $T, 3)`}, "4242: 2 "},
		{[]string{accesses, span, strings.ReplaceAll(span, "$T", "$U")}, "4242: 1 4243: 0 "},
	} {
		got := ""
		for _, x := range read(t, nsystest.Export(t, tt.rows...)) {
			got += fmt.Sprintf("%d: %d ", x.Identity.Process, len(x.Access))
		}
		if got != tt.want {
			t.Errorf("%v: got file accesses by process %s, want %s", tt.rows[1:], got, tt.want)
		}
	}
}

func TestProgressAddsUp(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	if _, err := Read(context.Background(), path, &trace.Options{Progress: func(n int64) { sum += n }}); err != nil {
		t.Fatal(err)
	}
	if sum != info.Size() {
		t.Errorf("progress: got %d want %d", sum, info.Size())
	}
}

// TestCancel ends a scan of a table with texts of another encoding.
func TestCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "utf16.sqlite")
	nsystest.WriteDatabase(t, path, "PRAGMA encoding = 'UTF-16'", `CREATE TABLE OSRT_API AS
		WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 50000) SELECT i AS start, i AS end, 1 AS globalTid, 1 AS nameId FROM s`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	_, err := Read(ctx, path, &trace.Options{Progress: func(int64) { calls++; cancel() }})
	if !errors.Is(err, context.Canceled) || calls == 0 || calls > 3 {
		t.Errorf("got %v after %d reports, want %v soon after the first", err, calls, context.Canceled)
	}
}

func TestOddPath(t *testing.T) {
	small := nsystest.Export(t, nsystest.KernelRow)
	path := filepath.Join(t.TempDir(), "a b?c=#%41'\"&é.sqlite")
	if err := os.Rename(small, path); err != nil {
		t.Fatal(err)
	}
	if x := read(t, path)[0]; x.File != filepath.Base(path) || len(x.Device) != 1 {
		t.Errorf("odd path: got %q with %d spans", x.File, len(x.Device))
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		t.Error("a file was written beside the export")
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile(nsystest.Export(t, nsystest.KernelRow))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, content, want string
	}{
		{"empty.sqlite", "", "empty.sqlite: not an Nsight Systems export: the file is empty"},
		{"text.sqlite", "hello", "text.sqlite: not an Nsight Systems export: not a SQLite database"},
		{"head.sqlite", "SQLite format 3\x00", "head.sqlite: truncated: 16 of 512 bytes (copy it again, "},
		{"cut.sqlite", string(whole[:len(whole)/2]), "cut.sqlite: truncated: "},
		{"garbage.sqlite", string(whole[:100]) + strings.Repeat("x", len(whole)-100), "garbage.sqlite: damaged: "},
	}
	for _, tt := range tests {
		path := filepath.Join(dir, tt.name)
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(context.Background(), path, nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v want %s…", tt.name, err, tt.want)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing.sqlite")} {
		if _, err := Read(context.Background(), path, nil); err == nil || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v want an error without the path", filepath.Base(path), err)
		}
	}
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	readIn := func(order string) *trace.Trace {
		const rows = ` FROM (WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM s WHERE i < 499) SELECT $i AS i FROM s)`
		return readSmall(t,
			`INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i*10, i*10+5, 0, 7, i+1, $P, i%2`+strings.ReplaceAll(rows, "$i", order),
			`INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i*10, i*10+5, $T, i+1, 2`+strings.ReplaceAll(rows, "$i", order))
	}
	sorted, shuffled := readIn("i"), readIn("i*7919 % 500")
	if !slices.Equal(shuffled.API, sorted.API) || !slices.EqualFunc(shuffled.Device, sorted.Device, func(a, b trace.Span) bool {
		return a.Start == b.Start && a.Launch == b.Launch && shuffled.Names.Text(a.Name) == sorted.Names.Text(b.Name)
	}) {
		t.Error("shuffled rows: want what sorted rows give")
	}
}
