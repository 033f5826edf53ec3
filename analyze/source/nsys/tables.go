package nsys

import (
	"context"
	"math"
	"strconv"
)

// fold is a name of a table or column as names are compared: SQLite does not tell the
// capital letters of ASCII from small ones, and tools that copy exports change them.
func fold(name string) string {
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

// byFold is what a map has under a name, folded. It is asked some hundred times for each
// file, and leaves nothing behind.
func byFold[V any](m map[string]V, name string) (V, bool) {
	var room [64]byte
	v, ok := m[string(appendFolded(room[:0], name))]
	return v, ok
}

// folded is a set of such names.
type folded map[string]bool

func (f folded) has(name string) bool {
	_, ok := byFold(f, name)
	return ok
}

// tables is what a profile's tables are read through, whatever file holds
// them. Everything above it sees columns of integers and nothing of SQLite.
type tables interface {
	// columns is the set of a table's columns; nil when there is no such table.
	columns(ctx context.Context, table string) (folded, error)
	// rows is about how many rows a table has, never more than its file can
	// hold; 0 when that is not known.
	rows(ctx context.Context, table string) int64
	// last is the number of a table's last row, where its writer counted rows from 1;
	// 0 when that is not known.
	last(ctx context.Context, table string) int64
	// scan hands over all rows of the table, a batch at a time, in the order
	// of the file. A column that the table lacks is all null.
	scan(ctx context.Context, table string, cols []column, emit func(*batch) error) error
}

// column is one column of a scan: integers, or with text set, texts that text
// turns into an integer. The string is valid only during the call.
type column struct {
	name string
	text func(string) int64
}

// batch is some rows of a scan: cols[i][:n] belongs to column i of the query.
type batch struct {
	n    int
	cols [][]int64
}

const (
	null      int64 = math.MinInt64 // NULL, and what is no integer
	batchSize       = 4096
)

// ints names columns of integers.
func ints(names ...string) []column {
	cols := make([]column, len(names))
	for i, name := range names {
		cols[i].name = name
	}
	return cols
}

// row is one row of a small table, every value as text, "" for null.
type row []string

// num is column i as a number, null if it is none.
func (r row) num(i int) int64 {
	v, err := strconv.ParseInt(r[i], 10, 64)
	if err != nil {
		return null
	}
	return v
}

// maxSmall bounds the rows taken from a table that is small in every real
// export, so that a hostile one costs no memory.
const maxSmall = 100_000

// smallTable is every row of a small table as texts. A table that is missing
// has no rows.
func smallTable(ctx context.Context, src tables, table string, names ...string) ([]row, error) {
	have, err := src.columns(ctx, table)
	if err != nil || have == nil {
		return nil, err
	}
	var texts []string
	keep := func(s string) int64 {
		if above := len(texts) - len(names); above >= 0 && texts[above] == s { // as in the row above, mostly
			texts = append(texts, texts[above])
		} else {
			texts = append(texts, copyText(s))
		}
		return int64(len(texts) - 1)
	}
	cols := ints(names...)
	for i := range cols {
		cols[i].text = keep
	}
	var rows []row
	err = src.scan(ctx, table, cols, func(b *batch) error {
		for i := 0; i < b.n && len(rows) < maxSmall; i++ {
			rows = append(rows, textRow(b, i, texts))
		}
		texts = texts[:0]
		return nil
	})
	return rows, err
}

func textRow(b *batch, i int, texts []string) row {
	r := make(row, len(b.cols))
	for c, col := range b.cols {
		if col[i] != null {
			r[c] = texts[col[i]]
		}
	}
	return r
}

// meter tells how many bytes of a file were read, by the rows that were.
type meter struct {
	size     int64   // bytes of the file
	perRow   float64 // bytes of the file for each row that is scanned
	progress func(int64)
	told     int64 // bytes that progress was told
}

// tell reports the bytes that n rows stand for.
func (m *meter) tell(n int) {
	delta := min(int64(float64(n)*m.perRow), m.size-m.told)
	if m.progress != nil && delta > 0 {
		m.told += delta
		m.progress(delta)
	}
}

// share spreads the file's bytes over the rows that will be scanned.
func (m *meter) share(rows int64) { m.perRow = float64(m.size) / float64(max(rows, 1)) }

// done reports the bytes that no row stood for.
func (m *meter) done() {
	if rest := m.size - m.told; m.progress != nil && rest > 0 {
		m.told = m.size
		m.progress(rest)
	}
}
