package parquet

import (
	"errors"
	"io"
)

// Kinds of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// header is the header of a page.
type header struct {
	kind, flat, packed   int64 // bytes inflated, and as they are written
	sum                  uint32
	checked              bool // sum is of what is written
	values, encoding, by int64
	levels, repeated     int64 // bytes of levels of the second kind of pages
	stored               bool  // it is not compressed, whatever the column is
}

// maxHead bounds a header, in bytes: it may have the least and the largest text.
const maxHead = 64 << 10

// header reads the next page's.
func (r *Reader) header() (header, error) {
	for n := 256; ; n *= 4 {
		head, err := r.in.Peek(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return header{}, err
		}
		t := &thrift{b: head}
		h := readHeader(t)
		if errors.Is(t.err, errShort) && len(head) == n && 4*n <= maxHead {
			continue
		}
		if t.err != nil {
			return header{}, t.err
		}
		r.bytes -= int64(t.at)
		_, err = r.in.Discard(t.at)
		return h, err
	}
}

func readHeader(t *thrift) (h header) {
	t.fields(thriftStruct, func(id int, kind byte) bool {
		switch id {
		case 1:
			h.kind = t.int(kind)
		case 2:
			h.flat = t.int(kind)
		case 3:
			h.packed = t.int(kind)
		case 4:
			h.sum, h.checked = uint32(t.int(kind)), true
		case 5, 7, 8:
			h.readKind(t, id, kind)
		default:
			return false
		}
		return true
	})
	return h
}

// readKind reads what headers of pages of data (5), of dictionaries (7) and of the
// second kind of pages of data (8) have.
func (h *header) readKind(t *thrift, which int, kind byte) {
	into := map[int]map[int]*int64{
		5: {1: &h.values, 2: &h.encoding, 3: &h.by},
		7: {1: &h.values, 2: &h.encoding},
		8: {1: &h.values, 4: &h.encoding, 5: &h.levels, 6: &h.repeated},
	}[which]
	t.fields(kind, func(id int, kind byte) bool {
		if which == 8 && id == 7 {
			h.stored = kind == thriftFalse
			return true
		}
		if at := into[id]; at != nil {
			*at = t.int(kind)
			return true
		}
		return false
	})
}
