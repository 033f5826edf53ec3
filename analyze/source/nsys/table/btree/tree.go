package btree

import (
	"context"
	"encoding/binary"
	"errors"
)

// Scan reads the table with that root page and calls emit with at most
// BatchSize rows at a time: column i of row r is rows[i][r], r < n. An error of
// emit or of ctx ends the scan and is returned as it is.
func Scan(ctx context.Context, pages Pages, root uint32, cols []Column, emit func(rows [][]int64, n int) error) error {
	return newScan(ctx, pages, cols, emit).run(root)
}

// ScanFrom does what Scan does, for at least the rows whose first column is within [from, to): it skips parts of the
// table that x knows to hold no such row, and adds what it reads to x.
func ScanFrom(ctx context.Context, pages Pages, root uint32, cols []Column, x *Extents, from, to int64,
	emit func(rows [][]int64, n int) error) error {
	if x.of == nil {
		x.of = make(map[uint32]extent)
	}
	s := newScan(ctx, pages, cols, nil)
	s.wanted = &keyRange{x: x, from: from, to: to}
	s.emit = func(rows [][]int64, n int) error {
		s.wanted.learn(rows[0][:n])
		return emit(rows, n)
	}
	return s.run(root)
}

func (s *scan) run(root uint32) error {
	defer s.release()
	return s.end(s.tree(root))
}

// end hands over the rows that are left, and returns what the scan returns after err.
func (s *scan) end(err error) error {
	if damage := (*Damage)(nil); err != nil && !errors.As(err, &damage) {
		return err
	}
	if e := s.flush(); e != nil { // the rows before damage stand
		return e
	}
	return err
}

// level is an interior page on the way to a leaf: the children still to visit.
type level struct {
	page     uint32
	children []uint32
	next     int
}

// readAhead is implemented by pages that read ahead: expect names the next ones, in order.
type readAhead interface{ expect(pages []uint32) }

// tree visits the leaves of a tree from left to right.
func (s *scan) tree(root uint32) error {
	w := walk{at: root, more: true}
	for w.more {
		children, err := s.advance(&w)
		if err != nil {
			return err
		}
		if p, ok := s.pages.(readAhead); ok && children != nil {
			p.expect(s.wanted.among(children))
		}
	}
	return nil
}

// walk is how far a scan is in its tree.
type walk struct {
	path []level
	at   uint32 // the page that is visited next
	more bool   // there is one
	deep int    // how many pages are above the last leaf; 0 before the first
}

// atLeaf reports whether the page that is visited next is a leaf; all leaves have one depth.
func (w *walk) atLeaf() bool { return w.deep > 0 && len(w.path) == w.deep }

// advance visits the next page of a tree, and returns its children if it has any.
func (s *scan) advance(w *walk) (children []uint32, err error) {
	if !s.wanted.passes(w.at) {
		if len(w.path) > 0 {
			s.above = w.path[len(w.path)-1].page
		}
		if children, err = s.visit(w.at, len(w.path)); err != nil {
			return nil, err
		}
		if children != nil {
			w.path = append(w.path, level{page: w.at, children: children})
		} else {
			w.deep = len(w.path)
		}
	}
	for len(w.path) > 0 && w.path[len(w.path)-1].next == len(w.path[len(w.path)-1].children) {
		w.path = w.path[:len(w.path)-1]
	}
	if w.more = len(w.path) > 0; w.more {
		last := &w.path[len(w.path)-1]
		w.at = last.children[last.next]
		last.next++
	}
	return children, nil
}

// visit reads one page: the rows of a leaf, or the children of an interior
// page, which it returns.
func (s *scan) visit(number uint32, depth int) ([]uint32, error) {
	if s.left--; s.left < 0 || depth >= maxDepth {
		return nil, damaged(number, "the tree has a loop")
	}
	page, head, err := pageOf(s.pages, number)
	if err != nil {
		return nil, err
	}
	cells := cellsOf(page, head)
	if cells > (len(page)-8)/6 || cells == 0 && depth > 0 {
		return nil, damaged(number, "it says to hold %d cells, which cannot be", cells)
	}
	switch page[head] {
	case leafTable:
		s.wanted.leaf(s.above)
		if err := s.inOrder(number, page, head, cells); err != nil {
			return nil, err
		}
		return nil, s.leaf(number, page, head, cells)
	case interiorTable:
		return interior(number, page, head, cells)
	}
	return nil, damaged(number, "it is no page of a table, but of type %d", page[head])
}

// ErrOrder is the cause of damage that SQLite does not see as it reads: rows that are not in their order, as on a page
// that lies in the place of another one.
var ErrOrder = errors.New("rows are not in their order")

// inOrder returns Damage where a leaf does not go on behind the last one. Cells that cannot be read are left to leaf.
func (s *scan) inOrder(number uint32, page []byte, head, cells int) error {
	if cells == 0 {
		return nil
	}
	first, err := cellID(number, page, head, 0)
	last, err2 := cellID(number, page, head, cells-1)
	if err != nil || err2 != nil {
		return nil
	}
	if s.begun && first <= s.lastID || last < first {
		return &Damage{number, ErrOrder.Error(), ErrOrder}
	}
	s.begun, s.lastID = true, last
	return nil
}

// Width returns how many values the first row of the table with that root page has; 0 where there is none, or that
// cannot be read.
func Width(pages Pages, root uint32) (n int) {
	leaf, err := leafOf(pages, root, 0)
	if err != nil {
		return 0
	}
	page, head, err := pageOf(pages, leaf)
	if err != nil || page[head] != leafTable || cellsOf(page, head) == 0 || head+10 > len(page) {
		return 0
	}
	row := page[min(int(binary.BigEndian.Uint16(page[head+8:])), len(page)):]
	var length uint64
	for range 3 { // its size, its id, and the length of its header with itself
		var m int
		if length, m = uvarint(row); m == 0 {
			return 0
		}
		row, length = row[m:], length-uint64(m)
	}
	if length > uint64(len(row)) {
		return 0
	}
	for header := row[:length]; len(header) > 0; n++ {
		_, m := uvarint(header)
		if m == 0 {
			return 0
		}
		header = header[m:]
	}
	return n
}

// cellsOf returns how many cells a page says to have.
func cellsOf(page []byte, head int) int { return int(binary.BigEndian.Uint16(page[head+3:])) }

// interior returns the children of a page.
func interior(number uint32, page []byte, head, cells int) ([]uint32, error) {
	first := head + 12 + 2*cells
	if cells == 0 && number > 1 || first > len(page) { // the first page has less room than its only child
		return nil, damaged(number, "it says to hold %d cells, which cannot be", cells)
	}
	children := make([]uint32, 0, cells+1)
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[head+12+2*i:]))
		if at < first || at+5 > len(page) {
			return nil, damaged(number, "a cell at byte %d, where none can be", at)
		}
		if _, n := uvarint(page[at+4:]); n == 0 {
			return nil, damaged(number, "a cell that leaves the page")
		}
		children = append(children, binary.BigEndian.Uint32(page[at:]))
	}
	return append(children, binary.BigEndian.Uint32(page[head+8:])), nil
}

// LastRow returns the id of the last row of the table with that root page, 0 without rows: it is on the last page, to
// which the last child of each page leads.
func LastRow(pages Pages, root uint32) (int64, error) {
	for range maxDepth {
		page, head, err := pageOf(pages, root)
		if err != nil {
			return 0, err
		}
		cells := cellsOf(page, head)
		switch page[head] {
		case interiorTable:
			root = binary.BigEndian.Uint32(page[head+8:])
		case leafTable:
			return lastCell(root, page, head, cells)
		default:
			return 0, damaged(root, "it is no page of a table, but of type %d", page[head])
		}
	}
	return 0, damaged(root, "the tree is too deep")
}

// lastCell returns the row id of a leaf's last cell.
func lastCell(number uint32, page []byte, head, cells int) (int64, error) {
	if cells == 0 {
		return 0, nil
	}
	return cellID(number, page, head, cells-1)
}

// cellID returns the row id of one of a leaf's cells.
func cellID(number uint32, page []byte, head, cell int) (int64, error) {
	at := head + 8 + 2*cell
	if at+2 > len(page) {
		return 0, damaged(number, "it says to hold %d cells, which cannot be", cell+1)
	}
	at = int(binary.BigEndian.Uint16(page[at:]))
	if at >= len(page) {
		return 0, damaged(number, "a cell at byte %d, where none can be", at)
	}
	_, n := uvarint(page[at:])
	id, m := uvarint(page[at+n:])
	if n == 0 || m == 0 {
		return 0, damaged(number, "a cell that leaves the page")
	}
	return int64(id), nil
}
