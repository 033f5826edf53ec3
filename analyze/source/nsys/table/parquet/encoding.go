package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

// Encodings of pages.
const (
	plain           = 0
	plainDictionary = 2
	runLength       = 3
	deltaPacked     = 5
	deltaLength     = 6
	runDictionary   = 8
	streamSplit     = 9
)

func encodingName(encoding int64) string {
	return nameOf(encoding, "PLAIN", "", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
		"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT")
}

var (
	errEnds  = errors.New("a page ends early")
	errIndex = errors.New("a value is not in the dictionary")
	errLevel = errors.New("a page of odd levels")
)

// numbers and texts decode values of a page, one after another.
type (
	numbers interface{ ints(into []int64) error }
	texts   interface{ texts(into [][]byte) error }
)

// fixedWidth decodes numbers of 4 or 8 bytes each (PLAIN).
type fixedWidth struct {
	b     []byte
	width int
}

func (f *fixedWidth) ints(into []int64) error {
	if len(f.b) < len(into)*f.width {
		return errEnds
	}
	if f.width == 4 {
		for i := range into {
			into[i] = int64(int32(binary.LittleEndian.Uint32(f.b[4*i:])))
		}
	} else {
		for i := range into {
			into[i] = int64(binary.LittleEndian.Uint64(f.b[8*i:]))
		}
	}
	f.b = f.b[len(into)*f.width:]
	return nil
}

// byteSplit decodes numbers stored with all first bytes first, then all second ones (BYTE_STREAM_SPLIT).
type byteSplit struct {
	b            []byte
	width, at, n int // of n numbers
}

func (s *byteSplit) ints(into []int64) error {
	if len(into) > s.n-s.at {
		return errEnds
	}
	for i := range into {
		x := uint64(0)
		for k := range s.width {
			x |= uint64(s.b[k*s.n+s.at]) << (8 * k)
		}
		if into[i] = int64(x); s.width == 4 {
			into[i] = int64(int32(x))
		}
		s.at++
	}
	return nil
}

// boolBits decodes truth values, eight to a byte.
type boolBits struct {
	b  []byte
	at int
}

func (p *boolBits) ints(into []int64) error {
	if len(into) > 8*len(p.b)-p.at {
		return errEnds
	}
	for i := range into {
		into[i] = int64(p.b[p.at>>3] >> (p.at & 7) & 1)
		p.at++
	}
	return nil
}

// prefixedTexts decodes texts, each with its length before it.
type prefixedTexts struct{ b []byte }

func (p *prefixedTexts) texts(into [][]byte) error {
	for i := range into {
		text, size := lengthedAt(p.b, 0)
		if size == 0 {
			return errEnds
		}
		into[i], p.b = text, p.b[size:]
	}
	return nil
}

// lengthedAt returns the text at an offset and its size with its length; 0 if there is none.
func lengthedAt(b []byte, at int) (text []byte, size int) {
	if len(b)-at < 4 {
		return nil, 0
	}
	n := int(binary.LittleEndian.Uint32(b[at:]))
	if n > len(b)-at-4 {
		return nil, 0
	}
	return b[at+4 : at+4+n], 4 + n
}

// dictionary are the values that indexes of later pages stand for.
type dictionary struct {
	values  []int64 // numbers
	page    []byte  // texts
	offsets []uint32
	room    [batch]int64 // of indexes
}

// readDictionary reads a page of n values, which the dictionary keeps.
func readDictionary(c *Column, page []byte, n int64) (*dictionary, error) {
	d := &dictionary{page: page}
	width := widths[c.physical]
	if n < 0 || n > int64(len(page)/max(width, 4)) { // a text takes 4 bytes or more
		return nil, errEnds
	}
	switch {
	case width > 0:
		d.values = make([]int64, n)
		return d, (&fixedWidth{page, width}).ints(d.values)
	case c.Kind != Text:
		return nil, Unsupported("a dictionary of truth values")
	}
	d.offsets = make([]uint32, n)
	for i, at := 0, 0; i < len(d.offsets); i++ {
		_, size := lengthedAt(page, at)
		if size == 0 {
			return nil, errEnds
		}
		d.offsets[i] = uint32(at)
		at += size
	}
	return d, nil
}

// widths are the bytes of a number of each physical type.
var widths = map[int64]int{typeInt32: 4, typeFloat: 4, typeInt64: 8, typeDouble: 8}

// dictionaryIndexes decodes values that are indexes into a dictionary.
type dictionaryIndexes struct {
	*dictionary
	indexes runLengths
}

func (x *dictionaryIndexes) ints(into []int64) error {
	if err := x.indexes.ints(into); err != nil {
		return err
	}
	for i, at := range into {
		if at >= int64(len(x.values)) {
			return errIndex
		}
		into[i] = x.values[at]
	}
	return nil
}

func (x *dictionaryIndexes) texts(into [][]byte) error {
	indexes := x.room[:len(into)]
	if err := x.indexes.ints(indexes); err != nil {
		return err
	}
	for i, at := range indexes {
		if at >= int64(len(x.offsets)) {
			return errIndex
		}
		into[i], _ = lengthedAt(x.page, int(x.offsets[at]))
	}
	return nil
}

// runLengths decodes small numbers stored as runs of one number, or packed at width bits each (RLE, with its hybrid of
// bit packing).
type runLengths struct {
	b      []byte
	width  uint // bits, at most 32
	left   int  // numbers left of a run
	packed []byte
	at     int   // bits that were read of packed
	value  int64 // of a run of one number, where packed is nil
}

func (r *runLengths) ints(into []int64) error {
	for len(into) > 0 {
		if r.left == 0 {
			if err := r.next(); err != nil {
				return err
			}
		}
		some := into[:min(r.left, len(into))]
		if r.packed == nil {
			for i := range some {
				some[i] = r.value
			}
		} else {
			for i := range some {
				some[i] = int64(bitsAt(r.packed, r.at, r.width))
				r.at += int(r.width)
			}
		}
		r.left -= len(some)
		into = into[len(some):]
	}
	return nil
}

// next begins a run.
func (r *runLengths) next() error {
	head, n := binary.Uvarint(r.b)
	if n <= 0 || head>>1 == 0 || head>>1 > math.MaxInt32/8 {
		return errEnds
	}
	r.b = r.b[n:]
	count, size := int(head>>1), int(r.width+7)/8
	if head&1 == 1 { // in groups of eight
		size = count * int(r.width)
		count *= 8
	}
	if size > len(r.b) {
		return errEnds
	}
	taken := r.b[:size:size]
	r.b, r.left, r.at, r.packed = r.b[size:], count, 0, nil
	if head&1 == 1 && r.width > 0 {
		r.packed = taken
		return nil
	}
	r.value = int64(bitsAt(taken, 0, uint(8*size)))
	return nil
}

// bitsAt returns the number in width bits, at most 64, from a bit on; bytes beyond b are zero.
func bitsAt(b []byte, at int, width uint) uint64 {
	from, shift := at>>3, uint(at&7)
	if width <= 56 && len(b)-from >= 8 {
		return binary.LittleEndian.Uint64(b[from:]) >> shift & (1<<width - 1)
	}
	x := uint64(0)
	for i := from; i < len(b) && i <= from+8; i++ {
		if k := 8*(i-from) - int(shift); k < 0 {
			x |= uint64(b[i]) >> -k
		} else {
			x |= uint64(b[i]) << k
		}
	}
	return x & (1<<width - 1)
}
