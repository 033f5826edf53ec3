package btree

import (
	"context"
	"encoding/binary"
)

// Tables without rowids lie in trees of another kind: each cell of each page is a row, and
// those on interior pages stand between the rows of their children.

const (
	leafIndex     = 10
	interiorIndex = 2
)

// ScanIndex is Scan of a table without rowids. Fields are in the order of its records: the
// columns of the key stand first.
func ScanIndex(ctx context.Context, pages Pages, root uint32, cols []Column, emit func(rows [][]int64, n int) error) error {
	s := newScan(ctx, pages, cols, emit)
	defer s.release()
	return s.end(s.index(root, 0))
}

// index reads the rows of a page and of those below it, in their order.
func (s *scan) index(number uint32, depth int) error {
	if s.left--; s.left < 0 || depth >= maxDepth {
		return damaged(number, "the tree has a loop")
	}
	page, head, err := pageOf(s.pages, number)
	if err != nil {
		return err
	}
	cells, below := cellsOf(page, head), 0
	if page[head] == interiorIndex {
		below = 4 // bytes of the child's number before each row
	} else if page[head] != leafIndex {
		return damaged(number, "it is no page of a table without rowids, but of type %d", page[head])
	}
	first := head + 8 + below + 2*cells
	if first > len(page) || cells == 0 && (below > 0 || depth > 0) {
		return damaged(number, "it says to hold %d cells, which cannot be", cells)
	}
	page = append([]byte(nil), page...) // what is below is read between its rows
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[head+8+below+2*i:]))
		if at < first || at+4+below/4 > len(page) {
			return damaged(number, "a cell at byte %d, where none can be", at)
		}
		if below > 0 {
			if err := s.index(binary.BigEndian.Uint32(page[at:]), depth+1); err != nil {
				return err
			}
			at += below
		}
		size, n := shortVarint(page[at:])
		if at += n; n == 0 || at >= len(page) {
			return damaged(number, "a cell without a row")
		}
		s.onPage(page)
		if err := s.row(number, page, at, size, (len(page)-12)*64/255-23, 0); err != nil {
			return err
		}
	}
	if below == 0 {
		return nil
	}
	return s.index(binary.BigEndian.Uint32(page[head+8:]), depth+1)
}
