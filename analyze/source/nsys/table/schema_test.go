package table

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/golden"
)

// schemas are the schema of a file by its pages, nil where that is not plain, and by the
// engine.
func schemas(t *testing.T, path string) (plain, asked schema) {
	t.Helper()
	ctx := context.Background()
	image, err := btree.OpenImage(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := btree.NewFile(image)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err = readSchema(ctx, file); err != nil {
		plain = nil
	}
	d := &database{image: image, meter: meter{size: image.Size()}, shapes: schema{}}
	if err := d.connect(ctx); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for table := range d.known {
		s, err := d.shape(ctx, table)
		if err != nil {
			t.Fatal(err)
		}
		var n sql.NullInt64
		if last, err := btree.LastRow(file, s.root); s.usual && err == nil {
			if err := d.sql.QueryRowContext(ctx, "SELECT max(rowid) FROM "+quote(table)).Scan(&n); err != nil || n.Int64 != last {
				t.Errorf("%s: got last row %d, the engine %d, %v", table, last, n.Int64, err)
			}
		}
	}
	return plain, d.shapes
}

// TestSchemaReal: the schemas of real exports are plain, and what is read from them is
// what the engine says.
func TestSchemaReal(t *testing.T) {
	for _, path := range golden.RealFiles(t, "nsys/*.sqlite") {
		plain, asked := schemas(t, path)
		if !reflect.DeepEqual(plain, asked) {
			t.Errorf("%s: got %d tables, want %d, all alike", filepath.Base(path), len(plain), len(asked))
		}
	}
}

// TestSchemaLarge: texts of a schema that all rows share take no memory each, and what
// the engine refuses later leaves the tables that the pages know.
func TestSchemaLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := nsystest.OpenDatabase(t, path)
	for i := range 200 {
		if _, err := db.Exec(fmt.Sprintf("CREATE TABLE t%d (a INTEGER -- %s\n)", i, strings.Repeat("x", 30_000))); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	if plain, asked := schemas(t, path); plain != nil || len(asked) != 200 {
		t.Errorf("got %d tables from pages, %d from the engine", len(plain), len(asked))
	}
	garbage := filepath.Join(t.TempDir(), "garbage.sqlite")
	nsystest.WriteFile(t, garbage, []byte(strings.Repeat("garbage", 1000)))
	image, err := btree.OpenImage(garbage)
	if err != nil {
		t.Fatal(err)
	}
	d := &database{image: image, shapes: schema{}, known: map[string]bool{"a": true}}
	defer d.Close()
	if _, err := d.engine(context.Background()); err == nil || !d.Has("a") || d.sql != nil {
		t.Errorf("got %v, tables %v", err, d.known)
	}
}

// TestSchema: declarations that are read here are read as the engine reads them, and
// what is unusual in any way is left to it.
func TestSchema(t *testing.T) {
	for declaration, plain := range map[string]bool{
		"CREATE TABLE x (a INTEGER, b TEXT NOT NULL, c REAL, d BLOB)":                                     true,
		"create table x (\n -- all (of it), here\n a integer not null primary key, -- key\n b text)":      true,
		"CREATE TABLE \"x\" (\"a b\" INTEGER, end INTEGER REFERENCES y (id), c TEXT)":                     true,
		"CREATE TABLE x (a TEXT PRIMARY KEY, b INTEGER)":                                                  true,
		"CREATE TABLE x (a INTEGER, b INTEGER, PRIMARY KEY (b, a))":                                       true,
		"CREATE TABLE x (a INTEGER, b INTEGER, PRIMARY KEY (b))":                                          true,
		"CREATE TABLE x (a INTEGER PRIMARY KEY DESC, b)":                                                  false,
		"CREATE TABLE x (a INTEGER, b INTEGER DEFAULT 7)":                                                 false,
		"CREATE TABLE x (a INTEGER, b INTEGER AS (a + 1))":                                                false,
		"CREATE TABLE x (a INTEGER, b INTEGER CHECK (b > 0))":                                             false,
		"CREATE TABLE x (a INTEGER, CHECK (a > 0))":                                                       false,
		"CREATE TABLE x (a TEXT PRIMARY KEY, b) WITHOUT ROWID":                                            false,
		"CREATE TABLE x (a INTEGER) STRICT":                                                               false,
		"CREATE TABLE x (a BIGINT UNSIGNED)":                                                              false,
		"CREATE TABLE x (a INTEGER /* no, b */, c TEXT)":                                                  false,
		"CREATE TABLE x (\"a\"\"b\" INTEGER)":                                                             false,
		"CREATE TABLE x ([a] INTEGER)":                                                                    false,
		"CREATE TABLE x (a INTEGER PRIMARY KEY AUTOINCREMENT)":                                            false,
		"CREATE TABLE x (a INTEGER, b TEXT COLLATE NOCASE)":                                               false,
		"CREATE TABLE x (a INTEGER); CREATE INDEX i ON x (a)":                                             false,
		"CREATE TABLE x (a INTEGER); CREATE VIEW v AS SELECT a FROM x":                                    false,
		"CREATE TABLE x (a INTEGER); ALTER TABLE x ADD COLUMN b TEXT; ALTER TABLE x RENAME COLUMN b TO c": true,
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		nsystest.WriteDatabase(t, path, strings.Split(declaration, "; ")...)
		got, want := schemas(t, path)
		switch {
		case plain != (got != nil):
			t.Errorf("%s: got plain %v, want %v", declaration, got != nil, plain)
		case plain && !reflect.DeepEqual(got, want):
			t.Errorf("%s: got %+v, want %+v", declaration, got["x"], want["x"])
		}
	}
	for _, text := range []string{"", "CREATE", "CREATE TABLE x", "CREATE TABLE x (", "CREATE TABLE x (a", "CREATE TABLE x (a INTEGER", "CREATE TABLE x (a INTEGER,)", "CREATE TABLE x ()",
		"CREATE TABLE x (a INTEGER NOT", "CREATE TABLE x (a INTEGER PRIMARY", "CREATE TABLE x (a INTEGER REFERENCES y", "CREATE TABLE x (a INTEGER, a TEXT)", "CREATE TABLE x (\"", "CREATE TABLE x (a INTEGER) --",
		"CREATE TABLE x (order INTEGER)", "CREATE TABLE x (a INTEGER, A TEXT)", "CREATE TABLE x (a INTEGER PRIMARY KEY PRIMARY KEY)", "CREATE TABLE x (1a INTEGER)",
		"CREATE TABLE x (a INTEGER, PRIMARY KEY (a), b TEXT)", "CREATE TABLE x (a INTEGER PRIMARY KEY, PRIMARY KEY (a))", "CREATE TABLE x (a INTEGER, UNIQUE (a))", "CREATE TABLE x (unique INTEGER)",
		"CREATE TABLE x (PRIMARY KEY (a))", "CREATE TABLE x (a INTEGER, PRIMARY KEY (", "CREATE TABLE y (a INTEGER)", "CREATE TABLE x (a INTEGER, PRIMARY KEY (b))"} {
		if s := plainShape("x", text); s != nil && text != "CREATE TABLE x (a INTEGER) --" {
			t.Errorf("%q: got %+v", text, s)
		}
	}
}

// TestSchemaSeen: a schema is read once where the pages are the same, whatever the file's
// own header counts, and anew where a byte of them is another.
func TestSchemaSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rank0.sqlite")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	open := func(statement string) (schema, *shape) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		d, err := openDatabase(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		s, err := d.shape(t.Context(), "OSRT_API")
		if err != nil || !d.Has("osrt_api") {
			t.Fatalf("after %s: got no table, %v", statement, err)
		}
		return d.shapes, s
	}
	first, one := open("CREATE TABLE OSRT_API (start INTEGER, end INTEGER)")
	same, _ := open("INSERT INTO OSRT_API VALUES (1, 2)") // which the header counts
	other, renamed := open("ALTER TABLE OSRT_API RENAME COLUMN end TO more")
	if reflect.ValueOf(first).Pointer() != reflect.ValueOf(same).Pointer() {
		t.Error("the same pages were read anew")
	}
	if _, ok := renamed.field["more"]; !ok || one.field["end"] != 1 || len(other) != 1 {
		t.Errorf("after another name: got %v and %v", one.field, renamed.field)
	}
	if more := first.with("nvtx_events", one); len(first) != 1 || len(more) != 2 {
		t.Errorf("got %d tables of the schema that files share, want 1", len(first))
	}
}
