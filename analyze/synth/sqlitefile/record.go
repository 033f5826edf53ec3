package sqlitefile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// record is a row as it is stored: the types of its values, and then their bytes.
type record struct {
	types, body, whole []byte
}

// set makes the record of a row. The value at key is the id of the row, which stands elsewhere.
func (r *record) set(values []any, key int) error {
	r.types, r.body = r.types[:0], r.body[:0]
	for i, v := range values {
		if i == key {
			v = nil
		}
		if err := r.add(v); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	head := 1 // the size of the types, with the bytes that it takes itself
	for varintSize(uint64(len(r.types)+head)) > head {
		head++
	}
	r.whole = appendVarint(r.whole[:0], uint64(len(r.types)+head))
	r.whole = append(append(r.whole, r.types...), r.body...)
	return nil
}

// add adds a value.
func (r *record) add(value any) error {
	switch v := value.(type) {
	case nil:
		r.types = append(r.types, 0)
	case int:
		r.integer(int64(v))
	case int64:
		r.integer(v)
	case float64:
		if math.IsNaN(v) { // which SQLite has no other word for
			return r.add(nil)
		}
		r.types = append(r.types, 7)
		r.body = binary.BigEndian.AppendUint64(r.body, math.Float64bits(v))
	case []byte:
		r.types = appendVarint(r.types, 12+2*uint64(len(v)))
		r.body = append(r.body, v...)
	case string:
		r.types = appendVarint(r.types, 13+2*uint64(len(v)))
		r.body = append(r.body, v...)
	default:
		return fmt.Errorf("values of type %T have no place in a database", value)
	}
	return nil
}

// integer adds an integer in as few bytes as there is a type for: 0, 1, 2, 3, 4, 6 or 8.
func (r *record) integer(v int64) {
	if v == 0 || v == 1 {
		r.types = append(r.types, 8+byte(v))
		return
	}
	for i, size := range []int{1, 2, 3, 4, 6, 8} {
		if unused := 64 - 8*size; v<<unused>>unused != v {
			continue
		}
		var bytes [8]byte
		binary.BigEndian.PutUint64(bytes[:], uint64(v))
		r.types = append(r.types, byte(i+1))
		r.body = append(r.body, bytes[8-size:]...)
		return
	}
}

// appendVarint appends a number in the groups of 7 bits of the format, of which a ninth has 8.
func appendVarint(to []byte, v uint64) []byte {
	n := varintSize(v)
	var bytes [9]byte
	at := n - 1
	if n == 9 {
		bytes[at] = byte(v)
		v >>= 8
		at--
	}
	for ; at >= 0; at-- {
		bytes[at] = byte(v) | 0x80
		v >>= 7
	}
	if n < 9 {
		bytes[n-1] &= 0x7f
	}
	return append(to, bytes[:n]...)
}

// varintSize is how many bytes a number takes so.
func varintSize(v uint64) int {
	n := 1
	for ; v >= 0x80 && n < 9; n++ {
		v >>= 7
	}
	return n
}
