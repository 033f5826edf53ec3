package table

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"

	"modernc.org/sqlite"
)

// TestDefaultTexts: a default that stands once in the file and is in each of its rows is
// no more text than the file can hold.
func TestDefaultTexts(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow, "DROP TABLE OSRT_API; CREATE TABLE OSRT_API (a)",
		"INSERT INTO OSRT_API WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 20000) SELECT i FROM s")
	db := nsystest.OpenDatabase(t, path)
	if _, err := db.Exec("ALTER TABLE OSRT_API ADD COLUMN start TEXT DEFAULT '" + strings.Repeat("x", 100_000) + "'"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	d, err := openDatabase(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	bytes := 0
	err = d.Scan(context.Background(), "OSRT_API", []Column{{Name: "start", Text: func(s string) int64 { bytes += len(s); return 0 }}}, func(*Batch) error { return nil })
	if err == nil || err.Error() != "more text than the file can hold" || bytes > 5*int(d.size)+17<<20 {
		t.Errorf("got %v after %d bytes of text from a file of %d", err, bytes, d.size)
	}
}

// TestEngineIsBounded: what the engine may read, how long it may take and which
// statements it takes at all.
func TestEngineIsBounded(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow, "CREATE VIEW v AS SELECT * FROM StringIds", "CREATE TABLE r (a REAL)", "INSERT INTO r VALUES (1.5), (2.5)")
	ctx := context.Background()
	d, err := openDatabase(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	e, err := d.engine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"SELECT * FROM v", "SELECT hex(zeroblob(10))", "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s) SELECT i FROM s WHERE i < 0", "ATTACH ':memory:' AS x", "CREATE TABLE t (a)", "PRAGMA writable_schema = 1", "SELECT * FROM pragma_table_list"} {
		var rows *sql.Rows
		if rows, err = e.QueryContext(ctx, query); err == nil {
			rows.Next()
			err = rows.Err()
			rows.Close()
		}
		if err == nil {
			t.Errorf("%s: was run", query)
		}
	}
	if old, err := sqlite.Limit(e.Conn, 0, -1); err != nil || old != maxValue {
		t.Errorf("longest value: got %d, %v want %d", old, err, maxValue)
	}
	e.spent = allowedTime(d.size)
	if err := d.Scan(ctx, "r", Ints("a"), func(*Batch) error { return nil }); err != errTooMuch {
		t.Errorf("out of time: got %v want %v", err, errTooMuch)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for name, files := range map[string]*engineFiles{"out of bytes": {ctx: ctx, image: d.image, left: 1000}, "cancelled": {ctx: ended, image: d.image, left: 1 << 30}} {
		e, err := openEngine(ctx, files)
		if err == nil { // its schema is not read yet
			_, _, err = objects(ctx, e)
			e.close()
		}
		if err == nil {
			t.Errorf("%s: the schema was read", name)
		}
	}
	if a, b := allowedReads(1<<30), allowedTime(1<<30); a != 64<<30+16<<20 || b.Seconds() != 2078 {
		t.Errorf("a file of 1 GB: got %d bytes and %v", a, b)
	}
}
