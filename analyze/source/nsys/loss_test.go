package nsys

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// hundred are a hundred launches of a kernel, each with a copy, and as many calls of the
// system and ranges.
const hundred = `
CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100) SELECT i FROM c;
INSERT INTO StringIds VALUES (6, 'cudaMemcpyAsync_v3020'), (7, 'cudaStreamBeginCapture_v10000'), (8, 'cudaStreamEndCapture_v10000');
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 50 * i + 20, 50 * i + 40, 0, 7, 2 * i, $P, 0 FROM n;
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT 50 * i + 41, 50 * i + 45, 0, 7, 2 * i + 1, $P, 8, 1 FROM n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 50 * i, 50 * i + 5, $T, 2 * i, 2 FROM n;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 50 * i + 6, 50 * i + 8, $T, 2 * i + 1, 6 FROM n;
INSERT INTO OSRT_API SELECT 50 * i, 50 * i + 5, $T, 3 FROM n;
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) SELECT 50 * i, 50 * i + 30, 59, 'step ' || i, $T FROM n;
INSERT INTO PROCESSES VALUES ($P, 4242, 'python');`

// renumber counts the rows of device work anew, as an exporter writes them.
const renumber = `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = (SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k WHERE k.start <= CUPTI_ACTIVITY_KIND_KERNEL.start);
UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET rowid = (SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY k WHERE k.start <= CUPTI_ACTIVITY_KIND_MEMCPY.start)`

// TestLosses: what an export lacks is counted and said, and lost beyond a share.
func TestLosses(t *testing.T) {
	for _, x := range []struct {
		name, edit string
		lost       trace.Content
		says       string // in a warning, "" for none
	}{
		{"nothing", "", 0, ""},
		{"no kernels", "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL", trace.Kernels | trace.Kinds, "CUPTI_ACTIVITY_KIND_KERNEL is missing or empty"},
		{"few kernels gone", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid IN (20, 40)", 0, "its last row has the number 100 and only 98 are there"},
		{"more kernels gone", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid IN (20, 40, 60)", trace.Kernels, "a kernel for each launch: 3 of 100 have none"},
		{"first kernels gone", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid < 20; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid < 20", trace.Kernels | trace.Copies, "only 81 are there"},
		{"first kernels not recorded", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid < 20; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid < 20;" + renumber, 0, ""},
		{"kernels and their launches gone", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 20 = 3; DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE nameId = 2 AND correlationId % 40 = 4", trace.Kernels, "only 95 are there"},
		{"last kernels gone", "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid > 80; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid > 80", 0, ""},
		{"a capture of graphs", `DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid BETWEEN 30 AND 50; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid BETWEEN 30 AND 50;
			INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1499, 1499, $T, 900, 7), (2540, 2540, $T, 901, 8);` + renumber, 0, ""},
		{"copies gone", "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid % 4 = 1", trace.Copies, "a copy for each call that copies: 25 of 100 have none"},
		{"launches gone", "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid % 4 = 1", trace.Calls, "only 150 are there"},
		{"no launches", "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME", 0, "the edges of steps are the host's"},
		{"no launches and half of the kernels", "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 2 = 1", trace.Kernels, "only 50 are there"},
		{"no names", "DROP TABLE StringIds", trace.Kinds | trace.Calls | trace.SystemCalls, "names of kernels: those of 100 in 100"},
		{"a kernel without name", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 77 WHERE rowid = 5", 0, "names of kernels: those of 1 in 100"},
		{"kernels without name", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 77 WHERE rowid < 5", trace.Kinds, "names of kernels: those of 4 in 100"},
		{"a long kernel without name", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 77, end = start + 4000 WHERE rowid = 5", trace.Kernels | trace.Kinds, "names of kernels: those of 1 in 100"},
		{"a kernel that lasts over others", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start + 4000 WHERE rowid = 5", trace.Kernels, "lacks times of kernels that can be: 1 of 100 last longer than several that follow them in their stream"},
		{"a kernel over one other", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 50 WHERE rowid = 5", 0, ""},
		{"rows of nobody", "UPDATE OSRT_API SET globalTid = NULL WHERE rowid < 20", trace.SystemCalls, "table OSRT_API: 19 of 100 rows were left out"},
		{"few rows of nobody", "UPDATE OSRT_API SET globalTid = NULL WHERE rowid < 5", 0, "table OSRT_API: 4 of 100 rows were left out"},
		{"rows of an unknown process", "UPDATE NVTX_EVENTS SET globalTid = $U WHERE rowid < 20", trace.Ranges, "table NVTX_EVENTS: 19 of 100 rows were left out"},
		{"rows of a loader", "UPDATE OSRT_API SET globalTid = $U WHERE rowid < 20; INSERT INTO ThreadNames VALUES (3, $U)", 0, ""},
		{"calls of the system deleted", "DELETE FROM OSRT_API WHERE rowid < 20", trace.SystemCalls, "only 81 are there"},
		{"rows without end", "UPDATE OSRT_API SET end = start - 1 WHERE rowid < 20", trace.SystemCalls, "19 rows were left out"},
		{"traced and gone", "DROP TABLE OSRT_API; INSERT INTO META_DATA_CAPTURE VALUES ('CAPTURE_EVENT_TYPE', 'OSRuntime')", 0, "they were traced, and table OSRT_API is missing"},
		{"deleted and compact", "DELETE FROM OSRT_API WHERE rowid < 20; CREATE TABLE x AS SELECT * FROM OSRT_API; DROP TABLE OSRT_API; ALTER TABLE x RENAME TO OSRT_API", 0, ""},
		{"rows from far on", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = rowid + 9000000000", 0, ""},
		{"rows by a key", "CREATE TABLE x (start, end, globalTid, nameId, PRIMARY KEY (start)) WITHOUT ROWID; INSERT INTO x SELECT * FROM OSRT_API WHERE rowid > 50; DROP TABLE OSRT_API; ALTER TABLE x RENAME TO OSRT_API", 0, "SQLite itself read table OSRT_API"},
	} {
		t.Run(x.name, func(t *testing.T) {
			tr := readSmall(t, hundred, x.edit)
			if got := tr.Incomplete(); got != x.lost {
				t.Errorf("lost: got %b want %b: %v", got, x.lost, tr.Losses)
			}
			if x.says == "" && len(tr.Warnings) > 0 || x.says != "" && !warned(tr, x.says) {
				t.Errorf("got warnings %v, want %q", tr.Warnings, x.says)
			}
			inParts(t, tr, x.edit)
		})
	}
}

// inParts checks that the same is lost of a file that is read in parts, which is refused
// where names are.
func inParts(t *testing.T, want *trace.Trace, edit string) {
	t.Helper()
	x, err := openParts(t.Context(), nsystest.Export(t, hundred, edit), 1000, nil)
	named := !warned(want, "names of ")
	switch {
	case (err == nil) != named:
		t.Fatalf("in parts: got %v, refused %v", err, !named)
	case err != nil:
		return
	}
	defer x.Close()
	traces, _ := x.Traces()
	got := traces[0]
	if n := len(x.places[0].stretches(1000)); n < 3 {
		t.Errorf("counted in %d stretches", n)
	}
	if !slices.Equal(got.Losses, want.Losses) || got.Recorded != want.Recorded {
		t.Errorf("in parts: got %v, %b, want %v, %b", got.Losses, got.Recorded, want.Losses, want.Recorded)
	}
	if a, b := fmt.Sprint(got.Warnings), fmt.Sprint(want.Warnings); a != strings.ReplaceAll(b, want.File, got.File) {
		t.Errorf("in parts: got warnings %s, want %s", a, b)
	}
}

// TestNamesInAnyCase: tables and columns in other letters are the same ones, whoever reads them.
func TestNamesInAnyCase(t *testing.T) {
	want := readSmall(t, hundred)
	same := func(name string, got *trace.Trace) {
		t.Helper()
		if !slices.Equal(got.Device, want.Device) || len(got.API) != len(want.API) || len(got.Ranges) != len(want.Ranges) || len(got.OS) != len(want.OS) || len(got.Warnings) > 0 {
			t.Errorf("%s: got %d spans, %d calls, %d ranges, %v", name, len(got.Device), len(got.API), len(got.Ranges), got.Warnings)
		}
	}
	for _, spell := range []func(string) string{strings.ToLower, strings.ToUpper} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		for _, s := range []string{nsystest.Schema, hundred} {
			nsystest.WriteDatabase(t, path, spelled(nsystest.IDs.Replace(s), spell))
		}
		same(path, read(t, path)[0])
		traces, err := Read(t.Context(), path, &trace.Options{BySQLite: true})
		if err != nil {
			t.Fatal(err)
		}
		same("engine", traces[0])
	}
	dir, all := nsystest.Directory(t, 10), 0
	before := read(t, dir)[0]
	for _, name := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds"} {
		if err := os.Rename(filepath.Join(dir, name+".parquet"), filepath.Join(dir, strings.ToLower(name)+".Parquet")); err != nil {
			t.Fatal(err)
		}
		all++
	}
	if after := read(t, dir)[0]; !IsExport(dir) || !slices.Equal(before.Device, after.Device) || len(after.Device) != 10 {
		t.Errorf("%d files of a directory renamed: got %d spans want %d", all, len(after.Device), len(before.Device))
	}
}

// spelled changes the letters of all that is no text of SQL in quotes.
func spelled(sql string, spell func(string) string) string {
	parts := strings.Split(sql, "'")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = spell(parts[i])
	}
	return strings.Join(parts, "'")
}
