package sqlitefile_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the engine that is asked whether files are right

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/synth/sqlitefile"
)

// row is a row that was written: its id, and the value of each column as it is to be read.
type row struct {
	id     int64
	values []any
}

// table is a table to write, with a column that is its key where keyed, and others of no type.
type table struct {
	name  string
	wide  int // columns beside the key
	keyed bool
	rows  []row
}

func (x *table) sql() string {
	var columns []string
	if x.keyed {
		columns = append(columns, "id INTEGER PRIMARY KEY")
	}
	for i := range x.wide {
		columns = append(columns, fmt.Sprintf("c%d", i))
	}
	return fmt.Sprintf("CREATE TABLE %q (%s)", x.name, strings.Join(columns, ", "))
}

// write writes tables to a new file, the rows of all in turns, and returns its path.
func write(t *testing.T, tables ...*table) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "written.sqlite")
	f, err := sqlitefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	made, most := make([]*sqlitefile.Table, len(tables)), 0
	for i, x := range tables {
		key, columns := -1, x.wide
		if x.keyed {
			key, columns = 0, x.wide+1
		}
		made[i] = f.Table(x.name, x.sql(), columns, key)
		most = max(most, len(x.rows))
	}
	for n := range most {
		for i, x := range tables {
			if n >= len(x.rows) {
				continue
			}
			values := x.rows[n].values
			if x.keyed {
				values = append([]any{x.rows[n].id}, values...)
			}
			made[i].Append(values...)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// check holds a file to the engine's own checks, and each row of its tables to what was written:
// as the engine reads it, and its id as the pages are read without one.
func check(t *testing.T, path string, tables ...*table) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for pragma, want := range map[string]string{"integrity_check": "ok", "quick_check": "ok", "encoding": "UTF-8", "journal_mode": "delete",
		"page_count": fmt.Sprint(st.Size() / 4096), "freelist_count": "0", "page_size": "4096"} {
		var got string
		if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %.200s, %v, want %s", pragma, got, err, want)
		}
	}
	for _, x := range tables {
		engineReads(t, db, x)
		pagesHold(t, db, path, x)
	}
	if shell, err := exec.LookPath("sqlite3"); err == nil {
		if out, err := exec.Command(shell, path, "PRAGMA integrity_check").CombinedOutput(); err != nil || string(out) != "ok\n" {
			t.Errorf("sqlite3: %.200s, %v", out, err)
		}
	}
}

// engineReads holds the rows of a table to those that were written.
func engineReads(t *testing.T, db *sql.DB, x *table) {
	t.Helper()
	rows, err := db.Query(fmt.Sprintf("SELECT rowid, * FROM %q", x.name))
	if err != nil {
		t.Fatalf("table %s: %v", x.name, err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		skip := 1
		if x.keyed {
			skip = 2
		}
		got := make([]any, skip+x.wide)
		to := make([]any, len(got))
		for i := range got {
			to[i] = &got[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		if n >= len(x.rows) {
			t.Fatalf("table %s has more than the %d rows that were written", x.name, len(x.rows))
		}
		for i, v := range got {
			if b, ok := v.([]byte); ok && b == nil {
				got[i] = []byte{} // the engine's word for a blob of no bytes
			}
		}
		if want := x.rows[n]; got[0] != want.id || got[skip-1] != want.id || !reflect.DeepEqual(got[skip:], want.values) {
			t.Fatalf("table %s, row %d: got %.300s, want %.300s", x.name, n+1, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	if rows.Err() != nil || n != len(x.rows) {
		t.Errorf("table %s: %d rows, %v, want %d", x.name, n, rows.Err(), len(x.rows))
	}
}

// pagesHold holds the ids of a table's rows to those that were written, by the program's reader.
func pagesHold(t *testing.T, db *sql.DB, path string, x *table) {
	t.Helper()
	var root uint32
	if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", x.name).Scan(&root); err != nil {
		t.Fatal(err)
	}
	image, err := btree.OpenImage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	file, err := btree.NewFile(image)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Release()
	n := 0
	err = btree.Scan(context.Background(), file, root, []btree.Column{{Field: btree.Rowid}}, func(ids [][]int64, count int) error {
		for _, id := range ids[0][:count] {
			if n >= len(x.rows) || x.rows[n].id != id {
				return fmt.Errorf("row %d has id %d", n+1, id)
			}
			n++
		}
		return nil
	})
	if err != nil || n != len(x.rows) {
		t.Errorf("table %s: %d rows of %d in its pages, %v", x.name, n, len(x.rows), err)
	}
}

// counted are rows with ids from 1.
func counted(values ...[]any) (rows []row) {
	for i, v := range values {
		rows = append(rows, row{int64(i + 1), v})
	}
	return rows
}

// edges are the integers at which their size changes, and those around them.
func edges() (out []any) {
	for bits := 1; bits < 64; bits++ {
		for d := range int64(3) {
			out = append(out, int64(1)<<bits-1+d-1, -(int64(1)<<bits)+1-d)
		}
	}
	return append(out, int64(0), int64(1), int64(-1), int64(math.MaxInt64), int64(math.MinInt64))
}

// added adds to a file what an engine would, which has to find views, indexes and counted ids
// as it leaves them itself.
func added(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{"INSERT INTO counted (v) VALUES ('eleventh')", "INSERT INTO empty VALUES (1, 2), (3, 4)", "CREATE TABLE more (v)"} {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	for query, want := range map[string]string{"SELECT number FROM seen WHERE v = 'eleventh'": "11",
		"SELECT a FROM empty INDEXED BY of_b WHERE b = 4": "3", "PRAGMA integrity_check": "ok"} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", query, got, err, want)
		}
	}
}

// engineWrites is the file that the engine makes of a table.
func engineWrites(t *testing.T, x *table) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine.sqlite")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(x.sql()); err != nil {
		t.Fatal(err)
	}
	insert, err := tx.Prepare(fmt.Sprintf("INSERT INTO %q VALUES (?%s)", x.name, strings.Repeat(", ?", x.wide)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range x.rows {
		if _, err := insert.Exec(append([]any{r.id}, r.values...)...); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(insert.Close(), tx.Commit(), db.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
