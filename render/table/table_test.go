package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	own "perfdiff/analyze/source/nsys/table/parquet"
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

// TestParquet reads back what was written with a library and with the reader of profiles, over
// one group of rows and several, and without rows.
func TestParquet(t *testing.T) {
	for _, rows := range []int{0, 1, 7, 1000, maxGroupRows + 9} {
		x := sample(rows)
		var b, again bytes.Buffer
		if err := WriteParquet(&b, x, "perfdiff test"); err != nil {
			t.Fatal(err)
		}
		if err := WriteParquet(&again, x, "perfdiff test"); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%d rows: other bytes the second time, %v", rows, err)
		}
		want := cellsOf(t, x)
		f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || f.NumRows() != int64(rows) {
			t.Fatalf("%d rows: got %v, %v", rows, f, err)
		}
		var schema Schema
		text, ok := f.Lookup(SchemaKey)
		if err := json.Unmarshal([]byte(strings.NewReplacer(`"type":"text"`, `"type":0`, `"type":"integer"`, `"type":1`, `"type":"float"`, `"type":2`, `"type":"boolean"`, `"type":3`).Replace(text)), &schema); !ok || err != nil || schema.Columns[2].Unit != "s" {
			t.Errorf("metadata: got %s, %v", text, err)
		}
		at := 0
		for _, g := range f.RowGroups() {
			r := g.Rows()
			room := make([]parquet.Row, 512)
			for {
				n, err := r.ReadRows(room)
				for _, row := range room[:n] {
					for i, v := range row {
						if got := ofLibrary(v); got != want[at][i] {
							t.Fatalf("row %d, %s: got %q, want %q", at, x.Columns[i].Name, got, want[at][i])
						}
					}
					at++
				}
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			r.Close()
		}
		if at != rows {
			t.Errorf("got %d rows of %d", at, rows)
		}
		readOwn(t, b.Bytes(), x, want)
	}
}

func ofLibrary(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.ByteArray:
		return string(v.ByteArray())
	case v.Kind() == parquet.Double:
		return fmt.Sprintf("%x", math.Float64bits(v.Double()))
	case v.Kind() == parquet.Boolean:
		if v.Boolean() {
			return "1"
		}
		return "0"
	}
	return strconv.FormatInt(v.Int64(), 10)
}

// readOwn reads it with the reader of profiles.
func readOwn(t *testing.T, b []byte, x *Table, want [][]string) {
	t.Helper()
	f, err := own.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(f.Columns) != len(x.Columns) || f.Rows != int64(len(want)) {
		t.Fatalf("got %+v, %v", f, err)
	}
	row := 0
	for g := range f.Groups {
		for i, c := range f.Columns {
			r, err := f.Read(g, c)
			if err != nil || c.Name != x.Columns[i].Name {
				t.Fatalf("%s: %v", c.Name, err)
			}
			for at := row; at < row+int(f.Groups[g].Rows); {
				v, err := r.Next(1000)
				if err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				for k := range v.N {
					got := ""
					switch {
					case v.Present != nil && v.Present[k] == 0:
					case v.Texts != nil:
						got = string(v.Texts[k])
					case x.Columns[i].Kind == Float:
						got = fmt.Sprintf("%x", uint64(v.Ints[k]))
					default:
						got = strconv.FormatInt(v.Ints[k], 10)
					}
					if got != want[at+k][i] {
						t.Fatalf("row %d, %s: got %q, want %q", at+k, c.Name, got, want[at+k][i])
					}
				}
				at += v.N
			}
		}
		row += int(f.Groups[g].Rows)
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

// TestJSONAndText: null and a dash for what was not recorded, and no row is an empty list.
func TestJSONAndText(t *testing.T) {
	for _, rows := range []int{0, 3, 1500} {
		x := sample(rows)
		var b bytes.Buffer
		if err := WriteJSON(&b, x); err != nil {
			t.Fatal(err)
		}
		var got []map[string]any
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || len(got) != rows {
			t.Fatalf("got %d rows of %d, %v", len(got), rows, err)
		}
		if rows > 0 && (got[0]["name"] != nil || got[0]["count"] != -2. || got[0]["on"] != true || got[0]["never"] != nil) {
			t.Errorf("got %v", got[0])
		}
		b.Reset()
		err := WriteText(&b, x, func(unit string, v float64) string { return fmt.Sprintf("%.2f%s", v, unit) }, func(s string) string { return strings.ReplaceAll(s, "\n", " ") })
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if err != nil || len(lines) != rows+1 || rows > 2 && (!strings.Contains(lines[3], "0.67s") || !strings.HasSuffix(lines[3], "-")) {
			t.Errorf("%v: got\n%.400s", err, b.String())
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
		"csv":     func(w io.Writer) error { return WriteCSV(w, sample(3000)) },
		"parquet": func(w io.Writer) error { return WriteParquet(w, sample(3000), "") },
		"json":    func(w io.Writer) error { return WriteJSON(w, sample(3000)) },
		"text": func(w io.Writer) error {
			return WriteText(w, sample(3000), func(string, float64) string { return "" }, strings.ToUpper)
		},
	} {
		if err := write(&full{100}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
