package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// maxVotes is from how many kernels on shapes are no longer counted: by then the most frequent
// shape of each name does not change.
const maxVotes = 1 << 15

// shape returns how the kernel was launched.
func (e *event) shape() trace.Shape {
	if e.knownShape != nil {
		return *e.knownShape
	}
	s := trace.Shape{Grid: dimensions(e.grid), Block: dimensions(e.block)}
	if !s.Known() {
		return trace.Shape{}
	}
	s.Registers = int32(wholeUpTo(e.registers, 1<<31-1))
	s.Shared = wholeUpTo(e.shared, 1<<62)
	s.Occupancy = int32(wholeUpTo(e.occupancy, 100))
	return s
}

// dimensions returns the numbers in "[512, 1, 1]", zeros for any other text.
func dimensions(list []byte) (d [3]int32) {
	if len(list) < 2 || list[0] != '[' {
		return d
	}
	list = list[1 : len(list)-1]
	for i := range d {
		item, rest, more := bytes.Cut(list, []byte(","))
		if more != (i < len(d)-1) {
			return [3]int32{}
		}
		if d[i], list = int32(wholeUpTo(bytes.TrimSpace(item), 1<<31-1)), rest; d[i] == 0 {
			return [3]int32{}
		}
	}
	return d
}

// wholeUpTo returns a whole number from 0 to limit, 0 for any other text.
func wholeUpTo(s []byte, limit int64) int64 {
	if n, ok := integer(s); ok && n > 0 && n <= limit {
		return n
	}
	return 0
}
