package synth

import (
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the engine that is asked whether files are right
)

// stored are the types of values that an engine stores in columns of a declared type. A number
// that is not whole stays one in a column of integers.
var stored = map[string]string{
	"INTEGER": "'integer', 'real'", "BIGINT": "'integer'", "REAL": "'real'", "TEXT": "'text'", "JSONB": "'text'",
	"": "'integer', 'text'", // of sqlite_sequence
}

// TestDatabasesAreWhole: an engine finds nothing wrong with what stories are written as, no
// value missing where one is required, and each stored as it would itself.
func TestDatabasesAreWhole(t *testing.T) {
	stories := []string{"storage-counters", "clock-drop", "memory-leak", "graphs", "pipeline-bubble", "serving-decode", "no-steps"}
	for _, name := range stories {
		for format, end := range map[Format]string{Nsight: ".sqlite", Rocpd: ".db"} {
			dir, _ := write(t, parse(t, name), format)
			for _, side := range sideNames {
				held := 0
				err := filepath.WalkDir(filepath.Join(dir, side), func(path string, d fs.DirEntry, err error) error {
					if err == nil && strings.HasSuffix(path, end) && held < 2 { // storage is sampled by one of a node
						held++
						holdDatabase(t, path)
					}
					return err
				})
				if err != nil || held == 0 {
					t.Errorf("%s: %d files of %s, %v", name, held, end, err)
				}
			}
		}
	}
}

func holdDatabase(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := texts(t, db, "PRAGMA integrity_check"); fmt.Sprint(got) != "[ok]" {
		t.Errorf("%s: %v", path, got)
	}
	tables := texts(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if len(tables) < 10 {
		t.Errorf("%s: tables %v", path, tables)
	}
	for _, table := range tables {
		for _, c := range texts(t, db, fmt.Sprintf("SELECT name || ' ' || type FROM pragma_table_info('%s')", table)) {
			name, kind, _ := strings.Cut(c, " ")
			wrong := texts(t, db, fmt.Sprintf(`SELECT %q FROM %q WHERE typeof(%[1]q) NOT IN ('null', %[3]s) OR typeof(%[1]q) = 'real' AND %[4]t AND %[1]q = round(%[1]q) LIMIT 1`,
				name, table, stored[kind], kind == "INTEGER"))
			if len(wrong) > 0 {
				t.Errorf("%s: table %s: column %s holds %v", path, table, c, wrong)
			}
		}
	}
}

// texts is the first column of what a query gives.
func texts(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return out
}

// TestRowsOfExports: a column that is not there, has no value or has two is an error that names
// the table, as is a row of too few values.
func TestRowsOfExports(t *testing.T) {
	tests := []struct {
		name, varying, fixed, want string
		row                        []any
	}{
		{"not declared", "nameId name", "", "table ThreadNames: column name is given twice or not declared", nil},
		{"given twice", "nameId globalTid", "nameId=3", "table ThreadNames: column nameId is given twice, or a value that is none: 3", nil},
		{"no value", "globalTid", "priority=20", "table ThreadNames: column nameId has no value and must have one", nil},
		{"no number", "nameId", "priority=high", "table ThreadNames: column priority is given twice, or a value that is none: high", nil},
		{"too few", "nameId globalTid", "", "table ThreadNames: 1 values for columns nameId globalTid", []any{1}},
		{"of no type", "nameId", "", "table ThreadNames: row 1: column 1: values of type bool have no place in a database", []any{true}},
	}
	for _, c := range tests {
		err := newExport(t.Context(), filepath.Join(t.TempDir(), "x.sqlite"), "3.24.0", func(e *exportWriter) {
			e.rows("ThreadNames", c.varying, c.fixed)(c.row...)
		})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
