package btree

import "encoding/binary"

// leaf reads the rows of a leaf page.
func (s *scan) leaf(number uint32, page []byte, head, cells int) error {
	first := head + 8 + 2*cells
	if first > len(page) {
		return damaged(number, "it says to hold %d cells, which cannot be", cells)
	}
	s.onPage(page)
	pointers, most := page[head+8:first], len(page)-35
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
			return damaged(number, "a cell at byte %d, where none can be", at)
		}
		size, n := shortVarint(page[at:])
		rowid, m := shortVarint(page[at+n:])
		if at += n + m; n == 0 || m == 0 || at >= len(page) {
			return damaged(number, "a cell without a row")
		}
		if size > uint64(most) && !moved {
			s.leafCut = append(s.leafCut[:0], page...)
			page, pointers, moved = s.leafCut, s.leafCut[first-len(pointers):first], true
		}
		if err := s.row(number, page, at, size, most, int64(rowid)); err != nil {
			return err
		}
	}
	return nil
}

// row reads the row of a cell, whose record of size bytes begins at page[at] and is there
// as a whole if it has at most so many bytes. Of a longer one the page is a copy.
func (s *scan) row(number uint32, page []byte, at int, size uint64, most int, rowid int64) error {
	var err error
	if size <= uint64(most) {
		if at+int(size) > len(page) {
			return damaged(number, "a row that leaves the page")
		}
		if !s.mixed.on || !s.mixedRow(page, at, int(size)) {
			err = s.record(number, page, at, size, rowid)
		} else if err = s.trouble(number); err == nil {
			s.n++
		}
	} else {
		if err = s.beginLong(number, page[at:], size, most); err == nil {
			err = s.record(number, s.long.bytes, rowPad, size, rowid)
		}
		s.long.on = false
	}
	if err == nil && s.n == BatchSize {
		err = s.flush()
	}
	return err
}

// record reads one record of size bytes, which begins at b[at] and has at least eight bytes before it, as SQLite does:
// fields after the last wanted one only have to lie within the record.
func (s *scan) record(number uint32, b []byte, at int, size uint64, rowid int64) error {
	f, base := &s.fields, at
	if f.known = 0; len(f.ends) > 0 {
		head, n := shortVarint(b[at:])
		if n == 0 || head != 0 && head <= uint64(n) || head > size || head > maxHeader {
			return damaged(number, "a row with a header of %d bytes", head)
		}
		if base += int(head); s.long.on {
			if err := s.reach(number, base); err != nil {
				return err
			}
			b = s.long.bytes
		}
		if head != 0 { // SQLite takes a record without a header for one of NULLs
			body, all := f.take(b[at+n : base])
			if body < 0 || head+uint64(body) > size || all && head+uint64(body) < size {
				return damaged(number, "a row that does not add up")
			}
		}
		if s.long.on {
			if err := s.reachValues(number, base); err != nil {
				return err
			}
			b = s.long.bytes
		}
	}
	for i := range s.cols {
		c, v := &s.cols[i], Null
		if at := c.Field; uint(at) >= uint(f.known) || f.types[at] > 6 || c.Text != nil || c.Real {
			v = s.value(c, b, base, rowid)
		} else if serial := f.types[at]; serial > 0 { // a plain integer, as most are
			shift := 64 - 8*sizes[serial]
			v = int64(binary.BigEndian.Uint64(b[base+f.ends[at]-8:])<<(shift&63)) >> (shift & 63)
		}
		s.values[i*BatchSize+s.n] = v
	}
	if err := s.trouble(number); err != nil {
		return err
	}
	s.n++
	return nil
}
