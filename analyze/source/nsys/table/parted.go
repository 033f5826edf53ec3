package table

import (
	"math"

	"perfdiff/analyze/source/nsys/table/btree"
)

// parted remembers, of tables that are read again and again, where rows of which time are.
type parted struct {
	on       bool
	from, to int64 // wanted of the column start
	known    map[string]*btree.Extents
	doubtful map[string]bool // tables whose pages are not read to the end
}

// Remember begins to remember, of all rows.
func (p *parted) Remember() {
	*p = parted{on: true, known: map[string]*btree.Extents{}, doubtful: map[string]bool{}}
	p.Want(math.MinInt64, math.MaxInt64)
}

// Want restricts what is read from now on to parts of tables with rows that start in
// [from, to). Other rows may come with them.
func (p *parted) Want(from, to int64) { p.from, p.to = from, to }

// extents are those of a table, nil where it is not remembered.
func (p *parted) extents(table string, cols []Column) *btree.Extents {
	if !p.on || p.doubtful[table] || len(cols) == 0 || cols[0].Name != "start" {
		return nil
	}
	if p.known[table] == nil {
		p.known[table] = new(btree.Extents)
	}
	return p.known[table]
}

// doubt is called where a table's pages are in doubt. The engine goes on behind the rows
// that were read, so that none may have been passed over: the error is returned then.
func (p *parted) doubt(table string, cols []Column, err error) error {
	if p.extents(table, cols) == nil {
		return nil
	}
	p.doubtful[table] = true
	if p.from > math.MinInt64 || p.to < math.MaxInt64 {
		return err
	}
	return nil
}
