package analyze

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes the exports
)

// exportTables are those of a small export of rank 2 with 400 kernels.
const exportTables = `
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, domainId INTEGER, globalTid INTEGER);
CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);
INSERT INTO StringIds VALUES (0, 'gemm'), (1, 'cudaLaunchKernel');
INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK="2"'), ('PROCESS_0:ENVIRONMENT_VARIABLE', 'WORLD_SIZE="4"');
WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 400)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i*1000+20, i*1000+520, 0, 7, i, 1<<48, 0 FROM s;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT start-10, start-5, globalPid+9, correlationId, 1 FROM CUPTI_ACTIVITY_KIND_KERNEL;
INSERT INTO NVTX_EVENTS SELECT start-19, start+900, 59, 'step '||(correlationId/10), NULL, 0, globalPid+9 FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId % 10 = 0;
`

// export is the content of the small export after further statements.
func export(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "e.sqlite")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{exportTables}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

const pageSize = 4096

// pointEverywhere makes each cell pointer and right-most child of interior
// pages of a table lead to the page at, so that the tree has no end.
func pointEverywhere(content []byte, at uint32) {
	for page := 1; page < len(content)/pageSize; page++ {
		p := content[page*pageSize:][:pageSize]
		if p[0] != 5 { // interior page of a table
			continue
		}
		binary.BigEndian.PutUint32(p[8:], at)
		for i := range int(binary.BigEndian.Uint16(p[3:])) {
			cell := binary.BigEndian.Uint16(p[12+2*i:])
			binary.BigEndian.PutUint32(p[cell:], at)
		}
	}
}

// interior is the number of an interior page of a table.
func interior(content []byte) uint32 {
	for page := 1; page < len(content)/pageSize; page++ {
		if content[page*pageSize] == 5 {
			return uint32(page + 1)
		}
	}
	return 2
}

func TestHostileExports(t *testing.T) {
	whole := export(t)
	patched := func(patch func([]byte)) []byte {
		c := bytes.Clone(whole)
		patch(c)
		return c
	}
	for _, tt := range []struct {
		name    string
		content []byte
		want    string // "" for none, "*" for anything
	}{
		{"whole", whole, ""},
		{"one page", whole[:pageSize], "truncated: 4096 of "},
		{"cut in the header", whole[:60], "truncated: 60 of "},
		{"cyclic pages", patched(func(c []byte) { pointEverywhere(c, interior(c)) }), "damaged"},
		{"pages that lead to the first", patched(func(c []byte) { pointEverywhere(c, 1) }), "*"},
		{"pages beyond the end", patched(func(c []byte) { pointEverywhere(c, 1<<31) }), "damaged"},
		{"a page count that is too high", patched(func(c []byte) { binary.BigEndian.PutUint32(c[28:], 1<<30) }), "truncated"},
		{"a page count that is too low", patched(func(c []byte) { binary.BigEndian.PutUint32(c[28:], 3) }), "*"},
		{"a page size that is none", patched(func(c []byte) { binary.BigEndian.PutUint16(c[16:], 1000) }), "*"},
		{"zeros behind the header", patched(func(c []byte) { clear(c[100:]) }), "damaged"},
		{"zeros behind the first page", patched(func(c []byte) { clear(c[pageSize:]) }), "damaged"},
		{"triggers and views beside", export(t, `CREATE VIEW v AS SELECT * FROM NVTX_EVENTS; CREATE TRIGGER g AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END`), ""},
		{"a view without end", export(t, `CREATE VIEW OSRT_API AS WITH RECURSIVE s(start, end, globalTid, nameId) AS
			(SELECT 1, 2, 3, 1 UNION ALL SELECT start+1, end+1, 3, 1 FROM s) SELECT * FROM s`), "x.sqlite: table OSRT_API is a view, and SQL that a file brings is never run"},
		{"a view of itself", export(t, `CREATE VIEW OSRT_API AS SELECT * FROM MEMBERS; CREATE VIEW MEMBERS AS SELECT * FROM OSRT_API`), "table OSRT_API is a view"},
		{"a virtual table", export(t, `CREATE VIRTUAL TABLE OSRT_API USING fts5(start, end, globalTid, nameId)`), "table OSRT_API is a virtual table"},
		{"a virtual table of no module", export(t, `PRAGMA writable_schema=1; INSERT INTO sqlite_master VALUES ('table', 'OSRT_API', 'OSRT_API', 0, 'CREATE VIRTUAL TABLE OSRT_API USING nothing(a)')`), "*"},
		{"text for numbers", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 7`), "1 rows were left out: they have no start and end in order"},
		{"blobs for numbers", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = x'00ff' WHERE correlationId < 3`), "2 rows were left out"},
		{"numbers for text", export(t, `UPDATE StringIds SET value = 1.5e300; UPDATE NVTX_EVENTS SET text = 7 WHERE rowid = 1`), ""},
		{"limits of int64", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -9223372036854775808 WHERE correlationId = 7;
			UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE correlationId = 8`), "2 rows were left out"},
		{"as far apart as can be", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -(1<<61), end = -(1<<61) WHERE correlationId = 7;
			UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 1<<61, end = 1<<61 WHERE correlationId = 8`), "*"},
		{"infinity", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 9e999 WHERE correlationId = 7`), "1 rows were left out"},
		{"end before start", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE correlationId = 7`), "1 rows were left out"},
		{"times backwards", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = -rowid`), ""},
		{"a rowid at the limit", export(t, `UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = 9223372036854775807 WHERE correlationId = 7`), ""},
		{"an id of a string at the limit", export(t, `UPDATE StringIds SET id = 9223372036854775807 WHERE id = 0; UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 9223372036854775807`), ""},
		{"a name of 1 MB", export(t, `UPDATE StringIds SET value = replace(hex(zeroblob(100000)), '00', '<b>&') WHERE id = 0`), ""},
		{"steps that jump", export(t, `UPDATE NVTX_EVENTS SET text = 'step 999999999999' WHERE rowid = (SELECT max(rowid) FROM NVTX_EVENTS)`), ""},
		{"a rank that is none", export(t, `UPDATE META_DATA_CAPTURE SET value = 'RANK="99999999999"' WHERE rowid = 1`), "numbers by order only"},
		{"tables of another program", otherDatabase(t), "a SQLite database with other tables"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bounded(t, 128<<20, 64<<20, func() {
				set := beside(t, func(dir string) { put(t, filepath.Join(dir, "x.sqlite"), string(tt.content)) }, Options{})
				if got := said(set, "x.sqlite"); tt.want != "*" && (!strings.Contains(got, tt.want) || tt.want == "" && got != "") {
					t.Errorf("got %.600q, want %q", got, tt.want)
				}
			})
		})
	}
}

// otherDatabase is a SQLite file that no profiler wrote.
func otherDatabase(t *testing.T) []byte {
	return export(t, `PRAGMA foreign_keys=0; DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE NVTX_EVENTS;
		DROP TABLE META_DATA_CAPTURE; DROP TABLE TARGET_INFO_SESSION_START_TIME; VACUUM`)
}

// TestCutExports cuts an export at every page: the others stay, and that it
// was cut is said.
func TestCutExports(t *testing.T) {
	whole := export(t)
	for n := 0; n < len(whole); n += pageSize {
		set := beside(t, func(dir string) { put(t, filepath.Join(dir, "cut.sqlite"), string(whole[:n])) }, Options{})
		want := fmt.Sprintf("truncated: %d of %d bytes (copy it again", n, len(whole))
		if n == 0 {
			want = "the file is empty"
		}
		if got := said(set, "cut.sqlite"); !strings.Contains(got, want) {
			t.Errorf("cut at %d: got %q, want %q", n, got, want)
		}
	}
}
