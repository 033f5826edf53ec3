package btree

import "encoding/binary"

// leaf reads the rows of a leaf page.
func (s *scan) leaf(number uint32, page []byte, head, cells int) error {
	first := head + 8 + 2*cells
	if first > len(page) {
		return doubt(number, "%d cells", cells)
	}
	pointers := page[head+8 : first]
	moved := false // the page is a copy, since reading on overwrites it
	for ; len(pointers) > 0; pointers = pointers[2:] {
		if s.quick.on {
			if pointers = pointers[2*s.quickRows(page, pointers, first):]; s.n == BatchSize {
				if err := s.flush(); err != nil {
					return err
				}
			}
			if len(pointers) == 0 {
				break
			}
		}
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
	body, ok := s.fields.take(b[at+n : base])
	if !ok || head+uint64(body) != size {
		return false
	}
	rowid, _ := uvarint(id)
	f := &s.fields
	for i := range s.cols {
		c, v, ok := &s.cols[i], Null, true
		if at := c.Field; uint(at) >= uint(f.known) || f.types[at] > 6 || c.Text != nil || base+body > len(b) {
			v, ok = f.value(c, b, base, int64(rowid))
		} else if serial := f.types[at]; serial > 0 { // a plain integer, as most are
			shift := 64 - 8*sizes[serial]
			v = int64(binary.BigEndian.Uint64(b[base+f.ends[at]-8:])<<(shift&63)) >> (shift & 63)
		}
		if !ok {
			return false
		}
		s.values[i*BatchSize+s.n] = v
	}
	s.n++
	return true
}
