package btree

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"
)

// kind says how a field of a record becomes the value of a column.
type kind uint8

const (
	kindFixed kind = iota // the header says the value: NULL, 0 or 1
	kindInt               // big endian, two's complement
	kindFloat
	kindText // text or blob: its bytes
	kindRowid
)

// field is where a column is in a record: bytes [start, end) of its body.
type field struct {
	start, end int32
	kind       kind
	shift      uint8 // 64 less the bits of an integer
	value      int64 // of kindFixed
}

// layout is what one header says of the columns of a scan. Rows in a row share
// few headers, so that they are taken apart once.
type layout struct {
	header []byte
	fields []field
	body   int  // bytes of the body
	plain  bool // all values are integers or fixed, which is the rule
	ints   []intField
	fixed  []fixedField
}

// intField and fixedField are the fields of a plain layout, column by column.
type intField struct {
	end    int32
	column uint16
	shift  uint16
}

type fixedField struct {
	value  int64
	column int
}

// layoutOf returns the layout of a record's header, which is valid until the
// next call.
func (s *scan) layoutOf(header []byte) (*layout, bool) {
	if bytes.Equal(header, s.last.header) {
		return s.last, true
	}
	h := hash(header)
	l := &s.layouts[h%uint64(len(s.layouts))]
	if !bytes.Equal(header, l.header) {
		if s.parsed++; s.parsed > 2*len(s.layouts) && len(s.layouts) < mostSlots {
			s.layouts, s.parsed = make([]layout, 4*len(s.layouts)), 0
			l = &s.layouts[h%uint64(len(s.layouts))]
		}
		l.header = append(l.header[:0], header...)
		l.fields = slices.Grow(l.fields[:0], len(s.cols))[:len(s.cols)]
		if !s.parse(l) {
			l.header = l.header[:0]
			return nil, false
		}
	}
	s.last = l
	return l, true
}

// hash takes sixteen bytes with one multiplication; the last ones twice where they do not
// fill them.
func hash(b []byte) uint64 {
	const p, q = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	h := uint64(len(b))
	switch {
	case len(b) < 8:
		for _, c := range b {
			h = (h ^ uint64(c)) * p
		}
		return h ^ h>>32
	case len(b) < 16:
		high, low := bits.Mul64(binary.LittleEndian.Uint64(b)^p, binary.LittleEndian.Uint64(b[len(b)-8:])^q)
		return high ^ low
	}
	for end := b[len(b)-16:]; ; b = b[16:] {
		if len(b) < 16 {
			b = end
		}
		high, low := bits.Mul64(h^binary.LittleEndian.Uint64(b)^p, binary.LittleEndian.Uint64(b[8:])^q)
		if h = high ^ low; len(b) == 16 {
			return h
		}
	}
}

// parse fills l from its header; false if the header is not sound.
func (s *scan) parse(l *layout) bool {
	_, at := uvarint(l.header) // the header's own length
	for i := range s.cols {
		l.fields[i] = field{value: Null}
		if s.cols[i].Field == Rowid {
			l.fields[i].kind = kindRowid
		}
	}
	end := int64(0)
	for i := 0; at < len(l.header); i++ {
		serial, n := uvarint(l.header[at:])
		if n == 0 || serial == 10 || serial == 11 { // reserved
			return false
		}
		at += n
		size := serialSize(serial)
		if size > math.MaxInt32 || end+size > math.MaxInt32 {
			return false
		}
		if i < len(s.column) {
			for _, c := range s.column[i] {
				l.fields[c] = newField(serial, int32(end), int32(end+size))
			}
		}
		end += size
	}
	l.body, l.plain, l.ints, l.fixed = int(end), true, l.ints[:0], l.fixed[:0]
	for i, f := range l.fields {
		l.plain = l.plain && s.cols[i].Text == nil && f.kind <= kindInt
		if f.kind == kindInt {
			l.ints = append(l.ints, intField{f.end, uint16(i), uint16(f.shift)})
		} else {
			l.fixed = append(l.fixed, fixedField{f.value, i})
		}
	}
	return true
}

// serialSize is the number of bytes of a value of that serial type.
func serialSize(serial uint64) int64 {
	switch serial {
	case 0, 8, 9:
		return 0
	case 5:
		return 6
	case 6, 7:
		return 8
	}
	if serial < 5 {
		return int64(serial)
	}
	return int64(min((serial-12)/2, math.MaxInt64))
}

func newField(serial uint64, start, end int32) field {
	f := field{start: start, end: end, value: Null}
	switch {
	case serial == 0:
	case serial <= 6:
		f.kind, f.shift = kindInt, uint8(64-8*(end-start))
	case serial == 7:
		f.kind = kindFloat
	case serial <= 9:
		f.value = int64(serial - 8)
	default:
		f.kind = kindText
	}
	return f
}

// value is field i of a record whose body begins at b[base], with at least
// eight bytes before it. The body may be cut behind maxText bytes of a text,
// as it is kept from a row that is longer than maxRow; false if the value is
// not there.
func (s *scan) value(i int, f *field, b []byte, base int, rowid int64) (int64, bool) {
	end := base + int(f.end)
	if end > len(b) {
		if f.kind != kindText || base+int(f.start)+maxText > len(b) {
			return 0, false
		}
		end = len(b)
	}
	text := s.cols[i].Text
	switch f.kind {
	case kindText:
		if text == nil {
			return Null, true
		}
		return text(view(b[base+int(f.start) : end])), true
	case kindFloat:
		return fromFloat(math.Float64frombits(binary.BigEndian.Uint64(b[end-8:])), text), true
	}
	v := f.value
	switch f.kind {
	case kindInt:
		v = int64(binary.BigEndian.Uint64(b[end-8:])<<f.shift) >> f.shift
	case kindRowid:
		v = rowid
	}
	if text != nil && (v != Null || f.kind != kindFixed) {
		return text(strconv.FormatInt(v, 10)), true
	}
	return v, true
}

// fromFloat is a float in a column of integers or of texts.
func fromFloat(x float64, text func(string) int64) int64 {
	if math.IsNaN(x) { // SQLite has none: it reads NULL
		return Null
	}
	if text != nil {
		return text(fmt.Sprint(x))
	}
	if x > -1<<62 && x < 1<<62 && x == float64(int64(x)) {
		return int64(x)
	}
	return Null
}

// view is b as a string without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
