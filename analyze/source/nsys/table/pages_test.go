package table_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/engine"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
	"perfdiff/golden"
)

// rowsOf is every value of a table, each column as an integer and as a text,
// and how the scan ended.
func rowsOf(d table.File, name string) (values []int64, err error) {
	have, err := d.Columns(context.Background(), name)
	if err != nil {
		return nil, err
	}
	var cols []table.Column
	for name := range have {
		cols = append(cols, table.Column{Name: name})
	}
	slices.SortFunc(cols, func(a, b table.Column) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range slices.Clone(cols) {
		cols = append(cols, table.Column{Name: c.Name, Text: func(s string) int64 {
			h := fnv.New64a()
			h.Write([]byte(s))
			return int64(h.Sum64())
		}})
	}
	cols = append(cols, table.Column{Name: "no such column"})
	numbers := table.Ints("no such column") // alone they are read in another way
	for _, name := range []string{"a", "b", "c", "start", "globalTid"} {
		if have.Has(name) {
			numbers = append(numbers, table.Column{Name: name})
		}
	}
	for _, some := range [][]table.Column{cols, numbers} {
		if len(some) == 1 {
			continue
		}
		err = errors.Join(err, d.Scan(context.Background(), name, some, func(b *table.Batch) {
			for i := range b.N {
				for c := range b.Cols {
					values = append(values, b.Cols[c][i])
				}
			}
		}))
	}
	return values, err
}

// samePages holds the decoder of pages to SQLite, table by table: the same tables and
// columns, and the same rows or an error of both. It returns how many tables gave rows.
func samePages(t *testing.T, path string) (read int) {
	t.Helper()
	ctx, file := context.Background(), filepath.Base(path)
	known, schemaErr := schemaBySQLite(ctx, path)
	d, _, err := table.Open(ctx, path, table.ExportWords, nil)
	if err != nil {
		if schemaErr == nil && !slices.ContainsFunc([]string{"truncated", "empty", "and a row in it has"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%s: got %v, and SQLite reads its schema", file, err)
		}
		return 0
	}
	defer d.Close()
	if schemaErr != nil {
		return 0 // of an index, a view or a trigger
	}
	if len(known) != len(d.Tables()) {
		t.Errorf("%s: got %d tables, SQLite %d", file, len(d.Tables()), len(known))
	}
	for name := range known {
		if !strings.HasPrefix(name, "sqlite_") && sameTable(t, path, d, name, len(known[name])) {
			read++
		}
	}
	return read
}

// sameTable compares a table, and reports whether it gave rows.
func sameTable(t *testing.T, path string, d table.File, name string, columns int) bool {
	t.Helper()
	ctx := context.Background()
	engine, _, err := table.Open(ctx, path, table.ExportWords, &trace.Options{BySQLite: true})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	got, gotErr := rowsOf(d, name)
	want, wantErr := rowsOf(engine, name)
	if errors.Is(gotErr, btree.ErrOrder) {
		return false // which SQLite reads without a word
	}
	if (gotErr == nil) != (wantErr == nil) || wantErr == nil && !slices.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s, table %s: pages gave %d values and %v, the engine %d and %v; they part at %d", filepath.Base(path), name, len(got), gotErr, len(want), wantErr, at)
	}
	if have, _ := d.Columns(ctx, name); len(have) != columns {
		t.Errorf("%s, table %s: got %d columns, want %d", filepath.Base(path), name, len(have), columns)
	}
	return gotErr == nil && len(got) > 0
}

// schemaBySQLite are the tables that SQLite knows in a file, with the names of their columns as
// they are declared; an error where it cannot read its schema.
func schemaBySQLite(ctx context.Context, path string) (map[string][]string, error) {
	image, err := btree.OpenImage(path)
	if err != nil {
		return nil, err
	}
	defer image.Close()
	if _, _, err := image.ApplyLogs(ctx, path); err != nil {
		return nil, err
	}
	r, err := engine.OpenImage(ctx, image, btree.MaxValue)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	tables := make(map[string][]string)
	return tables, r.Query(ctx, `SELECT t.name, c.name FROM sqlite_master t, pragma_table_xinfo(t.name) c
		WHERE lower(t.type) = 'table' AND t.rootpage > 0 ORDER BY t.rowid`, func(v []driver.Value) error {
		name := v[0].(string)
		tables[name] = append(tables[name], v[1].(string))
		return nil
	})
}

// wide is a table of every kind of value, long rows among them.
const wide = `CREATE TABLE wide (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL, d BLOB, e);
	INSERT INTO wide WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 3000)
	SELECT i * 3, (i * 7919 - 5000000) * (1 << (i % 40)), iif(i % 500 = 0, hex(zeroblob(i * 9)), 'text ' || i), i / 7.0,
		zeroblob(i % 300), CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i + 0.5 WHEN 3 THEN 'x' || i WHEN 4 THEN x'00ff' ELSE 4e9 END FROM s;
	INSERT INTO wide VALUES (-9223372036854775808, 9223372036854775807, '', 1e308, x'', -1), (-5, 0, 'é', -0.0, NULL, 1.0), (9223372036854775807, 1, NULL, 0, 1, 2);
	CREATE TABLE narrow (a INTEGER, x INTEGER, b INTEGER, c INTEGER, y INTEGER, z, start INTEGER, globalTid INTEGER, u, v, w);
	INSERT INTO narrow WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 3000)
	SELECT i, i % 3, (i * 7919 - 5000000) * (1 << (i / 50)), iif(i % 7, i % 2, NULL), -i, iif(i % 90, 7, 'x' || i), i * 300, -(1 << (i / 48)),
		CASE i % 12 WHEN 0 THEN 0.5 WHEN 1 THEN 'x' ELSE 1 << (i % 60) END, i % 4, iif(i % 100, NULL, zeroblob(i)) FROM s;
	INSERT INTO narrow (rowid, a) VALUES (1 << 40, 5), (9223372036854775807, 6), (-4, 7)`

// layouts are changes of an export that has the tables of wide, after which SQLite lays it
// out in another way.
var layouts = map[string][]string{
	"as exported":    nil,
	"vacuumed":       {"DELETE FROM wide WHERE id % 7 = 0", "VACUUM"},
	"with holes":     {"DELETE FROM wide WHERE id % 5 < 3", "UPDATE wide SET b = b || b || b WHERE id % 11 = 0"},
	"page 512":       {"PRAGMA page_size = 512", "VACUUM"},
	"page 1024":      {"PRAGMA page_size = 1024", "VACUUM"},
	"page 8192":      {"PRAGMA page_size = 8192", "VACUUM"},
	"page 65536":     {"PRAGMA page_size = 65536", "VACUUM"},
	"auto vacuum":    {"PRAGMA auto_vacuum = 1", "VACUUM"},
	"write-ahead":    {"PRAGMA journal_mode = wal", "INSERT INTO wide (b) VALUES ('late')"},
	"column added":   {"ALTER TABLE wide ADD COLUMN f INTEGER", "INSERT INTO wide (a, f) VALUES (1, 2)"},
	"default added":  {"ALTER TABLE wide ADD COLUMN f INTEGER DEFAULT 7", "INSERT INTO wide (a, f) VALUES (1, 2)"},
	"without rowid":  {"CREATE TABLE w (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID", "INSERT INTO w SELECT b || id, a FROM wide WHERE b IS NOT NULL"},
	"a view":         {"DROP TABLE OSRT_API", "CREATE VIEW OSRT_API AS SELECT id AS start, id + 1 AS end, a AS nameId FROM wide"},
	"generated":      {"CREATE TABLE g (a INTEGER, b INTEGER AS (a + 1), c INTEGER AS (a * 2) STORED, d)", "INSERT INTO g (a, d) SELECT id, a FROM wide"},
	"key descending": {"CREATE TABLE k (a INTEGER PRIMARY KEY DESC, b)", "INSERT INTO k SELECT id, a FROM wide"},
	"two keys":       {"CREATE TABLE k (a INTEGER, b INTEGER, PRIMARY KEY (b, a))", "INSERT INTO k SELECT id, a FROM wide"},
	"text key":       {"CREATE TABLE k (a TEXT PRIMARY KEY, b INT)", "INSERT INTO k SELECT id, a FROM wide"},
	"empty":          {"DELETE FROM wide"},
	"long":           {"INSERT INTO wide (b, e) VALUES (hex(zeroblob(600000)), 5), (hex(zeroblob(30000)), 6)"},
}

// leftLayouts is what is said of those that SQLite has to read.
var leftLayouts = map[string]string{
	"without rowid": "SQLite itself read table w, which perfdiff's own reader does not: its rows have no ids (nothing is missing)",
	"default added": "SQLite itself read table wide, which perfdiff's own reader does not: page ",
}

func TestPages(t *testing.T) {
	for name, change := range layouts {
		t.Run(name, func(t *testing.T) {
			path := nsystest.Export(t, nsystest.KernelRow)
			nsystest.WriteDatabase(t, path, append([]string{wide}, change...)...)
			if read := samePages(t, path); read < 6 {
				t.Errorf("got rows of %d tables, want most", read)
			}
			d := open(t, path)
			for _, table := range d.Tables() {
				rowsOf(d, table)
			}
			if said := d.ReadBySQLite(); !strings.HasPrefix(said, leftLayouts[name]) || (said == "") != (leftLayouts[name] == "") {
				t.Errorf("got %q, want %q", said, leftLayouts[name])
			}
		})
	}
}

func TestPagesUTF16(t *testing.T) {
	for _, encoding := range []string{"UTF-16le", "UTF-16be", "UTF-8"} {
		path := filepath.Join(t.TempDir(), encoding+".sqlite")
		nsystest.WriteDatabase(t, path, "PRAGMA encoding = '"+encoding+"'", wide, `CREATE TABLE texts (a TEXT, "é" TEXT DEFAULT '…')`,
			"INSERT INTO texts VALUES ('äöü €', '😀'), (cast(x'3dd8' AS TEXT), cast(x'613dd8610062' AS TEXT)), ('', cast(x'00' AS TEXT)), (char(0xfffe, 0xd7ff, 0xe000), char(0x10ffff))",
			"ALTER TABLE texts ADD COLUMN later TEXT DEFAULT 'spät'")
		if read := samePages(t, path); read != 3 {
			t.Errorf("%s: got rows of %d tables, want 3", encoding, read)
		}
	}
}

// TestPagesBehindLog reads a file that is being written: what stands in the log counts.
func TestPagesBehindLog(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(nsystest.IDs.Replace("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES (1, 2, 59, 'in the log', $T)")); err != nil {
		t.Fatal(err)
	}
	if read := samePages(t, path); read < 6 {
		t.Errorf("got rows of %d tables, want most", read)
	}
}

// TestPagesReal holds the decoder to the engine on the profiles of the data
// folder.
func TestPagesReal(t *testing.T) {
	for _, path := range golden.RealFiles(t, "nsys/*.sqlite") {
		if read := samePages(t, path); read == 0 {
			t.Errorf("%s: no table gave rows", filepath.Base(path))
		}
	}
}

// TestPagesDamaged changes and cuts a file in many ways: the pages and SQLite give the same
// rows, or both an error, or rows are in no order.
func TestPagesDamaged(t *testing.T) {
	content := damageable(t)
	path := filepath.Join(t.TempDir(), "damaged.sqlite")
	for i := range 400 {
		changed := bytes.Clone(content)
		for j := range 1 + i%3 {
			changed[(i*7919+j*104729+i*i)%len(changed)] ^= byte(1 + (i+j)%255)
		}
		if i%10 == 0 {
			changed = changed[:len(changed)*(i/10)/40]
		}
		nsystest.WriteFile(t, path, changed)
		samePages(t, path)
	}
}

// damageable is a file of some pages with rows of every kind.
func damageable(t testing.TB) []byte {
	t.Helper()
	path := nsystest.Export(t, nsystest.KernelRow)
	nsystest.WriteDatabase(t, path, strings.ReplaceAll(wide, "i < 3000", "i < 120"), "PRAGMA page_size = 512", "VACUUM")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func FuzzPages(f *testing.F) {
	content := damageable(f)
	f.Add(uint32(100), []byte{0xff}, uint32(5000), []byte{0})
	f.Add(uint32(512), []byte{5, 0, 1}, uint32(3000), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, at2 uint32, patch2 []byte) {
		changed := bytes.Clone(content)
		copy(changed[int(at)%len(changed):], patch)
		copy(changed[int(at2)%len(changed):], patch2)
		path := filepath.Join(t.TempDir(), "fuzz.sqlite")
		nsystest.WriteFile(t, path, changed)
		samePages(t, path)
	})
}

// TestPagesStop ends a scan by its context.
func TestPagesStop(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	nsystest.WriteDatabase(t, path, wide)
	d := open(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Scan(ctx, "wide", table.Ints("a"), func(*table.Batch) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("context: got %v want it cancelled", err)
	}
}

// open opens a file until the test ends.
func open(t *testing.T, path string) table.File {
	t.Helper()
	d, _, err := table.Open(context.Background(), path, table.ExportWords, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
