package table

import (
	"math"

	"perfdiff/analyze/source/nsys/table/btree"
)

// readExtents remembers between which times the rows on each page of a table start, for tables
// that are read a stretch of time after the other.
type readExtents struct {
	on       bool
	from, to int64 // wanted of the column start
	known    map[string]*btree.Extents
}

// Remember begins to remember, of all rows.
func (p *readExtents) Remember() {
	*p = readExtents{on: true, known: map[string]*btree.Extents{}}
	p.Want(math.MinInt64, math.MaxInt64)
}

// Want restricts what is read from now on to parts of tables with rows that start in
// [from, to). Other rows may come with them.
func (p *readExtents) Want(from, to int64) { p.from, p.to = from, to }

// extents returns the extents of a table, nil where they are not remembered.
func (p *readExtents) extents(table string, cols []Column) *btree.Extents {
	if !p.on || len(cols) == 0 || cols[0].Name != "start" {
		return nil
	}
	if p.known[table] == nil {
		p.known[table] = new(btree.Extents)
	}
	return p.known[table]
}
