package nsys

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// endless is SQL that never ends and gives no row.
const endless = `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s) SELECT i AS start, i AS end, i AS globalTid, i AS nameId FROM s WHERE i < 0`

// nested is a view of 2^levels terms, which takes for ever before it gives a row.
func nested(name string, levels int) string {
	var b strings.Builder
	b.WriteString("CREATE VIEW n0 AS SELECT 1 AS start;")
	for i := 1; i < levels; i++ {
		b.WriteString(strings.NewReplacer("$i", string(rune('a'+i)), "$j", map[bool]string{true: "0", false: string(rune('a' + i - 1))}[i == 1]).
			Replace("CREATE VIEW n$i AS SELECT x.start FROM n$j x, n$j y;"))
	}
	b.WriteString("CREATE VIEW " + name + " AS SELECT * FROM n" + string(rune('a'+levels-1)))
	return b.String()
}

// TestForeign: SQL in place of what is read refuses the file by the name of the table.
func TestForeign(t *testing.T) {
	const remedy = ", and SQL that a file brings is never run (export the report again: nsys export --type sqlite)"
	for name, tt := range map[string]struct{ change, want string }{
		"a view of a table": {"ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO other; CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM other",
			"table CUPTI_ACTIVITY_KIND_KERNEL is a view"},
		"without end":       {"DROP TABLE OSRT_API; CREATE VIEW OSRT_API AS " + endless, "table OSRT_API is a view"},
		"counted":           {"DROP TABLE OSRT_API; CREATE VIEW OSRT_API AS SELECT count(*) AS start FROM (" + endless + ")", "table OSRT_API is a view"},
		"nested":            {"DROP TABLE OSRT_API; " + nested("OSRT_API", 16), "table OSRT_API is a view"},
		"in small letters":  {"DROP TABLE OSRT_API; CREATE VIEW osrt_api AS " + endless, "table OSRT_API is a view"},
		"of 450 MB":         {"DROP TABLE StringIds; CREATE VIEW StringIds AS SELECT 1 AS id, hex(zeroblob(450000000)) AS value", "table StringIds is a view"},
		"a small table":     {"DROP TABLE META_DATA_EXPORT; CREATE VIEW META_DATA_EXPORT AS " + endless, "table META_DATA_EXPORT is a view"},
		"a virtual table":   {"DROP TABLE OSRT_API; CREATE VIRTUAL TABLE OSRT_API USING fts5(start, end)", "table OSRT_API is a virtual table"},
		"a trigger":         {"DROP TABLE OSRT_API; CREATE TRIGGER OSRT_API AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END", "table OSRT_API is a trigger"},
		"a computed column": {"DROP TABLE OSRT_API; CREATE TABLE OSRT_API (x, start INTEGER AS (length(hex(zeroblob(450)))), end INTEGER, globalTid INTEGER, nameId INTEGER); INSERT INTO OSRT_API (x, end) VALUES (1, 2)", "column start of table OSRT_API is computed"},
		"a computed text":   {"DROP TABLE StringIds; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT AS (hex(zeroblob(450)))); INSERT INTO StringIds VALUES (1)", "column value of table StringIds is computed"},
	} {
		t.Run(name, func(t *testing.T) {
			path := nsystest.Export(t, nsystest.KernelRow, tt.change)
			_, err := Read(context.Background(), path, nil)
			if err == nil || err.Error() != filepath.Base(path)+": "+tt.want+remedy {
				t.Errorf("got %v, want %s: %s%s", err, filepath.Base(path), tt.want, remedy)
			}
		})
	}
}

// TestBeside: what is in the schema and not in place of what is read harms nobody.
func TestBeside(t *testing.T) {
	plain := readSmall(t, nsystest.KernelRow)
	for name, change := range map[string]string{
		"views":              "CREATE VIEW v AS " + endless + "; CREATE VIEW \"StringIds view\" AS SELECT * FROM StringIds; " + nested("w", 16),
		"a virtual table":    "CREATE VIRTUAL TABLE f USING fts5(a, b)",
		"triggers":           "CREATE TRIGGER OSRT_API AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END",
		"indexes":            "CREATE INDEX i ON CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, demangledName, end - start); CREATE INDEX p ON StringIds (value) WHERE id > 2",
		"a column not read":  "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN took INTEGER AS (length(hex(zeroblob(450000000))))",
		"a stored column":    "CREATE TABLE k AS SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, took INTEGER, end INTEGER AS (start + took) STORED, globalTid INTEGER, correlationId INTEGER, nameId INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, took, globalTid, correlationId, nameId) SELECT start, end - start, globalTid, correlationId, nameId FROM k",
		"a strict table":     "ALTER TABLE StringIds RENAME TO s; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT) STRICT; INSERT INTO StringIds SELECT * FROM s",
		"one without rowids": "ALTER TABLE StringIds RENAME TO s; CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT) WITHOUT ROWID; INSERT INTO StringIds SELECT * FROM s",
	} {
		t.Run(name, func(t *testing.T) {
			x := readSmall(t, nsystest.KernelRow, change)
			x.File = plain.File
			if name == "one without rowids" && warned(x, "SQLite itself read table StringIds") {
				x.Warnings = plain.Warnings
			}
			if !reflect.DeepEqual(x, plain) {
				t.Errorf("got %+v, want what is read without it, %+v", x, plain)
			}
		})
	}
}

// TestLongValue: a text of more than a value can have is said, and costs no memory.
func TestLongValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.sqlite")
	nsystest.WriteDatabase(t, path, "PRAGMA encoding = 'UTF-16'", "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", "INSERT INTO StringIds VALUES (1, hex(zeroblob(3000000)))",
		"CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT)", "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'x')")
	_, err := Read(context.Background(), path, nil)
	if want := "table StringIds: a value of more than 4 MB (export the report again"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestNothingIsWritten: reading leaves no file beside the export, whatever it needs.
func TestNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.sqlite")
	nsystest.WriteDatabase(t, path, "PRAGMA encoding = 'UTF-16'", "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT)", "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'x')")
	read(t, path)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("got %v (%v), want the export alone", entries, err)
	}
}
