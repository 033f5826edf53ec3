package btree

import (
	"encoding/binary"
	"fmt"
)

// longRow is a row that goes on on other pages, as far as it was put together.
type longRow struct {
	on    bool
	bytes []byte // behind rowPad others
	next  uint32 // the page on which it goes on
	left  int64  // pages that may still be read: each is of one row
}

// rowPad are the bytes before a row that is put together, which integers at its
// beginning are read with.
const rowPad = 8

// local returns how many bytes of a record are on its page, if it does not fit there because a page holds at most most
// of them ("payload" in SQLite's words; fileformat2.html, section 1.6).
func local(size uint64, usable, most int) int {
	least := (usable-12)*32/255 - 23
	if k := least + int((size-uint64(least))%uint64(usable-4)); k <= most {
		return k
	}
	return least
}

// beginLong begins to put a row together: cell begins with its local bytes, and the number
// of the next page follows them.
func (s *scan) beginLong(number uint32, cell []byte, size uint64, most int) error {
	if size > 1<<31 {
		return damaged(number, "a row of %d bytes", size)
	}
	local := local(size, s.usable, most)
	if local+4 > len(cell) {
		return damaged(number, "a row that leaves the page")
	}
	l := &s.long
	l.bytes = append(append(l.bytes[:0], make([]byte, rowPad)...), cell[:local]...)
	l.next, l.on = binary.BigEndian.Uint32(cell[local:]), true
	return nil
}

// reach puts the row together up to a place in its bytes.
func (s *scan) reach(number uint32, end int) error {
	l := &s.long
	if end > maxRow {
		return &Damage{Why: fmt.Sprintf("a row of more than %d MB", maxRow>>20)}
	}
	for len(l.bytes) < end {
		if l.next == 0 || l.next > s.pages.Count() {
			return damaged(number, "a row that goes on on page %d", l.next)
		}
		if l.left--; l.left < 0 {
			return damaged(number, "rows share the pages that they go on on")
		}
		page, err := s.pages.Page(l.next)
		if err != nil || len(page) < 5 {
			return &Damage{l.next, fmt.Sprintf("it cannot be read: %v", err), err}
		}
		l.next, l.bytes = binary.BigEndian.Uint32(page), append(l.bytes, page[4:]...)
	}
	return nil
}

// reachValues puts the row together up to the end of the last wanted value whose field was read. The body of the
// record begins at base.
func (s *scan) reachValues(number uint32, base int) error {
	f, end := &s.fields, 0
	for i := range s.cols {
		field := s.cols[i].Field
		if field < 0 || field >= f.known {
			continue
		}
		if serial := f.types[field]; serial >= 12 && (serial-12)/2 > MaxValue {
			return &Damage{Why: fmt.Sprintf("a value of more than %d MB", MaxValue>>20)}
		} else if serial > 0 && serial != 8 && serial != 9 {
			end = max(end, base+f.ends[field])
		}
	}
	return s.reach(number, end)
}
