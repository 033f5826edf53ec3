package xla

import "encoding/binary"

// The kinds of values on the wire (protobuf.dev, "Encoding").
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

func uvarint(b []byte) (uint64, int) { return binary.Uvarint(b) }

// message is a message of a protocol buffer, whose fields are taken one after the other.
type message struct {
	rest   []byte
	broken bool
}

// field is one field of a message: a number, or some bytes of the message.
type field struct {
	number int
	wire   int
	value  uint64
	bytes  []byte
}

// next takes a field; false at the end, or if there is no valid field, which breaks the message.
func (m *message) next() (f field, ok bool) {
	if len(m.rest) == 0 || m.broken {
		return f, false
	}
	key, n := uvarint(m.rest)
	if n <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
		m.broken = true
		return f, false
	}
	m.rest = m.rest[n:]
	f.number, f.wire = int(key>>3), int(key&7)
	switch f.wire {
	case wireVarint:
		f.value, n = uvarint(m.rest)
	case wireFixed8:
		if n = 8; len(m.rest) >= n {
			f.value = binary.LittleEndian.Uint64(m.rest)
		}
	case wireFixed4:
		if n = 4; len(m.rest) >= n {
			f.value = uint64(binary.LittleEndian.Uint32(m.rest))
		}
	case wireBytes:
		var size uint64
		if size, n = uvarint(m.rest); n > 0 && size <= uint64(len(m.rest)-n) {
			f.bytes = m.rest[n : n+int(size)]
			n += int(size)
		} else {
			n = 0
		}
	default: // groups, which proto3 has not
		n = 0
	}
	if n <= 0 || n > len(m.rest) {
		m.broken = true
		return field{}, false
	}
	m.rest = m.rest[n:]
	return f, true
}

// nameOfPlane returns the name at the beginning of a plane, which may be cut after it; "" if it is not there.
func nameOfPlane(head []byte) string {
	m := message{rest: head}
	for {
		f, ok := m.next()
		switch {
		case !ok || f.number > 2:
			return ""
		case f.number == 2 && f.wire == wireBytes:
			return string(f.bytes)
		}
	}
}
