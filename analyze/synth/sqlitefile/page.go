package sqlitefile

import "encoding/binary"

// The kinds of pages of a tree, and the bytes of their headers.
const (
	leafTable     = 13
	interiorTable = 5
	leafIndex     = 10

	leafHead     = 8
	interiorHead = 12
)

// page is a page of a tree that is being filled: cells from its end, and at its begin, after a
// header, where each begins.
type page struct {
	bytes [pageSize]byte
	cells []uint16
	used  int // bytes of cells
}

// add adds a cell if there is room for it behind a header of some bytes that begins at a place.
func (p *page) add(cell []byte, header, at int) bool {
	if at+header+2*(len(p.cells)+1)+p.used+len(cell) > pageSize {
		return false
	}
	p.used += len(cell)
	copy(p.bytes[pageSize-p.used:], cell)
	p.cells = append(p.cells, uint16(pageSize-p.used))
	return true
}

// seal writes the header to a place and returns the page. right is the last page below it, which
// leaves have none of.
func (p *page) seal(kind byte, at int, right uint32) []byte {
	head := p.bytes[at:]
	head[0] = kind
	binary.BigEndian.PutUint16(head[3:], uint16(len(p.cells)))
	binary.BigEndian.PutUint16(head[5:], uint16(pageSize-p.used))
	rest := head[leafHead:]
	if kind == interiorTable {
		binary.BigEndian.PutUint32(rest, right)
		rest = head[interiorHead:]
	}
	for i, c := range p.cells {
		binary.BigEndian.PutUint16(rest[2*i:], c)
	}
	return p.bytes[:]
}

// clear makes the page an empty one, so that what is not used of it is zero.
func (p *page) clear() { *p = page{cells: p.cells[:0]} }

// Of a row that is longer than a page a part stays in its leaf: the longest that does so whole, and
// the shortest part.
const (
	maxLocal = pageSize - 35
	minLocal = (pageSize-12)*32/255 - 23
	// perOverflow is what a page of the rest holds, after the number of the next.
	perOverflow = pageSize - 4
)

// local is how much of a row of some bytes stays in its leaf.
func local(size int) int {
	if size <= maxLocal {
		return size
	}
	if part := minLocal + (size-minLocal)%perOverflow; part <= maxLocal {
		return part
	}
	return minLocal
}

// appendPayload appends to a cell what stays of a row, and writes the rest to pages of its own.
func (f *File) appendPayload(cell, payload []byte) []byte {
	n := local(len(payload))
	cell = append(cell, payload[:n]...)
	rest := payload[n:]
	if len(rest) == 0 {
		return cell
	}
	number := f.allocate()
	cell = binary.BigEndian.AppendUint32(cell, number)
	for len(rest) > 0 {
		var bytes [pageSize]byte
		n := copy(bytes[4:], rest)
		rest = rest[n:]
		next := uint32(0)
		if len(rest) > 0 {
			next = f.allocate()
		}
		binary.BigEndian.PutUint32(bytes[:], next)
		f.write(number, bytes[:])
		number = next
	}
	return cell
}
