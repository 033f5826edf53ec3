// Package table reads the tables of an Nsight Systems export, a SQLite file or a directory
// of Parquet files, as columns of integers. It knows nothing of what tables mean. SQLite
// files are read from their pages, to what SQLite itself reads, and by SQLite where the decoder
// of pages refuses them; a log beside a file counts, and nothing here can run the SQL that a file brings.
package table

import (
	"context"
	"math"
	"strconv"
)

// Fold returns a name of a table or column as names are compared: SQLite does not tell the
// capital letters of ASCII from small ones, and tools that copy exports change them.
func Fold(name string) string {
	for i := range len(name) {
		if isCapital(name[i]) {
			return string(appendFolded(nil, name))
		}
	}
	return name
}

// appendFolded appends a folded name, byte for byte: not all names are valid text.
func appendFolded(out []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if isCapital(c) {
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return out
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// byFold returns a map's value for a name, folded. It is called some hundred times for each file, and does not
// allocate.
func byFold[V any](m map[string]V, name string) (V, bool) {
	var room [64]byte
	v, ok := m[string(appendFolded(room[:0], name))]
	return v, ok
}

// NameSet is a set of such names.
type NameSet map[string]bool

// Has reports whether the set has a name, in any case of letters.
func (f NameSet) Has(name string) bool {
	_, ok := byFold(f, name)
	return ok
}

// Source reads a profile's tables, whatever file holds them. Everything above it sees columns of integers and nothing
// of SQLite.
type Source interface {
	// Columns is the set of a table's columns; nil when there is no such table.
	Columns(ctx context.Context, table string) (NameSet, error)
	// Rows is about how many rows a table has, never more than its file can
	// hold; 0 when that is not known.
	Rows(ctx context.Context, table string) int64
	// Last is the number of a table's last row, where its writer counted rows from 1;
	// 0 when that is not known.
	Last(ctx context.Context, table string) int64
	// Scan hands over all rows of the table, a batch at a time, in the order
	// of the file. A column that the table lacks is all Null.
	Scan(ctx context.Context, table string, cols []Column, emit func(*Batch)) error
	// Mixed reports whether two tables are read faster together.
	Mixed(ctx context.Context, a, b string) bool
	// ScanTogether is Scan of several tables, whose batches come in any order of the
	// tables. Each has an error of its own.
	ScanTogether(ctx context.Context, scans []Scan) []error
	// ReadBySQLite says in a line which tables SQLite itself had to read so far, and why; ""
	// for none.
	ReadBySQLite() string
}

// Column is one column of a scan: integers, or with Text set, texts that Text
// turns into an integer. The string is valid only during the call.
type Column struct {
	Name string
	Text func(string) int64
}

// Batch is some rows of a scan: Cols[i][:N] belongs to column i of the query.
type Batch struct {
	N    int
	Cols [][]int64
}

// Null stands for NULL, and for values that are no integers.
const Null int64 = math.MinInt64

// batchSize is the most rows of a batch.
const batchSize = 4096

// Ints names columns of integers.
func Ints(names ...string) []Column {
	cols := make([]Column, len(names))
	for i, name := range names {
		cols[i].Name = name
	}
	return cols
}

// Row is one row of a small table, every value as text, "" for null.
type Row []string

// Num returns column i as a number, Null if it is none.
func (r Row) Num(i int) int64 {
	v, err := strconv.ParseInt(r[i], 10, 64)
	if err != nil {
		return Null
	}
	return v
}

// maxSmall is the most rows taken from a table that is small in every real export, so that a hostile one costs no
// memory.
const maxSmall = 100_000

// Small returns every row of a small table as texts. A table that is missing
// has no rows.
func Small(ctx context.Context, src Source, table string, names ...string) ([]Row, error) {
	have, err := src.Columns(ctx, table)
	if err != nil || have == nil {
		return nil, err
	}
	var texts []string
	keep := func(s string) int64 {
		if above := len(texts) - len(names); above >= 0 && texts[above] == s { // as in the row above, mostly
			texts = append(texts, texts[above])
		} else {
			texts = append(texts, CopyText(s))
		}
		return int64(len(texts) - 1)
	}
	cols := Ints(names...)
	for i := range cols {
		cols[i].Text = keep
	}
	var rows []Row
	err = src.Scan(ctx, table, cols, func(b *Batch) {
		for i := 0; i < b.N && len(rows) < maxSmall; i++ {
			rows = append(rows, textRow(b, i, texts))
		}
		texts = texts[:0]
	})
	return rows, err
}

func textRow(b *Batch, i int, texts []string) Row {
	r := make(Row, len(b.Cols))
	for c, col := range b.Cols {
		if col[i] != Null {
			r[c] = texts[col[i]]
		}
	}
	return r
}

// meter tells how many bytes of a file were read, estimated from the rows that were.
type meter struct {
	size     int64   // bytes of the file
	perRow   float64 // bytes of the file for each row that is scanned
	tell     func(bytes int64)
	reported int64 // bytes that were told
}

// report reports the bytes that n rows stand for.
func (m *meter) report(n int) {
	delta := min(int64(float64(n)*m.perRow), m.size-m.reported)
	if delta > 0 {
		m.reported += delta
		m.tell(delta)
	}
}

// Share spreads the file's bytes over the rows that will be scanned.
func (m *meter) Share(rows int64) { m.perRow = float64(m.size) / float64(max(rows, 1)) }

// Done reports the bytes that no row stood for.
func (m *meter) Done() {
	if rest := m.size - m.reported; rest > 0 {
		m.reported = m.size
		m.tell(rest)
	}
}
