package table

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
)

// rowSum is a number that other rows, or rows in another order, hardly have in common.
type rowSum struct {
	rows   int64
	sum    uint64
	mark   int64    // a number of rows
	marked uint64   // the sum of so many
	chunks []uint64 // the sums after each chunkRows
}

// chunkRows is how many rows one sum covers.
const chunkRows = 4096

func sumUpTo(rows int64) *rowSum { return &rowSum{mark: rows} }

// add takes the rows of a batch.
func (s *rowSum) add(b *Batch) {
	for i := range b.N {
		for _, col := range b.Cols {
			s.sum = (s.sum ^ uint64(col[i])) * 0x9e3779b97f4a7c15
			s.sum ^= s.sum >> 29
		}
		if s.rows++; s.rows == s.mark {
			s.marked = s.sum
		}
		if s.rows%chunkRows == 0 {
			s.chunks = append(s.chunks, s.sum)
		}
	}
}

// parts returns the first row of the stretch in which two sums part, 0 where they do not.
func (s *rowSum) parts(other *rowSum) int64 {
	if s.rows == other.rows && s.sum == other.sum {
		return 0
	}
	same := 0
	for same < min(len(s.chunks), len(other.chunks)) && s.chunks[same] == other.chunks[same] {
		same++
	}
	return int64(same)*chunkRows + 1
}

var textSeed = maphash.MakeSeed()

// hashed returns columns that turn texts into numbers and keep nothing of them.
func hashed(cols []Column) []Column {
	cols = slices.Clone(cols)
	for i := range cols {
		if cols[i].Text != nil {
			cols[i].Text = func(s string) int64 { return int64(maphash.String(textSeed, s)) }
		}
	}
	return cols
}

// Comparison is the result of reading files both ways, from their pages and by SQLite.
type Comparison struct {
	Tables, Rows int64
	Left         int64  // tables that only SQLite reads
	Differs      string // the first table with other rows, and where; "" for none
}

// Compare reads every table of a database both ways, up to the first that differs, and adds
// to c what it found. An error is of a file that cannot be opened, or of a table that neither
// way reads.
func (c *Comparison) Compare(ctx context.Context, path string) error {
	d, err := openDatabase(ctx, path, ExportWords, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, table := range d.Tables() {
		if c.Differs, err = c.table(ctx, d, table); err != nil {
			return d.words.Damaged(ctx, fmt.Errorf("table %s: %w", table, err))
		}
		if c.Differs != "" {
			break
		}
	}
	return d.Refused()
}

// table compares one table, each column as a number and as a text.
func (c *Comparison) table(ctx context.Context, d *database, table string) (differs string, err error) {
	shape, err := d.shape(table)
	if err != nil {
		return "", err
	}
	var cols []Column
	for name, f := range shape.fields {
		if !f.computed {
			cols = append(cols, Column{Name: name}, Column{Name: name, Text: func(string) int64 { return 0 }})
		}
	}
	var pages, engine rowSum
	of := Scan{table, hashed(cols), pages.add}
	s, err := d.scan(of)
	if err != nil {
		return "", err
	}
	why := s.leftToSQLite()
	if why == "" {
		err = s.readPages(ctx)
	}
	of.Emit = engine.add
	byEngine := d.query(ctx, of, 0)
	c.Tables, c.Rows = c.Tables+1, c.Rows+engine.rows
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case byEngine != nil && (err != nil || why != ""):
		return "", byEngine
	case byEngine != nil:
		return fmt.Sprintf("table %s: SQLite does not read it: %v", table, byEngine), nil
	case err != nil || why != "":
		c.Left++
		return "", nil
	}
	if row := pages.parts(&engine); row > 0 {
		return fmt.Sprintf("table %s: other rows from row %d to %d on (%d rows, SQLite %d)",
			table, row, row+chunkRows-1, pages.rows, engine.rows), nil
	}
	return "", nil
}
