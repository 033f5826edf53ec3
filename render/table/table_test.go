package table

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sample is a table with every kind of value, in so many rows.
func sample(rows int) *Table {
	return &Table{
		Schema: Schema{Name: "sample", Doc: "a row", Columns: ParseColumns(`name text: what it is called
			count integer: how often
			time_s float s: how long: mean
			on boolean: whether
			never float B: what nobody recorded`)},
		Rows: func(emit func([]Cell) error) error {
			for i := range rows {
				row := []Cell{TextCell([]string{"", "=1+1", "a, \"b\"\nc", "\xff\xfe", "NaN"}[i%5]), IntegerCell(int64(i) - 2), FloatCell(float64(i) / 3), BoolCell(i%3 == 0), FloatCell(math.NaN())}
				if i%4 == 1 {
					row[1], row[2], row[3] = Cell{}, FloatCell(math.Inf(1)), Cell{}
				}
				if err := emit(row); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// cellsOf are all cells of a table as text, "" of none, a float by its bits.
func cellsOf(t *testing.T, x *Table) (all [][]string) {
	t.Helper()
	err := x.Rows(func(row []Cell) error {
		var fields []string
		for i := range row {
			fields = append(fields, exact(x.Columns[i].Kind, row[i]))
		}
		all = append(all, fields)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func exact(kind Kind, c Cell) string {
	switch {
	case !c.Present:
		return ""
	case kind == Text:
		return c.Text
	case kind == Float:
		return fmt.Sprintf("%x", math.Float64bits(c.Float))
	}
	return strconv.FormatInt(c.Integer, 10)
}

// TestSQLite reads back what was written, and holds it to the same bytes the second time.
func TestSQLite(t *testing.T) {
	for _, rows := range []int{0, 1, 60, 3000} {
		x := sample(rows)
		x.Columns = append(x.Columns, Column{Name: "Name", Doc: "differs in case alone"})
		inner := x.Rows
		x.Rows = func(emit func([]Cell) error) error {
			return inner(func(row []Cell) error { return emit(append(row, TextCell("other"))) })
		}
		views := []View{
			{Name: "often", Doc: "a view", Columns: []string{"sample.count"}, Query: "SELECT count FROM sample WHERE count > 0"},
			{Name: "never_made", Columns: []string{"sample.absent"}, Query: "SELECT absent FROM sample"},
		}
		at, again := filepath.Join(t.TempDir(), "a?#%.db"), filepath.Join(t.TempDir(), "b.db")
		for _, path := range []string{at, again} {
			if err := WriteSQLite(t.Context(), path, []Table{*x}, views, "a policy"); err != nil {
				t.Fatal(err)
			}
		}
		a, _ := os.ReadFile(at)
		b, _ := os.ReadFile(again)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%d rows: other bytes the second time: %d, %d", rows, len(a), len(b))
		}
		db, err := sql.Open("sqlite", again)
		if err != nil {
			t.Fatal(err)
		}
		got, err := db.QueryContext(t.Context(), "SELECT * FROM sample ORDER BY rowid")
		if err != nil {
			t.Fatal(err)
		}
		want, row := cellsOf(t, x), 0
		for got.Next() {
			values := make([]any, len(x.Columns))
			to := make([]any, len(values))
			for i := range to {
				to[i] = &values[i]
			}
			if err := got.Scan(to...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if text := ofSQLite(v); text != want[row][i] {
					t.Fatalf("row %d, %s: got %q, want %q", row, x.Columns[i].Name, text, want[row][i])
				}
			}
			row++
		}
		if row != rows || got.Err() != nil {
			t.Errorf("got %d rows of %d, %v", row, rows, got.Err())
		}
		var unit, second string
		if err := db.QueryRowContext(t.Context(), `SELECT unit FROM readme WHERE "column" = 'time_s'`).Scan(&unit); err != nil || unit != "s" {
			t.Errorf("readme: got %q, %v", unit, err)
		}
		if err := db.QueryRowContext(t.Context(), `SELECT "column" FROM readme WHERE doc = 'differs in case alone'`).Scan(&second); err != nil || second != "Name (2)" {
			t.Errorf("readme: got %q, %v", second, err)
		}
		var made int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_master WHERE type = 'view'").Scan(&made); err != nil || made != 1 {
			t.Errorf("got %d views, %v", made, err)
		}
		db.Close()
	}
}

// ofSQLite is a value as exact has it.
func ofSQLite(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return fmt.Sprintf("%x", math.Float64bits(v))
	}
	return fmt.Sprint(v)
}

// TestSQLiteWide: a table that has no room in a database is an error that says so.
func TestSQLiteWide(t *testing.T) {
	x := Table{Schema: Schema{Name: "wide"}, Rows: func(func([]Cell) error) error { return nil }}
	for i := range maxColumns + 1 {
		x.Columns = append(x.Columns, Column{Name: fmt.Sprint("c", i)})
	}
	if err := WriteSQLite(t.Context(), filepath.Join(t.TempDir(), "x.db"), []Table{x}, nil, ""); err == nil || !strings.Contains(err.Error(), "2001 columns") {
		t.Errorf("got %v", err)
	}
}

// TestCSV: what is read back is what was written, and each value by itself tells its kind, so
// that a reader that guesses from any rows guesses the same.
func TestCSV(t *testing.T) {
	x := sample(60)
	var b bytes.Buffer
	if err := WriteCSV(&b, x); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 61 {
		t.Fatalf("got %d rows, %v", len(rows), err)
	}
	want := cellsOf(t, x)
	for at, row := range rows[1:] {
		for i, field := range row {
			if got := exact(x.Columns[i].Kind, parsed(t, x.Columns[i].Kind, field)); got != want[at][i] {
				t.Errorf("row %d, %s: got %q, want %q", at, x.Columns[i].Name, field, want[at][i])
			}
		}
	}
}

// parsed reads a field as pandas and DuckDB do: by its looks.
func parsed(t *testing.T, kind Kind, field string) Cell {
	t.Helper()
	_, notWhole := strconv.ParseInt(field, 10, 64)
	v, notNumber := strconv.ParseFloat(field, 64)
	switch {
	case field == "":
		return Cell{}
	case kind == Integer && notWhole == nil:
		n, _ := strconv.ParseInt(field, 10, 64)
		return IntegerCell(n)
	case kind == Float && notWhole != nil && notNumber == nil:
		return FloatCell(v)
	case kind == Bool && (field == "true" || field == "false"):
		return BoolCell(field == "true")
	case kind != Text:
		t.Errorf("%q is no %s", field, kindNames[kind])
	}
	return TextCell(field)
}

// TestJSON: null for what was not recorded, and no row is an empty list.
func TestJSON(t *testing.T) {
	for _, rows := range []int{0, 3, 1500} {
		x, empty := sample(rows), sample(0)
		empty.Name = "empty"
		var b bytes.Buffer
		if err := WriteJSON(&b, []Table{*x, *empty}); err != nil {
			t.Fatal(err)
		}
		var all map[string][]map[string]any
		if err := json.Unmarshal(b.Bytes(), &all); err != nil {
			t.Fatalf("%v: %.300s", err, b.String())
		}
		got := all["sample"]
		if len(got) != rows || all["empty"] == nil || len(all["empty"]) > 0 {
			t.Fatalf("got %d rows of %d, and %v of none", len(got), rows, all["empty"])
		}
		if rows > 0 && (got[0]["name"] != nil || got[0]["count"] != -2. || got[0]["on"] != true || got[0]["never"] != nil) {
			t.Errorf("got %v", got[0])
		}
	}
}

// full is a disk that is full after so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestWriteError: a disk that is full is an error of every form.
func TestWriteError(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"csv":  func(w io.Writer) error { return WriteCSV(w, sample(3000)) },
		"json": func(w io.Writer) error { return WriteJSON(w, []Table{*sample(3000)}) },
	} {
		if err := write(&full{100}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
