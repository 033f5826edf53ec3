// Package btree reads the tables of a SQLite database from its own pages: rows
// in the order of the file, columns as integers, at several times the speed of
// stepping through them with SQL. The format is that of
// https://www.sqlite.org/fileformat2.html.
//
// It reads what exporters write and refuses the rest: the cause of a refusal
// is ErrDoubt, no row was made up and the rows so far stand, so that an engine
// can go on behind them. Pages that SQLite would call corrupt are in doubt too;
// the checks here are at least as strict as its own. Nothing is trusted: every
// offset is checked before it is used, no page is visited more often than there
// are pages, and no row takes more memory than maxRow.
package btree

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDoubt is the cause of a refusal: the file may be sound, but reading it
// needs more than this package knows.
var ErrDoubt = errors.New("unusual page or record")

// Pages hands out the pages of a database by number, from 1.
type Pages interface {
	// Page returns the bytes of a page that hold content: all but those
	// reserved at its end. They are valid until the next call.
	Page(n uint32) ([]byte, error)
	// Count is the number of pages.
	Count() uint32
}

// Null is the value of NULL, and of what is no integer in a column of
// integers.
const Null int64 = -1 << 63

// Column is one column of a scan.
type Column struct {
	// Field is the column's place in the record, from 0. Rows that end before
	// it have NULL there. Rowid takes the row's id instead, which is what an
	// INTEGER PRIMARY KEY is.
	Field int
	// Text, if it is not nil, turns the value into an integer; numbers are
	// given to it as SQLite spells them. The string is valid only during the
	// call, and of one longer than 64 kB only the first 64 kB may be there.
	Text func(string) int64
}

// Rowid as a Column's Field stands for the row's id.
const Rowid = -1

// Absent as a Column's Field stands for a column that the table lacks: NULL.
const Absent = -2

// BatchSize is the number of rows that are handed over at once.
const BatchSize = 512

const (
	maxDepth  = 20      // levels of a tree, as SQLite has it
	maxRow    = 1 << 20 // bytes of one row that are put together
	maxText   = 64 << 10
	maxHeader = 1 << 10 // bytes of a record's header

	leafTable     = 13
	interiorTable = 5
)

// Scan reads the table with that root page and calls emit with at most
// BatchSize rows at a time: column i of row r is rows[i][r], r < n. An error of
// emit or of ctx ends the scan and is returned as it is.
func Scan(ctx context.Context, pages Pages, root uint32, cols []Column, emit func(rows [][]int64, n int) error) error {
	return newScan(ctx, pages, cols, emit).run(root)
}

func (s *scan) run(root uint32) error {
	defer s.release()
	err := s.tree(root)
	if err != nil && !errors.Is(err, ErrDoubt) {
		return err
	}
	if e := s.flush(); e != nil { // the rows before a doubt stand
		return e
	}
	return err
}

// doubt is a refusal with its reason.
func doubt(page uint32, format string, args ...any) error {
	return fmt.Errorf("page %d: %w: %s", page, ErrDoubt, fmt.Sprintf(format, args...))
}

// level is an interior page on the way to a leaf: the children still to visit.
type level struct {
	page     uint32
	children []uint32
	next     int
}

// expecter is told which pages will be asked for next, in this order.
type expecter interface{ expect(pages []uint32) }

// tree visits the leaves of a tree from left to right.
func (s *scan) tree(root uint32) error {
	var path []level
	for at := root; ; {
		if !s.wanted.passes(at) {
			if len(path) > 0 {
				s.above = path[len(path)-1].page
			}
			children, err := s.visit(at, len(path))
			if err != nil {
				return err
			}
			if children != nil {
				if p, ok := s.pages.(expecter); ok {
					p.expect(s.wanted.among(children))
				}
				path = append(path, level{page: at, children: children})
			}
		}
		for len(path) > 0 && path[len(path)-1].next == len(path[len(path)-1].children) {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			return nil
		}
		last := &path[len(path)-1]
		at = last.children[last.next]
		last.next++
	}
}

// visit reads one page: the rows of a leaf, or the children of an interior
// page, which it returns.
func (s *scan) visit(number uint32, depth int) ([]uint32, error) {
	if s.left--; s.left < 0 || depth >= maxDepth {
		return nil, doubt(number, "the tree has a loop")
	}
	page, head, err := pageOf(s.pages, number)
	if err != nil {
		return nil, err
	}
	cells := int(binary.BigEndian.Uint16(page[head+3:]))
	if cells > (len(page)-8)/6 || cells == 0 && depth > 0 {
		return nil, doubt(number, "%d cells", cells)
	}
	switch page[head] {
	case leafTable:
		s.wanted.leaf(s.above)
		return nil, s.leaf(number, page, head, cells)
	case interiorTable:
		return interior(number, page, head, cells)
	}
	return nil, doubt(number, "type %d is no table's", page[head])
}

// pageOf returns a page of a tree and where its own header begins.
func pageOf(pages Pages, number uint32) (page []byte, head int, err error) {
	if number == 0 || number > pages.Count() {
		return nil, 0, doubt(number, "no such page")
	}
	if page, err = pages.Page(number); err != nil {
		return nil, 0, fmt.Errorf("page %d: %w: %w", number, ErrDoubt, err)
	}
	if number == 1 {
		head = 100 // the file's own header
	}
	if len(page) < head+12 {
		return nil, 0, doubt(number, "too short")
	}
	return page, head, nil
}

// interior returns the children of a page.
func interior(number uint32, page []byte, head, cells int) ([]uint32, error) {
	first := head + 12 + 2*cells
	if cells == 0 || first > len(page) {
		return nil, doubt(number, "%d cells", cells)
	}
	children := make([]uint32, 0, cells+1)
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[head+12+2*i:]))
		if at < first || at+5 > len(page) {
			return nil, doubt(number, "a cell at %d", at)
		}
		if _, n := uvarint(page[at+4:]); n == 0 {
			return nil, doubt(number, "a cell that leaves the page")
		}
		children = append(children, binary.BigEndian.Uint32(page[at:]))
	}
	return append(children, binary.BigEndian.Uint32(page[head+8:])), nil
}

// LastRow is the id of the last row of the table with that root page, 0 of one without
// rows: on the last page, to which the last child of each page leads.
func LastRow(pages Pages, root uint32) (int64, error) {
	for range maxDepth {
		page, head, err := pageOf(pages, root)
		if err != nil {
			return 0, err
		}
		cells := int(binary.BigEndian.Uint16(page[head+3:]))
		switch page[head] {
		case interiorTable:
			root = binary.BigEndian.Uint32(page[head+8:])
		case leafTable:
			return lastCell(root, page, head, cells)
		default:
			return 0, doubt(root, "type %d is no table's", page[head])
		}
	}
	return 0, doubt(root, "the tree is too deep")
}

// lastCell is the row id of a leaf's last cell.
func lastCell(number uint32, page []byte, head, cells int) (int64, error) {
	if cells == 0 {
		return 0, nil
	}
	at := head + 8 + 2*(cells-1)
	if at+2 > len(page) {
		return 0, doubt(number, "%d cells", cells)
	}
	at = int(binary.BigEndian.Uint16(page[at:]))
	if at >= len(page) {
		return 0, doubt(number, "a cell at %d", at)
	}
	_, n := uvarint(page[at:])
	id, m := uvarint(page[at+n:])
	if n == 0 || m == 0 {
		return 0, doubt(number, "a cell that leaves the page")
	}
	return int64(id), nil
}

// uvarint decodes SQLite's variable-length integer: up to eight bytes of seven
// bits, high bits first, and a ninth byte of eight. It returns the number of
// bytes, 0 when b ends first.
func uvarint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 8) {
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	if len(b) < 9 {
		return 0, 0
	}
	return v<<8 | uint64(b[8]), 9
}
