package btree

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// fields holds the wanted fields of a record by their place, as its header says: their serial types, and where their
// values end after the header.
type fields struct {
	types []uint64
	ends  []int
	known int // as many as the record has, at most those wanted
}

// take reads a header without its own length, as far as fields are wanted. It returns how
// many bytes their values take, -1 if the header is not sound, and whether it was read to
// its end.
func (f *fields) take(header []byte) (body int, all bool) {
	f.known = 0
	for at := 0; at < len(header); {
		if f.known == len(f.ends) {
			return body, false
		}
		serial, n := uint64(header[at]), 1
		size := int(sizes[serial])
		if serial >= 0x80 {
			if serial, n = shortVarint(header[at:]); n == 0 {
				return -1, false
			}
			if size = int(min((max(serial, 12)-12)/2, math.MaxInt32)); serial < 12 {
				size = int(sizes[serial])
			}
		}
		if at += n; body > math.MaxInt32-size {
			return -1, false
		}
		body += size
		f.types[f.known], f.ends[f.known] = serial, body
		f.known++
	}
	return body, true
}

// sizes are how many bytes the values of serial types below 128 take. 10 and 11 are
// reserved and read as NULL.
var sizes = func() (all [256]int32) {
	copy(all[:], []int32{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0})
	for serial := 12; serial < 128; serial++ {
		all[serial] = int32(serial-12) / 2
	}
	return all
}()

// value returns a column's value in a record whose body begins at b[base], with at least eight bytes before it.
func (s *scan) value(c *Column, b []byte, base int, rowid int64) int64 {
	f := &s.fields
	switch {
	case c.Field == Rowid:
		return number(rowid, c.Text)
	case c.Field < 0:
		return Null
	case c.Field >= f.known:
		s.unknown = s.unknown || c.Preset
		return Null
	}
	return s.valueOf(c, b, f.types[c.Field], base+f.ends[c.Field])
}

// valueOf returns the value of a type that ends at b[end], with at least eight bytes before its record's
// body.
func (s *scan) valueOf(c *Column, b []byte, serial uint64, end int) int64 {
	switch {
	case serial >= 12:
		return s.text(c, b[end-int((serial-12)/2):end])
	case serial == 0 || serial > 9:
		return Null
	case serial == 7:
		return FromFloat(math.Float64frombits(binary.BigEndian.Uint64(b[end-8:])), c.Text)
	}
	v := int64(serial - 8)
	if serial < 8 {
		shift := 64 - 8*sizes[serial]
		v = int64(binary.BigEndian.Uint64(b[end-8:])<<shift) >> shift
	}
	if c.Real {
		return FromFloat(float64(v), c.Text)
	}
	return number(v, c.Text)
}

// text returns a text or the bytes of a blob, in a column of integers or of texts.
func (s *scan) text(c *Column, text []byte) int64 {
	if c.Text == nil {
		return Null
	}
	s.texts += int64(len(text))
	return c.Text(view(text))
}

// trouble returns what is wrong with a row apart from its values.
func (s *scan) trouble(number uint32) error {
	if s.unknown {
		return damaged(number, "a row that ends before a column with a default")
	}
	if s.texts > s.mostText {
		return &Damage{Why: "more text than the file can hold"}
	}
	return nil
}

// number returns an integer in a column of integers or of texts.
func number(v int64, text func(string) int64) int64 {
	if text != nil {
		return text(strconv.FormatInt(v, 10))
	}
	return v
}

// FromFloat returns a float in a column of integers, which holds whole ones, or of texts. NaN is
// NULL, as SQLite has it.
func FromFloat(x float64, text func(string) int64) int64 {
	if math.IsNaN(x) {
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

// view returns b as a string without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
