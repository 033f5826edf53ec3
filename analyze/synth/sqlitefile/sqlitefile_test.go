package sqlitefile_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/sqlitefile"
)

// TestValues: every kind of value is read as it was written.
func TestValues(t *testing.T) {
	x := &table{name: "v", wide: 1}
	for _, v := range append(edges(), nil, "", "a", "naïve ✓", "a\x00b", strings.Repeat("x", 57), strings.Repeat("x", 58),
		[]byte{}, []byte{0, 255}, bytes.Repeat([]byte{7}, 8200),
		0.0, 1.0, -1.5, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), float64(1<<53)) {
		x.rows = append(x.rows, row{int64(len(x.rows) + 1), []any{v}})
	}
	check(t, write(t, x), x)
}

// TestConverted: what is stored as another value than it was given as.
func TestConverted(t *testing.T) {
	path := write(t, &table{name: "v", wide: 2, rows: counted([]any{math.NaN(), int(-7)})})
	check(t, path, &table{name: "v", wide: 2, rows: counted([]any{nil, int64(-7)})})
}

// TestRowSizes: rows of every size about those at which a row leaves its page, in part, and
// at which that part needs one more page.
func TestRowSizes(t *testing.T) {
	const most, least, rest = 4061, 489, 4092 // of 4096: less 35; 32/255 of it less 12, less 23; less 4
	x, blobs := &table{name: "sizes", wide: 1, keyed: true}, &table{name: "blobs", wide: 1}
	id := int64(0)
	for _, about := range []int{0, 1, 120, 127, 128, least, most, least + rest, most + rest, least + 2*rest, 3*rest + most, 16_384, 70_000, 1 << 20} {
		for size := max(0, about-9); size <= about+9; size++ {
			id += int64(size) + 1 // ids of one to three bytes
			text := strings.Repeat(string(rune('a'+size%26)), size)
			x.rows = append(x.rows, row{id, []any{text}})
			blobs.rows = append(blobs.rows, row{int64(len(blobs.rows) + 1), []any{[]byte(text)}})
		}
	}
	check(t, write(t, x, blobs), x, blobs)
}

// TestWideRows: the types of many columns take more bytes than one to be counted.
func TestWideRows(t *testing.T) {
	var all []*table
	for _, wide := range []int{1, 2, 125, 126, 127, 128, 129, 130, 400} {
		x := &table{name: fmt.Sprintf("t%d", wide), wide: wide}
		for _, v := range []any{nil, int64(300), "text", strings.Repeat("long ", 20)} {
			values := make([]any, wide)
			for i := range values {
				values[i] = v
			}
			x.rows = append(x.rows, row{int64(len(x.rows) + 1), values})
		}
		all = append(all, x)
	}
	check(t, write(t, all...), all...)
}

// TestManyRows: trees of one level to three, with ids of all sizes.
func TestManyRows(t *testing.T) {
	var all []*table
	for _, n := range []int{0, 1, 2, 90, 100, 200, 100_000} {
		x := &table{name: fmt.Sprintf("rows_%d", n), wide: 2}
		for i := range n {
			x.rows = append(x.rows, row{int64(i + 1), []any{int64(i * 7919), "a text of some thirty characters"}})
		}
		all = append(all, x)
	}
	sparse := &table{name: "sparse", wide: 1, keyed: true}
	for i := range int64(30_000) { // from the least id of all to the largest
		sparse.rows = append(sparse.rows, row{math.MinInt64 + i*614_891_469_123_651, []any{strings.Repeat("s", int(i%90))}})
	}
	sparse.rows = append(sparse.rows, row{math.MaxInt64, []any{"last"}})
	all = append(all, sparse)
	check(t, write(t, all...), all...)
}

// TestLevels: as many pages below one as it has room for, and one more or less, for ids that take
// few bytes, many, and many at first alone.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		first, last int64 // between which ids lie evenly
		most        int   // pages below one
	}{{1_000_000, 2_000_000, 443}, {1 << 60, 1 << 61, 266}, {-1_000_000, 100, 266}} {
		for _, pages := range []int{c.most - 1, c.most, c.most + 1, c.most + 20, 2 * c.most, 2*c.most + 1} {
			x := &table{name: "levels", wide: 1, keyed: true}
			for i := range int64(pages) {
				x.rows = append(x.rows, row{c.first + i*((c.last-c.first)/int64(pages-1)), []any{strings.Repeat("p", 3000)}})
			}
			x.rows[pages-1].id = c.last
			check(t, write(t, x), x)
		}
	}
}

// TestManyTables: declarations that need pages of their own, two levels of them and more; and a
// first one that is longer than the first page has room for.
func TestManyTables(t *testing.T) {
	for _, c := range []struct{ tables, name int }{{1, 3700}, {1, 3950}, {2, 3950}, {9, 200}, {40, 2000}, {400, 1700}, {505, 3500}, {3, 30_000}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			var all []*table
			for i := range c.tables {
				name := fmt.Sprintf("t%d_%s", i, strings.Repeat("n", c.name/3)) // said three times in the schema
				all = append(all, &table{name: name, wide: 1, rows: counted([]any{int64(i)})})
			}
			check(t, write(t, all...), all[0], all[len(all)/2], all[len(all)-1])
		})
	}
}

// TestRandom: tables of rows of every kind, filled in turns.
func TestRandom(t *testing.T) {
	for seed := range uint64(40) {
		tables := random(seed, 400)
		check(t, write(t, tables...), tables...)
	}
}

// FuzzFile looks for rows that are not read as they were written.
func FuzzFile(f *testing.F) {
	f.Add(uint64(7), uint16(100))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16) {
		tables := random(seed, int(rows%2000))
		check(t, write(t, tables...), tables...)
	})
}

// random are some tables of at most so many rows each.
func random(seed uint64, rows int) (out []*table) {
	r := rand.New(rand.NewPCG(seed, 5))
	ints := edges()
	value := func() any {
		switch r.IntN(6) {
		case 0:
			return nil
		case 1:
			return ints[r.IntN(len(ints))]
		case 2:
			return int64(r.Uint64() >> r.IntN(64))
		case 3:
			return r.NormFloat64()
		case 4:
			return strings.Repeat("text", r.IntN(1+[]int{4, 40, 1100, 3000}[r.IntN(4)]))
		}
		return bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(300))
	}
	for i := range 1 + r.IntN(5) {
		x := &table{name: fmt.Sprintf("random %d", i), wide: 1 + r.IntN(9), keyed: r.IntN(2) == 0}
		id := int64(0)
		for range r.IntN(rows + 1) {
			id++
			if x.keyed {
				id += int64(r.Uint64() >> (24 + r.IntN(40)))
			}
			values := make([]any, x.wide)
			for c := range values {
				values[c] = value()
			}
			x.rows = append(x.rows, row{id, values})
		}
		out = append(out, x)
	}
	return out
}

// TestViewsAndIndexes: what exporters leave beside tables is there and of use.
func TestViewsAndIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "views.sqlite")
	f, err := sqlitefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	counted := f.Table("counted", "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, v)", 2, 0)
	counted.Append(nil, "first")
	counted.Append(int64(9), "ninth")
	counted.Append(nil, "tenth")
	f.Table("sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)", 2, -1).Append("counted", counted.Last())
	f.View("seen", "CREATE VIEW seen AS SELECT id AS number, v FROM counted")
	f.Table("empty", "CREATE TABLE empty (a, b)", 2, -1).Index("of_b", "CREATE INDEX of_b ON empty (b)")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	rows := []row{{1, []any{"first"}}, {9, []any{"ninth"}}, {10, []any{"tenth"}}}
	check(t, path, &table{name: "counted", wide: 1, keyed: true, rows: rows}, &table{name: "empty", wide: 2})
	added(t, path)
}

// TestAsTheEngine: a file has the head that the engine gives it, but for what counts changes and
// names the version, and is no larger.
func TestAsTheEngine(t *testing.T) {
	x := &table{name: "v", wide: 4, keyed: true}
	for i := range int64(20_000) { // 56 bytes of a page's 4,088 each: 73 fill it to the last
		x.rows = append(x.rows, row{i + 100_000, []any{i % 2, float64(i), "a text of thirty-six characters long", nil}})
	}
	ours, err := os.ReadFile(write(t, x))
	if err != nil {
		t.Fatal(err)
	}
	theirs := engineWrites(t, x)
	if len(ours) > len(theirs) {
		t.Errorf("%d bytes, and the engine needs %d", len(ours), len(theirs))
	}
	same := func(from, to int) {
		if !bytes.Equal(ours[from:to], theirs[from:to]) {
			t.Errorf("bytes %d to %d of the head: got %v, want %v", from, to, ours[from:to], theirs[from:to])
		}
	}
	same(0, 24)
	same(32, 40)
	same(44, 92)
	if !bytes.Equal(ours[24:28], ours[92:96]) || !bytes.Equal(ours[40:44], []byte{0, 0, 0, 1}) {
		t.Errorf("changes %v, of which %v are counted, of the schema %v", ours[24:28], ours[92:96], ours[40:44])
	}
}

// TestErrors: what cannot be written is said when the file is closed, with the table and the row.
func TestErrors(t *testing.T) {
	tests := []struct {
		name string
		fill func(f *sqlitefile.File, t *sqlitefile.Table)
		want string
	}{
		{"values", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(int64(1)) }, "table t: row 1: 1 values for 2 columns"},
		{"order", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(2, "a"); t.Append(2, "b") }, "table t: row 2: id 2 follows id 2"},
		{"id", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append("1", "a") }, "table t: row 1: the id is string"},
		{"no more ids", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(math.MaxInt64, nil); t.Append(nil, nil) }, "table t: row 2: id -9223372036854775808 follows id 9223372036854775807"},
		{"type", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(1, true) }, "table t: row 1: column 2: values of type bool have no place in a database"},
		{"names", func(f *sqlitefile.File, _ *sqlitefile.Table) { f.View("T", "CREATE VIEW T AS SELECT 1") }, "view T: the name is taken"},
		{"index of rows", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(1, 1); t.Index("i", "CREATE INDEX i ON t (v)") }, "index i: table t has rows, which would have to be in it"},
		{"rows of an index", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Index("i", "CREATE INDEX i ON t (v)"); t.Append(1, 1) }, "table t: row 1: the table has an index, which rows would have to be in"},
		{"first of two", func(_ *sqlitefile.File, t *sqlitefile.Table) { t.Append(1, true); t.Append() }, "table t: row 1: column 2: values of type bool have no place in a database"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f, err := sqlitefile.Create(filepath.Join(t.TempDir(), "errors.sqlite"))
			if err != nil {
				t.Fatal(err)
			}
			c.fill(f, f.Table("t", "CREATE TABLE t (id INTEGER PRIMARY KEY, v)", 2, 0))
			if err := f.Close(); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if f, err := sqlitefile.Create(filepath.Join(t.TempDir(), "no", "such.sqlite")); err == nil || !strings.Contains(err.Error(), "such.sqlite") {
		t.Errorf("a folder that is not there: %v, %v", f, err)
	}
}

// TestFullDisk: an error of writing is told when the file is closed, with the file.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	f, err := sqlitefile.Create("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	f.Table("t", "CREATE TABLE t (v)", 1, -1).Append(strings.Repeat("v", 10_000))
	if err := f.Close(); err == nil || !strings.Contains(err.Error(), "/dev/full") {
		t.Errorf("got %v", err)
	}
}

// TestSameBytes: the same rows make the same file, whatever was in its place.
func TestSameBytes(t *testing.T) {
	tables := random(3, 300)
	first, err := os.ReadFile(write(t, tables...))
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(write(t, tables...))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("%d bytes and %d, %v: they differ", len(first), len(second), err)
	}
}
