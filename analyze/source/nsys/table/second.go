package table

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/engine"
	"perfdiff/analyze/source/nsys/table/btree"
)

// The decoder of pages reads what exporters write. What it refuses, and what looks damaged to
// it, is read by SQLite itself, from the same image: slower, but whatever SQLite reads.

// second are the tables of a file that SQLite reads.
type second struct {
	always bool // all of them, of which nothing is said
	tables []string
	why    string // of the first
}

// ReadBySQLite says in a line which tables SQLite read so far, and why.
func (d *database) ReadBySQLite() string {
	if len(d.second.tables) == 0 {
		return ""
	}
	what := "table " + d.second.tables[0]
	if n := len(d.second.tables); n > 1 {
		what = fmt.Sprint(n, " of its tables")
	}
	return fmt.Sprintf("SQLite itself read %s, which perfdiff's own reader does not: %s (nothing is missing)", what, d.second.why)
}

// ReadBySQLite returns "": there is no database.
func (d *directory) ReadBySQLite() string { return "" }

// note notes that SQLite reads a table.
func (s *second) note(table, why string) {
	if s.has(table) {
		return
	}
	if s.tables = append(s.tables, table); s.why == "" {
		s.why = why
	}
}

func (s *second) has(table string) bool {
	return slices.ContainsFunc(s.tables, func(t string) bool { return Fold(t) == Fold(table) })
}

// leftToSQLite returns why SQLite has to read a table, "" where the decoder of pages can.
func (s *scan) leftToSQLite() string {
	switch {
	case s.shape.clustered:
		return "its rows have no ids"
	case s.d.pages.Encoding() != btree.UTF8 && slices.ContainsFunc(s.Cols, func(c Column) bool { return c.Text != nil }):
		return "its texts are UTF-16"
	case s.d.second.always:
		return "it was asked to"
	case s.d.second.has(s.Table): // once more, and the first rows are as they were
		return s.d.second.why
	}
	return ""
}

// readSQLite reads a table by SQLite, all its rows.
func (s *scan) readSQLite(ctx context.Context, why string) error {
	err := s.d.query(ctx, s.Scan, 0)
	if err == nil && !s.d.second.always {
		s.d.second.note(s.Table, why)
	}
	return err
}

// doubt decides the result of a scan of pages that ended with err. If they look damaged it asks SQLite: if SQLite
// reads the table to its end, and finds the same rows up to the damage, it hands over the rest. Else err stands.
func (s *scan) doubt(ctx context.Context, err error) error {
	var damage *btree.Damage
	if !errors.As(err, &damage) || damage.Err != nil || ctx.Err() != nil || s.passesOver() {
		return err
	}
	pages, engine := sumUpTo(s.rows), sumUpTo(s.rows)
	again := &scan{Scan: Scan{s.Table, hashed(s.Cols), pages.add}, d: s.d, shape: s.shape}
	again.bound = s.shape.bind(again.Cols)
	if again.readPages(ctx) == nil || pages.rows != s.rows {
		return err
	}
	failed := s.d.query(ctx, Scan{s.Table, again.Cols, engine.add}, 0)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case failed != nil || engine.rows < s.rows || engine.marked != pages.marked:
		return err
	}
	s.d.second.note(s.Table, damage.Error())
	return s.d.query(ctx, s.Scan, s.rows)
}

// passesOver reports whether the scan passes over parts of the table.
func (s *scan) passesOver() bool {
	return s.d.extents(s.Table, s.Cols) != nil && (s.d.from != math.MinInt64 || s.d.to != math.MaxInt64)
}

// engineRoom is about how many bytes SQLite takes: pages that it keeps, a row, and a batch.
const engineRoom = 8 << 20

// query hands over the rows of a table as SQLite reads them, but for the first ones. Each is
// read by an engine of its own, which looks each page over.
func (d *database) query(ctx context.Context, of Scan, skip int64) error {
	shape, err := d.shape(of.Table)
	if shape == nil {
		return err
	}
	if !d.room(engineRoom) {
		return context.Cause(ctx)
	}
	r, err := engine.OpenImage(ctx, d.image, btree.MaxValue)
	if err != nil {
		return bySQLite(ctx, err)
	}
	defer r.Close()
	rows := newRowBatch(shape, of)
	err = r.Query(ctx, rows.query(of.Table), func(values []driver.Value) error {
		if skip--; skip >= 0 {
			return nil
		}
		if rows.take(values); rows.batch.N == batchSize {
			d.hand(ctx, of, &rows.batch)
		}
		return ctx.Err()
	})
	d.hand(ctx, of, &rows.batch) // the rows before damage stand
	return bySQLite(ctx, err)
}

// bySQLite returns an error of SQLite as one of the file.
func bySQLite(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &btree.Damage{Why: err.Error()}
}

// hand hands a batch over, unless ctx is done, and empties it.
func (d *database) hand(ctx context.Context, of Scan, b *Batch) {
	if b.N > 0 && ctx.Err() == nil {
		d.report(b.N)
		of.Emit(b)
	}
	b.N = 0
}

// rowBatch gathers rows of SQLite into a batch.
type rowBatch struct {
	batch Batch
	names []string // of the columns that the table has
	into  []int    // their places in the batch
	cols  []Column
}

// newRowBatch makes room for the columns of a scan, some of which the table may lack.
func newRowBatch(s *shape, of Scan) *rowBatch {
	b := &rowBatch{cols: of.Cols}
	for i, c := range of.Cols {
		values := make([]int64, batchSize)
		b.batch.Cols = append(b.batch.Cols, values)
		if s.columns.Has(c.Name) {
			b.names, b.into = append(b.names, c.Name), append(b.into, i)
			continue
		}
		for j := range values {
			values[j] = Null
		}
	}
	return b
}

// query asks for the columns. A sign before a name keeps the driver from making times and
// truths of values by their columns' kinds, and an index may have been made by anybody.
func (b *rowBatch) query(table string) string {
	var q strings.Builder
	q.WriteString("SELECT NULL")
	for _, name := range b.names {
		q.WriteString(", +" + engine.Quote(name))
	}
	q.WriteString(" FROM " + engine.Quote(table) + " NOT INDEXED")
	return q.String()
}

// take takes a row.
func (b *rowBatch) take(values []driver.Value) {
	for i, v := range values[1:] {
		at := b.into[i]
		b.batch.Cols[at][b.batch.N] = convert(v, b.cols[at].Text)
	}
	b.batch.N++
}

// convert converts a value of any type of SQLite for a column: exporters write integers and texts, but SQLite lets
// anybody write anything.
func convert(v driver.Value, text func(string) int64) int64 {
	switch x := v.(type) {
	case int64:
		if text == nil {
			return x
		}
		return text(strconv.FormatInt(x, 10))
	case float64:
		return btree.FromFloat(x, text)
	case string:
		if text != nil {
			return text(x)
		}
	case []byte:
		if text != nil {
			return text(string(x))
		}
	}
	return Null
}
