package btree

import (
	"context"
	"encoding/binary"
)

// scan is the reading of one table.
type scan struct {
	ctx     context.Context
	pages   Pages
	cols    []Column
	column  [][]int // by place in the record: the columns of the scan there
	left    int64   // pages that may still be visited
	layouts []layout
	parsed  int // since there are so many
	last    *layout
	row     []byte // a row put together of several pages
	leafCut []byte // the leaf it began on
	out     [][]int64
	n       int // rows there are
	emit    func([][]int64, int) error
	wanted  *wanted // nil: all rows
	above   uint32  // the page above the one that is visited
}

// layouts are kept in so many slots at first, and in up to mostSlots where more headers
// take turns, as in tables of forty columns.
const (
	leastSlots = 64
	mostSlots  = 4096
)

func newScan(ctx context.Context, pages Pages, cols []Column, emit func([][]int64, int) error) *scan {
	s := &scan{ctx: ctx, pages: pages, cols: cols, left: int64(pages.Count()), emit: emit}
	s.layouts = layoutPool.Get().(*[leastSlots]layout)[:]
	s.last = &layout{fields: make([]field, len(cols))}
	s.out = make([][]int64, len(cols))
	most := -1
	for _, c := range cols {
		most = max(most, c.Field)
	}
	s.column = make([][]int, most+1)
	own := make([]int, len(cols))
	for i, c := range cols {
		s.out[i] = columnPool.Get().(*[BatchSize]int64)[:]
		if c.Field < 0 {
			continue
		}
		if s.column[c.Field] == nil {
			s.column[c.Field] = own[i : i : i+1]
		}
		s.column[c.Field] = append(s.column[c.Field], i)
	}
	return s
}

// release gives back what the scan took.
func (s *scan) release() {
	for _, column := range s.out {
		columnPool.Put((*[BatchSize]int64)(column))
	}
	if len(s.layouts) == leastSlots {
		for i := range s.layouts {
			s.layouts[i].header = s.layouts[i].header[:0]
		}
		layoutPool.Put((*[leastSlots]layout)(s.layouts))
	}
	s.out, s.layouts = nil, nil
}

// flush hands over the rows there are. It is also where a scan ends early.
func (s *scan) flush() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.n == 0 {
		return nil
	}
	n := s.n
	s.n = 0
	return s.emit(s.out, n)
}

// leaf reads the rows of a leaf page.
func (s *scan) leaf(number uint32, page []byte, head, cells int) error {
	first := head + 8 + 2*cells
	if first > len(page) {
		return doubt(number, "%d cells", cells)
	}
	pointers := page[head+8 : first]
	moved := false // the page is a copy, since reading on overwrites it
	for ; len(pointers) > 0; pointers = pointers[2:] {
		at := int(binary.BigEndian.Uint16(pointers))
		if at < first || at+4 > len(page) {
			return doubt(number, "a cell at %d", at)
		}
		size, n := shortVarint(page[at:])
		id := at + n
		at = id + varintLen(page[id:])
		if n == 0 || size == 0 || at > len(page) {
			return doubt(number, "a cell without a row")
		}
		row := page
		if size <= uint64(len(page)-35) { // the whole row is on the page
			if at+int(size) > len(page) {
				return doubt(number, "a row that leaves the page")
			}
			row = page[:at+int(size)]
		} else {
			if !moved {
				s.leafCut = append(s.leafCut[:0], page...)
				page, pointers, moved = s.leafCut, s.leafCut[first-len(pointers):first], true
			}
			var err error
			if row, err = s.assemble(number, page[at:], size, len(page)); err != nil {
				return err
			}
			at = rowPad
		}
		if !s.record(row, at, size, page[id:]) {
			return doubt(number, "a record that does not add up")
		}
		if s.n == BatchSize {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// varintLen is the number of bytes of a variable-length integer; more than b
// has when b ends first.
func varintLen(b []byte) int {
	for i := range min(len(b), 8) {
		if b[i] < 0x80 {
			return i + 1
		}
	}
	return 9
}

// shortVarint is uvarint, quick for the one and two bytes that most have.
func shortVarint(b []byte) (uint64, int) {
	if len(b) > 1 {
		if b[0] < 0x80 {
			return uint64(b[0]), 1
		}
		if b[1] < 0x80 {
			return uint64(b[0]&0x7f)<<7 | uint64(b[1]), 2
		}
	}
	return uvarint(b)
}

// local is how many bytes of a record that does not fit on its leaf are there
// ("payload" in SQLite's words; fileformat2.html, section 1.6).
func local(size uint64, usable int) int {
	least := (usable-12)*32/255 - 23
	if k := least + int((size-uint64(least))%uint64(usable-4)); k <= usable-35 {
		return k
	}
	return least
}

// rowPad are the bytes before an assembled row, which integers at its
// beginning are read with.
const rowPad = 8

// assemble puts a row of several pages together behind rowPad bytes: cell
// begins with its local bytes, and the number of the next page follows them.
// Of a row longer than maxRow the beginning is kept.
func (s *scan) assemble(number uint32, cell []byte, size uint64, usable int) ([]byte, error) {
	local := local(size, usable)
	if local+4 > len(cell) {
		return nil, doubt(number, "a row that leaves the page")
	}
	if size > uint64(s.pages.Count())*65536 {
		return nil, doubt(number, "a row of %d bytes", size)
	}
	s.row = append(append(s.row[:0], make([]byte, rowPad)...), cell[:local]...)
	next := binary.BigEndian.Uint32(cell[local:])
	want := int(min(size, maxRow)) + rowPad
	for len(s.row) < want {
		if next == 0 || next > s.pages.Count() {
			return nil, doubt(number, "a row that ends on page %d", next)
		}
		page, err := s.pages.Page(next)
		if err != nil || len(page) < 5 {
			return nil, doubt(next, "cannot be read: %v", err)
		}
		next = binary.BigEndian.Uint32(page)
		s.row = append(s.row, page[4:min(len(page), 4+want-len(s.row))]...)
	}
	return s.row, nil
}

// record reads one record of size bytes, which begins at b[at] and has at
// least eight bytes before it; id begins with the row's id. It is false if the
// record does not add up, as one without any field.
func (s *scan) record(b []byte, at int, size uint64, id []byte) bool {
	head, n := shortVarint(b[at:])
	if n == 0 || head <= uint64(n) || head > maxHeader || head > uint64(len(b)-at) {
		return false
	}
	base := at + int(head)
	l, ok := s.layoutOf(b[at:base])
	if !ok || head+uint64(l.body) != size {
		return false
	}
	if l.plain && base+l.body <= len(b) {
		s.plain(l, b[base-8:base+l.body])
		return true
	}
	rowid, _ := uvarint(id)
	for i := range l.fields {
		v, ok := s.value(i, &l.fields[i], b, base, int64(rowid))
		if !ok {
			return false
		}
		s.out[i][s.n] = v
	}
	s.n++
	return true
}

// plain reads a row of integers, which end in body eight bytes behind their
// field's.
func (s *scan) plain(l *layout, body []byte) {
	n, out := s.n, s.out
	for i := range l.ints {
		f := &l.ints[i]
		shift := f.shift & 63
		out[f.column][n] = int64(binary.BigEndian.Uint64(body[f.end:])<<shift) >> shift
	}
	for i := range l.fixed {
		out[l.fixed[i].column][n] = l.fixed[i].value
	}
	s.n = n + 1
}
