package table_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
)

// declarations are tables as SQLite keeps them, with what is done with them.
var declarations = []string{
	"CREATE TABLE x (a INTEGER, b TEXT NOT NULL, c REAL, d BLOB); INSERT INTO x VALUES (1, 'b', 2, x'00'), ('n', 5, 1e15, 'd')",
	"create table x (\n -- all (of it), here\n a integer not null primary key, -- key\n b text); INSERT INTO x VALUES (-7, 'b')",
	"CREATE TABLE \"x\" (\"a b\" INTEGER, end INTEGER REFERENCES y (id), c TEXT); INSERT INTO x VALUES (1, 2, 'c')",
	"CREATE TABLE [x] ([a b] INTEGER, `b` INT, 'c' TEXT, \"d\"\"e\", `f``g`, 'h''i'); INSERT INTO x VALUES (1, 2, 3, 4, 5, 6)",
	"CREATE TABLE x (a TEXT PRIMARY KEY, b INTEGER); INSERT INTO x VALUES ('k', 2)",
	"CREATE TABLE x (a INTEGER, b INTEGER, PRIMARY KEY (b, a)); INSERT INTO x VALUES (1, 2)",
	"CREATE TABLE x (a INTEGER, b INTEGER, PRIMARY KEY (b)); INSERT INTO x VALUES (1, 2), (3, -4)",
	"CREATE TABLE x (a INTEGER, b INTEGER, CONSTRAINT k PRIMARY KEY (b DESC) ON CONFLICT REPLACE); INSERT INTO x VALUES (1, 2), (3, -4)",
	"CREATE TABLE x (a INTEGER, b INTEGER, PRIMARY KEY ('b' COLLATE nocase ASC AUTOINCREMENT)); INSERT INTO x VALUES (1, 2)",
	"CREATE TABLE x (a INTEGER PRIMARY KEY DESC, b); INSERT INTO x VALUES (9, 1), (5, 2)",
	"CREATE TABLE x (a INTEGER PRIMARY KEY ASC ON CONFLICT IGNORE AUTOINCREMENT, b); INSERT INTO x VALUES (9, 1), (5, 2)",
	"CREATE TABLE x (a INT PRIMARY KEY, b); INSERT INTO x VALUES (9, 1)",
	"CREATE TABLE x (a \"INTEGER\" PRIMARY KEY, b); INSERT INTO x VALUES (9, 1)",
	"CREATE TABLE x (a INTEGER(8) PRIMARY KEY, b); INSERT INTO x VALUES (9, 1)",
	"CREATE TABLE x (a INTEGER /* key */ PRIMARY KEY, b); INSERT INTO x VALUES (9, 1)",
	"CREATE TABLE x (a BIGINT UNSIGNED PRIMARY KEY, b); INSERT INTO x VALUES (9, 1)",
	"CREATE TABLE x (a INTEGER, b INTEGER AS (a + 1), c INTEGER GENERATED ALWAYS AS (a * 2) STORED, d TEXT GENERATED ALWAYS AS (a) VIRTUAL, e); INSERT INTO x (a, e) VALUES (1, 5), (2, 6)",
	"CREATE TABLE x (a INTEGER CHECK (a > 0 AND ')' <> '('), b CONSTRAINT q UNIQUE ON CONFLICT ABORT, c COLLATE \"nocase\" DEFAULT (7)); INSERT INTO x (a, b) VALUES (1, 2)",
	"CREATE TABLE x (a REFERENCES y ON DELETE SET NULL ON UPDATE SET DEFAULT MATCH FULL NOT DEFERRABLE INITIALLY IMMEDIATE NOT NULL, b NULL REFERENCES y(q) DEFERRABLE INITIALLY DEFERRED DEFAULT -3, c); INSERT INTO x (a, c) VALUES (1, 2)",
	"CREATE TABLE x (a, b, CHECK (a > 0), UNIQUE (a, b) ON CONFLICT FAIL FOREIGN KEY (b) REFERENCES y (c) ON DELETE CASCADE ON UPDATE NO ACTION, CONSTRAINT c CHECK (b <> ')') ON CONFLICT ROLLBACK); INSERT INTO x VALUES (1, NULL)",
	"CREATE TABLE x (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO x VALUES ('z', 1), ('b', 2)",
	"CREATE TABLE x (a ANY, b TEXT, c INTEGER, d REAL, PRIMARY KEY (c DESC, b, c, b COLLATE nocase)) STRICT, WITHOUT ROWID",
	"CREATE TABLE x (a INT, b TEXT, c INTEGER, d REAL, PRIMARY KEY (c DESC, b, c, b COLLATE nocase)) WITHOUT ROWID; INSERT INTO x VALUES (1, 'b', 3, 4), (5, 'B', 3, 8.5)",
	"CREATE TABLE x (a INTEGER PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO x VALUES (5, 1), (-5, 2)",
	"CREATE TABLE x (a INTEGER, b ANY, c REAL, d BLOB, e TEXT) STRICT; INSERT INTO x VALUES (1, '5', 3, x'04', 'e'), (1, 5.0, 2.5, x'', '')",
	"CREATE TABLE x (é INTEGER, b$ INTEGER, _ a$b); INSERT INTO x VALUES (1, 2, 3)",
	"CREATE TABLE x AS SELECT 1 AS a, 'b' AS \"b c\", 2.5 AS \"select\", NULL AS \"\"\"\", cast(7 AS REAL) AS [)]",
	"CREATE TABLE x (a FLOAT, b DOUBLE PRECISION, c DECIMAL(10, .5), d VARCHAR(-1, +2.5), e \"a real\" text, f CHARINT, g FLOATING POINT, h 'BLOBREAL'); INSERT INTO x VALUES (1, 2, 3, 4, 5, 6, 7, 8), (1.5, 2e9, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5)",
	"CREATE TABLE x (abort, action, after, key, column, desc, temp, view, if, row, without, strict, rowid, stored, always, generated)",
	"CREATE TABLE x (a, key KEY INTEGER, b generated, c INTEGER GENERATED ALWAYS, d always); INSERT INTO x VALUES (1, 2, 3, 4, 5)",
	"CREATE TABLE x (a /* unusual ) */ INTEGER -- more\n, /**/ b/* x */TEXT /* the end */) -- no more; INSERT INTO x VALUES (1, 2)",
	"CREATE TABLE main.x (a); CREATE UNIQUE INDEX i ON x (a); CREATE VIEW v (b) AS SELECT a FROM x; CREATE TRIGGER IF NOT EXISTS main.t AFTER INSERT ON x BEGIN SELECT 1; END; INSERT INTO x VALUES (1)",
	"CREATE TABLE x (a INTEGER); ALTER TABLE x RENAME TO \"y z\"; ALTER TABLE \"y z\" ADD COLUMN b TEXT; ALTER TABLE \"y z\" RENAME COLUMN b TO \"c d\"; INSERT INTO \"y z\" VALUES (1, 2)",
	"CREATE TABLE x (a INTEGER, b, c); INSERT INTO x VALUES (1, 2, 3); ALTER TABLE x DROP COLUMN b",
}

func TestDeclarations(t *testing.T) {
	for _, d := range declarations {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		nsystest.WriteDatabase(t, path, d)
		samePages(t, path)
		if t.Failed() {
			t.Fatalf("of %s", d)
		}
	}
}

// TestPresets: rows from before a column was added have what its declaration says.
func TestPresets(t *testing.T) {
	kinds := []string{"", "INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "VARCHAR(9)", "DOUBLE"}
	for _, preset := range []string{"7", "-7", "+7", "- 7", "007", "7.0", "7.50", "-0.0", "1e3", "1e-400", "9e999", ".5", "5.", "0x1F", "-0x10", "1_000", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890",
		"'7'", "' 7 '", "'7.0'", "'1e3'", "'x'", "''", "'it''s'", "'0x10'", "'9223372036854775808'", "'infinity'", "x'41'", "X''", "NULL", "true", "FALSE", "word", "\"true\"", "\"two words\"", "[a b]",
		"(7)", "(-7)", "(- -7)", "(-(-7.5))", "(((7)))", "('x')", "(NULL)", "(true)", "(+ 1.0)"} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		all := "CREATE TABLE x (a); INSERT INTO x VALUES (1), (2)"
		for i, kind := range kinds {
			all += "; ALTER TABLE x ADD COLUMN " + string(rune('c'+i)) + " " + kind + " DEFAULT " + preset
		}
		nsystest.WriteDatabase(t, path, all+"; INSERT INTO x (a) VALUES (3)")
		if read := samePages(t, path); read != 1 {
			t.Errorf("DEFAULT %s: got rows of %d tables, want 1", preset, read)
		}
		if t.Failed() {
			t.Fatalf("DEFAULT %s", preset)
		}
	}
}

// TestMalformed: a list of tables that SQLite refuses is refused, and its entry named.
func TestMalformed(t *testing.T) {
	for _, sql := range []string{"", "CREATE", "CREATE TABLE x", "CREATE TABLE x (", "CREATE TABLE x (a", "CREATE TABLE x (a INTEGER", "CREATE TABLE x (a INTEGER,)", "CREATE TABLE x ()", "CREATE TABLE x (a) x",
		"CREATE TABLE x (a INTEGER NOT", "CREATE TABLE x (a INTEGER PRIMARY", "CREATE TABLE x (a INTEGER REFERENCES", "CREATE TABLE x (a INTEGER, a TEXT)", "CREATE TABLE x (\"", "CREATE TABLE x (a, [b)", "CREATE TABLE x (a 'b)",
		"CREATE TABLE x (order INTEGER)", "CREATE TABLE x (a INTEGER, A TEXT)", "CREATE TABLE x (a INTEGER PRIMARY KEY PRIMARY KEY)", "CREATE TABLE x (1a INTEGER)", "CREATE TABLE x (a) WITHOUT ROWID", "CREATE TABLE x (a) WITHOUT ROWIDS",
		"CREATE TABLE x (a INTEGER, PRIMARY KEY (a), b TEXT)", "CREATE TABLE x (a INTEGER PRIMARY KEY, PRIMARY KEY (a))", "CREATE TABLE x (unique INTEGER)", "CREATE TABLE x (a, b CHECK (1)", "CREATE TABLE x (a(5))", "CREATE TABLE x (a INTEGER(5, ))",
		"CREATE TABLE x (PRIMARY KEY (a))", "CREATE TABLE x (a INTEGER, PRIMARY KEY (", "CREATE TABLE y (a INTEGER)", "CREATE TABLE x (a INTEGER, PRIMARY KEY (b))", "CREATE VIEW x AS SELECT 1", "CREATE TABLE x (a DEFAULT)", "CREATE TABLE x (a DEFAULT x'1')",
		"CREATE TABLE x (a DEFAULT 1a)", "CREATE TABLE x (a COLLATE)", "CREATE TABLE x (a ON CONFLICT FAIL)", "CREATE TABLE x (a UNIQUE ON CONFLICT x)", "CREATE TABLE x (a) STRICT WITHOUT ROWID", "CREATE TABLE x (a, UNIQUE (a),)", "CREATE TABLE x (a \x01)", "DROP TABLE x",
		"CREATE TABLE x (" + strings.Repeat("a", 10) + strings.Repeat(", b", 3000) + ")",
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		nsystest.WriteDatabase(t, path, "CREATE TABLE x (a); CREATE TABLE other (a)", "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = '"+strings.ReplaceAll(sql, "'", "''")+"' WHERE name = 'x'")
		refused(t, path, sql, `damaged: its list of tables: the entry "x" does not agree with itself (`)
	}
	for change, want := range map[string]string{
		"name = 'y' WHERE name = 'x'":       `the entry "y" does not`,
		"type = 'index' WHERE name = 'x'":   `the entry "x" does not`,
		"sql = NULL WHERE name = 'x'":       `the entry "x" does not`,
		"type = 'tabel' WHERE name = 'x'":   `the entry "x" does not`,
		"tbl_name = 'y' WHERE name = 'x'":   `the entry "x" does not`,
		"rootpage = NULL WHERE name = 'x'":  `the entry "x" does not`,
		"rootpage = 99 WHERE name = 'x'":    `the entry "x" does not`,
		"name = 'v' WHERE name = 'w'":       `the entry "v" does not`,
		"type = 'trigger' WHERE name = 'w'": `the entry "w" does not`,
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		nsystest.WriteDatabase(t, path, "CREATE TABLE x (a); CREATE VIEW w AS SELECT a FROM x", "PRAGMA writable_schema = 1; UPDATE sqlite_master SET "+change)
		refused(t, path, change, want)
	}
}

// refused holds a file to be refused here and by SQLite.
func refused(t *testing.T, path, what, want string) {
	t.Helper()
	d, _, err := table.Open(context.Background(), path, table.ExportWords, nil)
	if err == nil {
		d.Close()
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%.200s: got %v, want %s", what, err, want)
	}
	if _, err := schemaBySQLite(context.Background(), path); err == nil {
		t.Errorf("%.200s: SQLite reads it", what)
	}
}

// FuzzDeclaration holds what is read of a declaration to what SQLite reads: columns, and the
// values of rows.
func FuzzDeclaration(f *testing.F) {
	for _, d := range declarations {
		create, _, _ := strings.Cut(d, ";")
		f.Add(create)
	}
	f.Fuzz(func(t *testing.T, create string) {
		if len(create) > 2000 || !strings.HasPrefix(strings.ToUpper(create), "CREATE TABLE") {
			t.Skip()
		}
		dir, err := os.MkdirTemp("", "declaration") // the name of a seed has a # in it, which ends a path of SQLite
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "fuzz.sqlite")
		db := nsystest.OpenDatabase(t, path)
		defer db.Close()
		if _, err := db.Exec(create); err != nil {
			t.Skip()
		}
		tables, err := schemaBySQLite(context.Background(), path)
		if err != nil {
			t.Skip() // it made a table that it does not read
		}
		for name := range tables {
			quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
			db.Exec("INSERT INTO " + quoted + " DEFAULT VALUES")
			for _, column := range tables[name] {
				db.Exec("INSERT INTO " + quoted + ` ("` + strings.ReplaceAll(column, `"`, `""`) + `") VALUES (5), ('x'), (7.0)`)
			}
			var columns, values []string
			for i, column := range tables[name] {
				columns = append(columns, `"`+strings.ReplaceAll(column, `"`, `""`)+`"`)
				values = append(values, []string{"5", "'6'", "7.0", "8.5", "x'39'"}[i%5])
			}
			db.Exec("INSERT INTO " + quoted + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")")
			db.Exec("ALTER TABLE " + quoted + " ADD COLUMN added DEFAULT 7")
		}
		samePages(t, path)
	})
}
