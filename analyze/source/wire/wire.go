// Package wire reads messages of protocol buffers without their schema, field by field.
package wire

import "encoding/binary"

// The kinds of values on the wire (protobuf.dev, "Encoding").
const (
	Varint = 0
	Fixed8 = 1
	Bytes  = 2
	Fixed4 = 5
)

// Message is a message of a protocol buffer, whose fields are taken one after the other.
type Message struct {
	Rest   []byte // what is left of it
	Broken bool
}

// Field is one field of a message: a number, or some bytes of the message.
type Field struct {
	Number int
	Wire   int
	Value  uint64
	Bytes  []byte
}

// Next takes a field; false at the end, or if there is no valid field, which breaks the message.
func (m *Message) Next() (f Field, ok bool) {
	if len(m.Rest) == 0 || m.Broken {
		return f, false
	}
	key, n := binary.Uvarint(m.Rest)
	if n <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
		m.Broken = true
		return f, false
	}
	m.Rest = m.Rest[n:]
	f.Number, f.Wire = int(key>>3), int(key&7)
	switch f.Wire {
	case Varint:
		f.Value, n = binary.Uvarint(m.Rest)
	case Fixed8:
		if n = 8; len(m.Rest) >= n {
			f.Value = binary.LittleEndian.Uint64(m.Rest)
		}
	case Fixed4:
		if n = 4; len(m.Rest) >= n {
			f.Value = uint64(binary.LittleEndian.Uint32(m.Rest))
		}
	case Bytes:
		var size uint64
		if size, n = binary.Uvarint(m.Rest); n > 0 && size <= uint64(len(m.Rest)-n) {
			f.Bytes = m.Rest[n : n+int(size)]
			n += int(size)
		} else {
			n = 0
		}
	default: // groups, which proto3 has not
		n = 0
	}
	if n <= 0 || n > len(m.Rest) {
		m.Broken = true
		return Field{}, false
	}
	m.Rest = m.Rest[n:]
	return f, true
}
