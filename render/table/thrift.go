package table

import "encoding/binary"

// Kinds of fields in Thrift's compact protocol, in which Parquet describes itself.
const (
	thriftInt32  = 5
	thriftInt64  = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// thrift writes Thrift's compact protocol. Fields of a struct are written in order of their
// numbers.
type thrift struct {
	b    []byte
	last []int // number of the last field, of each open struct
}

// field begins a field of the open struct.
func (t *thrift) field(id int, kind byte) {
	top := len(t.last) - 1
	t.b = append(t.b, byte(id-t.last[top])<<4|kind) // Parquet's numbers are never 16 apart
	t.last[top] = id
}

func (t *thrift) int32(id int, v int64) {
	t.field(id, thriftInt32)
	t.varint(v)
}

func (t *thrift) int64(id int, v int64) {
	t.field(id, thriftInt64)
	t.varint(v)
}

func (t *thrift) varint(v int64) { t.b = binary.AppendVarint(t.b, v) } // with the sign last, as Thrift has it

func (t *thrift) text(id int, s string) {
	t.field(id, thriftBinary)
	t.bare(s)
}

// bare is a text in a list.
func (t *thrift) bare(s string) { t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...) }

// list begins a list of n elements, which are written next.
func (t *thrift) list(id, n int, kind byte) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 15<<4|kind), uint64(n))
}

// inner is a field that is a struct.
func (t *thrift) inner(id int, fields func()) {
	t.field(id, thriftStruct)
	t.object(fields)
}

// object is a struct in a list, or the outermost one.
func (t *thrift) object(fields func()) {
	t.last = append(t.last, 0)
	fields()
	t.b = append(t.b, 0)
	t.last = t.last[:len(t.last)-1]
}
