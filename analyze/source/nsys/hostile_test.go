package nsys

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// richExport is a small file with rows in every table.
func richExport(t testing.TB) []byte {
	t.Helper()
	path := nsystest.Export(t, nsystest.KernelRow, `INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 7, 1, $P, 4096, 1);
		INSERT INTO OSRT_API VALUES (3, 4, $T, 3), (5, 6, $U, 3); INSERT INTO MPI_RANKS VALUES ($T, 6);
		INSERT INTO OSRT_FILE_ACCESS_EVENTS VALUES (1, 4299, 10, 20, 3, 100);
		INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (5, 9, 0, 4294967295, $P, 4);
		INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'step 1', NULL, 0, $T, '{"Rank": 9, "No. of ranks": 32}'), (30, NULL, 60, NULL, 5, 0, $T, NULL);
		INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PARAM_INCLUDE_JSON', 'true');
		INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'GPU', 80); INSERT INTO DIAGNOSTIC_EVENT VALUES (2, 'lost');`)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// mustNotPanic reads content as a file and checks what holds for any file.
func mustNotPanic(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	traces, err := Read(context.Background(), path, nil)
	if (err == nil) != (len(traces) > 0) {
		t.Fatalf("got %d traces and error %v", len(traces), err)
	}
	for _, x := range traces {
		last := trace.NoTime
		for _, s := range x.Device {
			if s.End < s.Start || s.Start < last {
				t.Fatalf("span %+v is not in order", s)
			}
			last = s.Start
		}
	}
}

func TestReadEveryPrefix(t *testing.T) {
	content := richExport(t)
	path := filepath.Join(t.TempDir(), "cut.sqlite")
	for i := range 64 {
		mustNotPanic(t, path, content[:len(content)*i/64])
	}
}

func TestReadFlippedBytes(t *testing.T) {
	content := richExport(t)
	path := filepath.Join(t.TempDir(), "flipped.sqlite")
	for i := range 256 {
		flipped := bytes.Clone(content)
		flipped[(i*7919)%len(flipped)] ^= byte(1 + i%255)
		flipped[(i*104729+100)%len(flipped)] ^= 0xff
		mustNotPanic(t, path, flipped)
	}
}

func FuzzRead(f *testing.F) {
	content := richExport(f)
	f.Add(uint32(100), []byte{0xff})
	f.Add(uint32(4096), []byte{5, 0, 1})
	f.Add(uint32(len(content)-8), []byte("\x00\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		changed := bytes.Clone(content)
		copy(changed[int(at)%len(changed):], patch)
		mustNotPanic(t, filepath.Join(t.TempDir(), "fuzz.sqlite"), changed)
	})
}

// TestDamagedTable breaks the pages of one table: the others survive.
func TestDamagedTable(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow, `INSERT INTO OSRT_API WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 5000)
		SELECT i, i+1, $T, 3 FROM s`)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	last := content[len(content)-3*page : len(content)-2*page] // a leaf of the table that was filled last
	for i := range last {
		last[i] = 0xee
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	x := read(t, path)[0]
	if x.Recorded.Has(trace.HasOS) || len(x.OS) != 0 || !warned(x, "table OSRT_API is damaged") {
		t.Errorf("damaged table: recorded %b, %d calls, %v want it left out", x.Recorded, len(x.OS), x.Warnings)
	}
	if !x.Recorded.Has(trace.HasDevice) || len(x.Device) != 1 || len(x.API) != 1 {
		t.Errorf("other tables: recorded %b, %d spans, %d calls want one of each", x.Recorded, len(x.Device), len(x.API))
	}
}

func TestReadAtOnce(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				traces, err := Read(context.Background(), path, nil)
				if err != nil || len(traces) != 1 || len(traces[0].Device) != 1 {
					t.Errorf("at once: got %v, %v want one trace", traces, err)
				}
			}
		})
	}
	all.Wait()
}

func TestSniff(t *testing.T) {
	const magic = "SQLite format 3\x00"
	for head, want := range map[string]bool{magic: true, magic + "more": true, "SQLite format 3": false, "": false, "{": false} {
		if got := Sniff([]byte(head)); got != want {
			t.Errorf("Sniff(%q): got %v want %v", head, got, want)
		}
	}
}

// TestCrowd has more devices than a file can have, each of which would get all that
// the host did.
func TestCrowd(t *testing.T) {
	rows := []string{nsystest.KernelRow}
	for i := range 2 * build.MaxPlaces {
		rows = append(rows, fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, %d, 7, 1, $P, 0);", i))
	}
	traces := read(t, nsystest.Export(t, strings.Join(rows, "\n")))
	if len(traces) != build.MaxPlaces || !slices.ContainsFunc(traces[0].Warnings, func(w trace.Warning) bool { return strings.Contains(w.Text, "more than 256") }) {
		t.Errorf("got %d traces, warnings %v", len(traces), traces[0].Warnings)
	}
}
