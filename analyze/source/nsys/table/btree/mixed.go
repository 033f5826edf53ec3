package btree

import (
	"encoding/binary"
	"math/bits"
)

// A row with texts lies on its page as a whole in nearly all cases, and most of its many fields are
// NULL: ranges have 20, of which seven hold something. Its header is gone through once, stretches of
// NULL at once, and only what is there and wanted is looked at. Any other row is read by record.

// mixedPath reads rows with columns of mixed types.
type mixedPath struct {
	on      bool
	columns []int16 // by field, that which takes it; -1: none
	found   [mostColumns]foundValue
}

// mostColumns is more columns than any scan asks for.
const mostColumns = 32

// foundValue is a wanted value that is not NULL: it ends at end on the page.
type foundValue struct {
	column int16
	serial uint16
	end    int32
}

// begin decides whether this path can read these columns; the last one is field fields - 1.
func (p *mixedPath) begin(cols []Column, fields int) {
	if p.on = len(cols) <= mostColumns && fields > 0; !p.on {
		return
	}
	p.columns = make([]int16, fields)
	for i := range p.columns {
		p.columns[i] = -1
	}
	for i, c := range cols {
		switch {
		case c.Field == Rowid || c.Field >= 0 && p.columns[c.Field] >= 0: // which takes another look
			p.on = false
			return
		case c.Field >= 0:
			p.columns[c.Field] = int16(i)
		}
	}
}

// find finds the wanted values of a record of size bytes that lies completely on a page. False if record must read it:
// it has other types, ends before a wanted field or does not add up.
func (p *mixedPath) find(page []byte, at, size int) (found []foundValue, ok bool) {
	head := int(page[at])
	if head < 2 || head >= 0x80 || head > size {
		return nil, false
	}
	found = p.found[:0]
	next, to, end := at+1, at+head, at+head
	field, fields := 0, len(p.columns)
	for next < to && field < fields {
		serial := int(page[next])
		if serial == 0 {
			n := 1
			if next+8 <= len(page) {
				n = bits.TrailingZeros64(binary.LittleEndian.Uint64(page[next:])) / 8
			}
			n = min(n, to-next, fields-field)
			next, field = next+n, field+n
			continue
		}
		if next++; serial >= 0x80 {
			if next == to || page[next] >= 0x80 {
				return nil, false
			}
			serial = serial&0x7f<<7 | int(page[next])
			next++
		}
		if serial < 12 {
			end += int(sizes[serial])
		} else {
			end += (serial - 12) / 2
		}
		if c := p.columns[field]; c >= 0 && serial > 0 { // NULL may be said in two bytes
			found = append(found, foundValue{c, uint16(serial), int32(end)})
		}
		field++
	}
	if size += at; field < fields || end > size || end < size && next == to {
		return nil, false
	}
	return found, true
}

// mixedRow takes the values of the record of size bytes that is at a place of a page, if it is one for
// mixedPath.
func (s *scan) mixedRow(page []byte, at, size int) bool {
	found, ok := s.mixed.find(page, at, size)
	if !ok {
		return false
	}
	for i := range s.cols {
		s.values[i*BatchSize+s.n] = Null
	}
	for _, f := range found {
		c, v := &s.cols[f.column], int64(0)
		if f.serial <= 6 && c.Text == nil && !c.Real {
			shift := (64 - 8*sizes[f.serial]) & 63
			v = int64(binary.BigEndian.Uint64(page[f.end-8:])<<shift) >> shift
		} else {
			v = s.valueOf(c, page, uint64(f.serial), int(f.end))
		}
		s.values[int(f.column)*BatchSize+s.n] = v
	}
	return true
}
