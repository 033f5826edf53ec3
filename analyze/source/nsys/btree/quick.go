package btree

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Most rows of large tables are integers on one page, and of their many columns few are
// wanted, among the first. The types of those, a byte each in the record's header, are the
// key of a plan that says where values are. What the other types add to the record's size
// is added up eight at a time. Any row that is not so is read by record.

// quick is the quick reading of a scan's rows.
type quick struct {
	on   bool
	key  [keyWords]uint64 // the bytes of the header's types that are of wanted columns and those before them
	from int              // the first word of types that is not all key

	head  int // of the last row's header, in bytes
	words int // of its types
	rest  [16]uint64

	last  *plan
	plans []plan
}

const (
	keyWords   = 2
	plansSlots = 256
	ones       = 0x0101010101010101
	highs      = 0x8080808080808080
)

// plan says where the wanted values of rows with the same types are.
type plan struct {
	key   [keyWords]uint64
	known bool
	size  int // bytes of the values of the key's types
	ints  []planInt
	fixed []planFixed
}

// planInt is an integer that ends at end, eight bytes less, behind the header; planFixed a
// value that the header says. Values go to at and the row's number.
type planInt struct {
	at    uint32
	end   uint16
	shift uint16
}

type planFixed struct {
	at    uint32
	value int64
}

// begin decides whether there is a quick way for these columns.
func (q *quick) begin(cols []Column) {
	fields := 0
	for _, c := range cols {
		if c.Text != nil || c.Field == Rowid || c.Field >= 8*keyWords {
			return
		}
		fields = max(fields, c.Field+1)
	}
	q.on, q.from = fields > 0, fields/8
	for i := range fields {
		q.key[i/8] |= 0xff << (i % 8 * 8)
	}
}

// forget drops what is known of rows.
func (q *quick) forget() { q.last, q.plans, q.head = nil, nil, -1 }

// headed prepares for headers of so many bytes; false if they are not for quickRows.
func (q *quick) headed(head int) bool {
	if head < 2 || head >= 0x80 {
		return false
	}
	q.head, q.words = head, (head-1+7)/8
	for i := range q.rest {
		q.rest[i] = ^uint64(0)
		if n := head - 1 - 8*i; n < 8 {
			q.rest[i] >>= 64 - 8*max(n, 0)
		}
	}
	for i, key := range q.key {
		if key&^q.rest[i] != 0 {
			q.head = -1 // rows that end before a wanted column
		}
		q.rest[i] &^= key
	}
	return q.head > 0
}

// quickRows reads rows from the cells of a leaf that the pointers lead to, and says how
// many. It ends where there is no more room, and before a row that is not for it.
func (s *scan) quickRows(page, pointers []byte, first int) (rows int) {
	q, n, room := &s.quick, s.n, s.room
	p := q.last
	values, start, length := s.values, unsafe.Pointer(unsafe.SliceData(page)), len(page)
	for ; rows < len(pointers)/2 && n < room; rows++ {
		at := int(binary.BigEndian.Uint16(pointers[2*rows:]))
		if at < first || at+8+1+8*keyWords > length {
			break
		}
		cell := littleEndian(start, at)
		size := int(cell & 0x7f)
		if cell&0x80 != 0 {
			if cell&0x8000 != 0 {
				break
			}
			size = size<<7 | int(cell>>8&0x7f)
			cell, at = cell>>8, at+1
		}
		id := bits.TrailingZeros64(^cell>>8&(highs>>8)) / 8
		if id > 5 {
			break
		}
		at += 2 + id // at most 8
		head := int(*(*byte)(unsafe.Add(start, at)))
		if head != q.head && !q.headed(head) {
			break
		}
		if size > length-35 || at+size > length || at+1+8*q.words > length {
			break
		}
		k0, k1 := littleEndian(start, at+1)&q.key[0], littleEndian(start, at+9)&q.key[1]
		if p == nil || k0 != p.key[0] || k1 != p.key[1] {
			if p = s.plan(k0, k1); p == nil {
				break
			}
			q.last = p
		}
		sum, odd := uint64(0), uint64(0)
		for i := q.from; i < q.words; i++ {
			t := littleEndian(start, at+1+8*i) & q.rest[i&15]
			sum += sizesOf(t)
			odd |= t | (t + (0x80-10)*ones) // a high bit where one is 10 or more
		}
		if odd&highs != 0 || head+p.size+added(sum) != size {
			break
		}
		at += head - 8 // p.size bytes and more are there
		for i := range p.ints {
			f := &p.ints[i]
			shift := f.shift & 63
			values[int(f.at)+n] = int64(bigEndian(start, at+int(f.end))<<shift) >> shift
		}
		for i := range p.fixed {
			values[int(p.fixed[i].at)+n] = p.fixed[i].value
		}
		n++
	}
	s.n = n
	return rows
}

// littleEndian and bigEndian are the eight bytes at a place of which it is known that they
// are there.
func littleEndian(start unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(start, at))[:])
}

func bigEndian(start unsafe.Pointer, at int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(start, at))[:])
}

// sizesOf is how many bytes the values of eight types below 10 take, a byte each: 1, 2, 3,
// 4, 6, 8 and 8 of the types 1 to 7, none of the others.
func sizesOf(t uint64) uint64 {
	both, four, eight := t&(t>>1)&ones, t>>2&ones, t>>3&ones // which bits of a type are set
	return (t + (t&(3*ones)-both<<1)&(four|four<<1)) &^ (eight<<4 - eight)
}

// added is the sum of eight bytes.
func added(b uint64) int {
	const pairs = 0x00ff00ff00ff00ff
	return int((b&pairs + b>>8&pairs) * 0x0001000100010001 >> 48)
}

// plan is that of a key, nil if there is none: some type is no integer's.
func (s *scan) plan(k0, k1 uint64) *plan {
	q := &s.quick
	if q.plans == nil {
		q.plans = make([]plan, plansSlots)
	}
	high, low := bits.Mul64(k0^0x9e3779b97f4a7c15, k1^0xbf58476d1ce4e5b9)
	p := &q.plans[(high^low)%plansSlots]
	if p.known && p.key == [keyWords]uint64{k0, k1} {
		return p
	}
	*p = plan{key: [keyWords]uint64{k0, k1}, ints: p.ints[:0], fixed: p.fixed[:0]}
	var ends [8 * keyWords]int
	for i := range ends {
		serial := p.key[i/8] >> (i % 8 * 8) & 0xff
		if serial > 9 || serial == 7 {
			return nil
		}
		p.size += int(sizes[serial])
		ends[i] = p.size
	}
	for i, c := range s.cols {
		at, serial := uint32(i*s.room), uint64(0)
		if c.Field >= 0 {
			serial = p.key[c.Field/8] >> (c.Field % 8 * 8) & 0xff
		}
		switch {
		case serial == 0:
			p.fixed = append(p.fixed, planFixed{at, Null})
		case serial >= 8:
			p.fixed = append(p.fixed, planFixed{at, int64(serial - 8)})
		default:
			p.ints = append(p.ints, planInt{at, uint16(ends[c.Field]), uint16(64 - 8*sizes[serial])})
		}
	}
	p.known = true
	return p
}
