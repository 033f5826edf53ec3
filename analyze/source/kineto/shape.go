package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// mostVotes is from how many kernels on launches are not looked at: what most launches
// of a name have does not change any more.
const mostVotes = 1 << 15

// shapes are how the kernels of each name were launched, by name.
type shapes []trace.ShapeVote

// shape is how a kernel was launched.
func (e *event) shape() trace.Shape {
	if e.shaped != nil {
		return *e.shaped
	}
	s := trace.Shape{Grid: dimensions(e.grid), Block: dimensions(e.block)}
	if !s.Known() {
		return trace.Shape{}
	}
	s.Registers = int32(between(e.registers, 1<<31-1))
	s.Shared = between(e.shared, 1<<62)
	s.Occupancy = int32(between(e.occupancy, 100))
	return s
}

// add counts a launch of the kernel called name.
func (all *shapes) add(name trace.NameID, s trace.Shape) {
	if !s.Known() {
		return
	}
	if n := int(name); n >= len(*all) {
		*all = append(*all, make([]trace.ShapeVote, n+64-len(*all))...)
	}
	(*all)[name].Add(s)
}

// mostly is the shape of each name that most of its launches have.
func (all shapes) mostly() map[trace.NameID]trace.Shape {
	out := make(map[trace.NameID]trace.Shape)
	for name, v := range all {
		if v.Shape.Known() {
			out[trace.NameID(name)] = v.Shape
		}
	}
	return out
}

// dimensions are the numbers of "[512, 1, 1]", zeros for anything else.
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
		if d[i], list = int32(between(bytes.TrimSpace(item), 1<<31-1)), rest; d[i] == 0 {
			return [3]int32{}
		}
	}
	return d
}

// between is a whole number of 0 to limit, 0 for anything else.
func between(s []byte, limit int64) int64 {
	if n, ok := integer(s); ok && n > 0 && n <= limit {
		return n
	}
	return 0
}
