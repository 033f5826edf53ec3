package table

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/golden"
)

// rowsOf is every value of a table, each column as an integer and as a text,
// and how the scan ended.
func rowsOf(t *testing.T, d *database, table string) (values []int64, err error) {
	t.Helper()
	have, err := d.Columns(context.Background(), table)
	if err != nil {
		return nil, err
	}
	var cols []Column
	for name := range have {
		cols = append(cols, Column{Name: name})
	}
	slices.SortFunc(cols, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range slices.Clone(cols) {
		cols = append(cols, Column{Name: c.Name, Text: func(s string) int64 {
			h := fnv.New64a()
			h.Write([]byte(s[:min(len(s), maxText)]))
			return int64(h.Sum64())
		}})
	}
	cols = append(cols, Column{Name: "no such column"})
	numbers := Ints("no such column") // alone they are read in another way
	for _, name := range []string{"a", "b", "c", "start", "globalTid"} {
		if have.Has(name) {
			numbers = append(numbers, Column{Name: name})
		}
	}
	for _, some := range [][]Column{cols, numbers} {
		if len(some) == 1 {
			continue
		}
		err = errors.Join(err, d.Scan(context.Background(), table, some, func(b *Batch) error {
			for i := range b.N {
				for c := range b.Cols {
					values = append(values, b.Cols[c][i])
				}
			}
			return nil
		}))
	}
	return values, err
}

// samePages holds the decoder of pages to the engine, table by table. It
// returns how many tables the pages alone gave.
func samePages(t *testing.T, path string) (read int) {
	t.Helper()
	d, err := openDatabase(context.Background(), path, nil)
	if err != nil {
		return 0
	}
	defer d.Close()
	for table := range d.known {
		// A fresh engine each time: it does not check a page twice.
		engine, err := openDatabase(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close()
		engine.pages = nil
		if strings.HasPrefix(table, "sqlite_") {
			continue
		}
		pages := &witness{Pages: d.pages}
		if d.pages != nil {
			d.pages = pages
		}
		got, gotErr := rowsOf(t, d, table)
		want, wantErr := rowsOf(t, engine, table)
		if (gotErr == nil) != (wantErr == nil) || wantErr == nil && !slices.Equal(got, want) {
			t.Errorf("%s, table %s: pages gave %d values and %v, the engine %d and %v", filepath.Base(path), table, len(got), gotErr, len(want), wantErr)
		}
		if d.pages = pages.Pages; pages.asked > 0 {
			read++
		}
	}
	return read
}

// witness counts the pages that were asked for.
type witness struct {
	btree.Pages
	asked int
}

func (w *witness) Page(n uint32) ([]byte, error) {
	w.asked++
	return w.Pages.Page(n)
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

func TestPages(t *testing.T) {
	for name, change := range layouts {
		t.Run(name, func(t *testing.T) {
			path := nsystest.Export(t, nsystest.KernelRow)
			nsystest.WriteDatabase(t, path, append([]string{wide}, change...)...)
			if read := samePages(t, path); read < 10 {
				t.Errorf("got %d tables from pages, want most", read)
			}
			pagesAlone(t, path)
		})
	}
}

// pagesAlone reads every usual table from its pages and nothing else. That rows are the
// engine's does not show it: what the pages leave in doubt the engine reads again, at
// several times the cost.
func pagesAlone(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	d, err := openDatabase(ctx, path, nil)
	if err != nil {
		return
	}
	defer d.Close()
	if d.pages == nil {
		t.Errorf("%s: not read from pages", filepath.Base(path))
		return
	}
	for table := range d.known {
		shape, err := d.shape(ctx, table)
		if err != nil || len(shape.field) == 0 {
			continue // refused by its name
		}
		var numbers, texts []Column
		for name := range shape.field {
			numbers = append(numbers, Column{Name: name})
			texts = append(texts, Column{Name: name, Text: func(s string) int64 { return int64(len(s)) }})
		}
		slices.SortFunc(numbers, func(a, b Column) int { return shape.field[a.Name] - shape.field[b.Name] })
		for _, cols := range [][]Column{numbers, numbers[:min(3, len(numbers))], texts} {
			bound, usual := shape.bind(cols)
			if !usual {
				continue
			}
			if err := btree.Scan(ctx, d.pages, shape.root, bound, func([][]int64, int) error { return nil }); err != nil {
				t.Errorf("%s, table %s, %d columns: got %v, want it read from its pages", filepath.Base(path), table, len(cols), err)
			}
		}
	}
}

func TestPagesUTF16(t *testing.T) {
	path := filepath.Join(t.TempDir(), "utf16.sqlite")
	nsystest.WriteDatabase(t, path, "PRAGMA encoding = 'UTF-16'", wide)
	if read := samePages(t, path); read != 0 {
		t.Errorf("got %d tables of UTF-16 from pages, want none", read)
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
	if read := samePages(t, path); read < 10 {
		t.Errorf("got %d tables from pages, want most", read)
	}
}

// TestPagesReal holds the decoder to the engine on the profiles of the data
// folder.
func TestPagesReal(t *testing.T) {
	for _, path := range golden.RealFiles(t, "nsys/*.sqlite") {
		if read := samePages(t, path); read == 0 {
			t.Errorf("%s: no table was read from pages", filepath.Base(path))
		}
		pagesAlone(t, path)
	}
}

// TestPagesDamaged changes and cuts a file in many ways: the pages and the
// engine must give the same rows, or both none.
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

// TestPagesTrouble puts an unusual page into the middle of a table: the engine
// goes on behind the rows that the pages gave.
func TestPagesTrouble(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	nsystest.WriteDatabase(t, path, wide)
	d, err := openDatabase(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	want, err := rowsOf(t, d, "wide")
	if err != nil {
		t.Fatal(err)
	}
	for after := range 40 {
		d.pages = &broken{Pages: d.pages, left: after}
		got, err := rowsOf(t, d, "wide")
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("trouble after %d pages: got %d values, %v, want %d", after, len(got), err, len(want))
		}
		d.pages = d.pages.(*broken).Pages
	}
}

type broken struct {
	btree.Pages
	left int
}

func (b *broken) Page(n uint32) ([]byte, error) {
	if b.left--; b.left < 0 {
		return nil, errors.New("broken")
	}
	return b.Pages.Page(n)
}

// TestPagesStop ends a scan by its context and by what takes the rows.
func TestPagesStop(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	nsystest.WriteDatabase(t, path, wide)
	d, err := openDatabase(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	stop := fmt.Errorf("enough")
	if err := d.Scan(context.Background(), "wide", Ints("a"), func(*Batch) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("emit: got %v want %v", err, stop)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := d.shape(ctx, "wide"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := d.Scan(ctx, "wide", Ints("a"), func(*Batch) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("context: got %v want it cancelled", err)
	}
}
