package btree

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// fields are the wanted fields of a record by their place, as its header says: their
// serial types, and where their values end behind the header.
type fields struct {
	types []uint64
	ends  []int
	known int // as many as the record has, at most those wanted
}

// take reads a header without its own length and returns how many bytes the values take;
// false if it is not sound.
func (f *fields) take(header []byte) (body int, ok bool) {
	f.known = 0
	for at := 0; at < len(header); {
		serial, n := uint64(header[at]), 1
		size := int(sizes[serial])
		if serial >= 0x80 {
			if serial, n = shortVarint(header[at:]); n == 0 || serial < 12 {
				return 0, false
			}
			size = int(min((serial-12)/2, math.MaxInt32))
		}
		if at += n; size < 0 || body > math.MaxInt32-size {
			return 0, false
		}
		if body += size; f.known < len(f.ends) {
			f.types[f.known], f.ends[f.known] = serial, body
			f.known++
		}
	}
	return body, true
}

// sizes are how many bytes the values of serial types below 128 take, -1 of those
// that are reserved.
var sizes = func() (all [256]int32) {
	copy(all[:], []int32{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, -1, -1})
	for serial := 12; serial < 128; serial++ {
		all[serial] = int32(serial-12) / 2
	}
	return all
}()

// value is that of a column in a record whose body begins at b[base], with at least
// eight bytes before it. The body may be cut behind maxText bytes of a text,
// as it is kept from a row that is longer than maxRow; false if the value is
// not there.
func (f *fields) value(c *Column, b []byte, base int, rowid int64) (v int64, ok bool) {
	if c.Field == Rowid {
		return number(rowid, c.Text), true
	}
	if c.Field < 0 || c.Field >= f.known || f.types[c.Field] == 0 {
		return Null, true
	}
	serial, end := f.types[c.Field], base+f.ends[c.Field]
	if serial >= 12 {
		start := end - int((serial-12)/2)
		if end > len(b) {
			if end = len(b); start+maxText > end {
				return 0, false
			}
		}
		if c.Text == nil {
			return Null, true
		}
		return c.Text(view(b[start:end])), true
	}
	if end > len(b) {
		return 0, false
	}
	switch {
	case serial >= 8:
		return number(int64(serial-8), c.Text), true
	case serial == 7:
		return fromFloat(math.Float64frombits(binary.BigEndian.Uint64(b[end-8:])), c.Text), true
	}
	shift := 64 - 8*sizes[serial]
	return number(int64(binary.BigEndian.Uint64(b[end-8:])<<shift)>>shift, c.Text), true
}

// number is an integer in a column of integers or of texts.
func number(v int64, text func(string) int64) int64 {
	if text != nil {
		return text(strconv.FormatInt(v, 10))
	}
	return v
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
