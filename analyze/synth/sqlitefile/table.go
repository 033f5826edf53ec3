package sqlitefile

import (
	"encoding/binary"
	"fmt"
)

// Table is a table that is being filled.
type Table struct {
	file         *File
	name         string
	columns, key int
	root         uint32
	leaf         page
	number       uint32  // of leaf: the root, as long as that has room for all rows
	below        []child // the leaves that are full
	rows         int
	last         int64 // id of the last row
	record       record
	cell         []byte
	indexed      bool
}

// child is a page of a tree as the page above it names it.
type child struct {
	number uint32
	last   int64 // the largest id of a row in it
}

// Last is the id of the last row, 0 where there is none.
func (t *Table) Last() int64 { return t.last }

// Append adds a row: nil, int, int64, float64, string or []byte for each column. Ids of rows
// must rise; a row that is not given one has that of the row before it and one more.
func (t *Table) Append(values ...any) {
	if t.file.err != nil {
		return
	}
	id, err := t.rowID(values)
	if err == nil {
		err = t.record.set(values, t.key)
	}
	if err != nil {
		t.file.fail(fmt.Errorf("table %s: row %d: %w", t.name, t.rows+1, err))
		return
	}
	t.cell = appendVarint(t.cell[:0], uint64(len(t.record.whole)))
	t.cell = appendVarint(t.cell, uint64(id))
	t.cell = t.file.appendPayload(t.cell, t.record.whole)
	if !t.leaf.add(t.cell, leafHead, t.headOf()) {
		t.nextLeaf()
		t.leaf.add(t.cell, leafHead, t.headOf())
	}
	t.rows, t.last = t.rows+1, id
}

// rowID is the id of a row that is to follow the others.
func (t *Table) rowID(values []any) (int64, error) {
	if len(values) != t.columns {
		return 0, fmt.Errorf("%d values for %d columns", len(values), t.columns)
	}
	if t.indexed {
		return 0, fmt.Errorf("the table has an index, which rows would have to be in")
	}
	id := t.last + 1
	if t.key >= 0 {
		switch v := values[t.key].(type) {
		case nil:
		case int:
			id = int64(v)
		case int64:
			id = v
		default:
			return 0, fmt.Errorf("the id is %T", v)
		}
	}
	if t.rows > 0 && id <= t.last {
		return 0, fmt.Errorf("id %d follows id %d", id, t.last)
	}
	return id, nil
}

// headOf is where the header of the leaf begins.
func (t *Table) headOf() int {
	if t.number == 1 {
		return firstHead
	}
	return 0
}

// nextLeaf writes the leaf, which is full, and begins another. When the first is full the root
// becomes a page above leaves, and its rows move.
func (t *Table) nextLeaf() {
	if t.number == t.root {
		t.number = t.file.allocate()
	}
	if len(t.leaf.cells) == 0 {
		return // on page 1, where less fits than elsewhere
	}
	t.endLeaf()
	t.number = t.file.allocate()
}

// endLeaf writes the leaf and empties it.
func (t *Table) endLeaf() {
	t.file.write(t.number, t.leaf.seal(leafTable, t.headOf(), 0))
	t.below = append(t.below, child{t.number, t.last})
	t.leaf.clear()
}

// close writes what is left: the last leaf, and the pages above leaves up to the root.
func (t *Table) close() {
	t.endLeaf()
	if t.number == t.root {
		return
	}
	level := t.below
	for {
		// Ids of fewer bytes leave room for more pages. Those in the middle have no more
		// bytes than the first or the last, of which one may be negative.
		id := max(varintSize(uint64(level[0].last)), varintSize(uint64(level[len(level)-1].last)))
		most := (pageSize-firstHead-interiorHead)/(2+4+id) + 1
		if len(level) <= most {
			t.above(t.root, level)
			return
		}
		pages := (len(level) + most - 1) / most
		next := make([]child, pages)
		for i := range next { // equally many, so that none has but one
			number := t.file.allocate()
			next[i] = t.above(number, level[i*len(level)/pages:(i+1)*len(level)/pages])
		}
		level = next
	}
}

// above writes the page above some others.
func (t *Table) above(number uint32, of []child) child {
	var p page
	head := 0
	if number == 1 {
		head = firstHead
	}
	last := of[len(of)-1]
	for _, c := range of[:len(of)-1] {
		p.add(appendVarint(binary.BigEndian.AppendUint32(nil, c.number), uint64(c.last)), interiorHead, head)
	}
	t.file.write(number, p.seal(interiorTable, head, last.number))
	return child{number, last.last}
}
