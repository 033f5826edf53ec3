package btree

import (
	"encoding/binary"
	"unsafe"
)

// Most rows of large tables are integers on one page, and of their many columns few are
// wanted, among the first. The types of those, a byte each in the record's header, are the
// key of a plan that says where values are. Of the types behind them nothing is asked, as
// SQLite asks nothing: that the wanted values lie within the record is what counts. Any row
// that is not so is read by record.

// fastPath reads rows whose header is like that of an earlier row: their values lie at the same places.
type fastPath struct {
	on    bool
	wide  bool             // the key is longer than narrowWords
	room  int              // bytes behind a cell's beginning that are looked at
	key   [keyWords]uint64 // the bytes of the header's types that are of wanted columns and those before them
	types int              // how many these are
	last  *plan
}

const (
	narrowWords = 2 // hold the types that most tables are read by
	keyWords    = 4
	plansSlots  = 256
	highs       = 0x8080808080808080
)

// plan says where the wanted values of rows with the same types are.
type plan struct {
	key   [keyWords]uint64
	known bool
	size  int // bytes of the values of the key's types
	ints  []planInt
	fixed []planFixed
}

// planInt is an integer that ends at end, less eight bytes, after the header; planFixed is a value that the header
// itself gives. Values go to at plus the row's number.
type planInt struct {
	at    uint32
	end   uint16
	shift uint16
}

// begin decides whether there is a quick way for these columns.
func (q *fastPath) begin(cols []Column) {
	fields := 0
	for _, c := range cols {
		if c.Text != nil || c.Real || c.Field == Rowid || c.Field >= 8*keyWords {
			return
		}
		fields = max(fields, c.Field+1)
	}
	q.on, q.types = fields > 0, fields
	for i := range fields {
		q.key[i/8] |= 0xff << (i % 8 * 8)
	}
	if q.wide = fields > 8*narrowWords; q.wide {
		q.room = 8 + 1 + 8*keyWords
	} else {
		q.room = 8 + 1 + 8*narrowWords
	}
}

// keyAt returns the key of the types at a place.
func (q *fastPath) keyAt(start unsafe.Pointer, at int) (key [keyWords]uint64) {
	key[0], key[1] = littleEndian(start, at)&q.key[0], littleEndian(start, at+8)&q.key[1]
	if q.wide {
		key[2], key[3] = littleEndian(start, at+16)&q.key[2], littleEndian(start, at+24)&q.key[3]
	}
	return key
}

// behind reports whether the types after narrowWords are those of a plan.
func (q *fastPath) behind(p *plan, start unsafe.Pointer, at int) bool {
	return littleEndian(start, at+16)&q.key[2] == p.key[2] && littleEndian(start, at+24)&q.key[3] == p.key[3]
}

type planFixed struct {
	at    uint32
	value int64
}

// littleEndian and bigEndian return the eight bytes at a place, which must exist.
func littleEndian(start unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(start, at))[:])
}

func bigEndian(start unsafe.Pointer, at int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(start, at))[:])
}
