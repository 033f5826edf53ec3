package parquet

import (
	"encoding/binary"
	"errors"
)

// Kinds of fields in Thrift's compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxDepth bounds structs within structs: what Parquet describes has six.
const maxDepth = 32

var (
	errShort  = errors.New("a description ends early")
	errThrift = errors.New("a description is no Thrift")
)

// thrift reads Thrift's compact protocol, in which Parquet describes itself. The first error stays, and everything
// read after it is zero.
type thrift struct {
	b     []byte
	at    int
	depth int
	err   error
}

func (t *thrift) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *thrift) byte() byte {
	if t.err != nil || t.at >= len(t.b) {
		t.fail(errShort)
		return 0
	}
	t.at++
	return t.b[t.at-1]
}

func (t *thrift) uvarint() uint64 {
	if t.err != nil {
		return 0
	}
	x, n := binary.Uvarint(t.b[t.at:])
	switch {
	case n == 0:
		t.fail(errShort)
	case n < 0:
		t.fail(errThrift)
	}
	t.at += max(n, 0)
	return x
}

// int returns a whole number of any size.
func (t *thrift) int(kind byte) int64 {
	switch {
	case kind == thriftByte:
		return int64(int8(t.byte()))
	case kind < thriftInt16 || kind > thriftInt64:
		t.fail(errThrift)
		return 0
	}
	return zigzag(t.uvarint())
}

func zigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// bytes reads a text, which is a part of the input.
func (t *thrift) bytes(kind byte) []byte {
	if kind != thriftBinary {
		t.fail(errThrift)
	}
	n := t.uvarint()
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
	}
	if t.err != nil {
		return nil
	}
	t.at += int(n)
	return t.b[t.at-int(n) : t.at]
}

// fields calls take with the fields of a struct, which reads them: true, or leaves them: false.
func (t *thrift) fields(kind byte, take func(id int, kind byte) bool) {
	if t.depth++; t.depth > maxDepth || kind != thriftStruct {
		t.fail(errThrift)
	}
	defer func() { t.depth-- }()
	for id := 0; t.err == nil; {
		head := t.byte()
		if head == 0 {
			return
		}
		if step := int(head >> 4); step != 0 {
			id += step
		} else {
			id = int(t.int(thriftInt16))
		}
		if kind := head & 15; !take(id, kind) {
			t.skip(kind)
		}
	}
}

// list calls take for each element of a list, which reads it.
func (t *thrift) list(kind byte, take func(kind byte)) {
	if kind != thriftList && kind != thriftSet {
		t.fail(errThrift)
	}
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.uvarint()
	}
	if n > uint64(len(t.b)-t.at) { // none is shorter than a byte
		t.fail(errShort)
	}
	for range n {
		if t.err != nil {
			return
		}
		take(head & 15)
	}
}

func (t *thrift) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse: // the kind is the value
	case thriftDouble:
		if t.at += 8; t.at > len(t.b) {
			t.at = len(t.b)
			t.fail(errShort)
		}
	case thriftBinary:
		t.bytes(kind)
	case thriftList, thriftSet:
		t.depth++
		t.list(kind, t.skipElement)
		t.depth--
	case thriftMap:
		t.skipMap()
	case thriftStruct:
		t.fields(kind, func(int, byte) bool { return false })
	default:
		t.int(kind)
	}
}

// skipElement passes over an element of a list, where true and false take a byte, too.
func (t *thrift) skipElement(kind byte) {
	switch {
	case t.depth > maxDepth:
		t.fail(errThrift)
	case kind == thriftTrue || kind == thriftFalse:
		t.byte()
	default:
		t.skip(kind)
	}
}

func (t *thrift) skipMap() {
	n := t.uvarint()
	if n == 0 {
		return
	}
	kinds := t.byte()
	if n > uint64(len(t.b)-t.at) {
		t.fail(errShort)
	}
	t.depth++
	for range n {
		if t.err != nil {
			break
		}
		t.skipElement(kinds >> 4)
		t.skipElement(kinds & 15)
	}
	t.depth--
}
