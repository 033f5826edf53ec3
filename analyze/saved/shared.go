package saved

import (
	"hash/maphash"
	"math"
	"slices"
	"unsafe"
)

// sharedValues holds lists of values, each once. In a job of a thousand ranks a third of the series are the same:
// counts that never change, causes that never occur, and parts that are all of their whole. Nobody changes the values
// of a set except in a copy.
type sharedValues struct {
	seed maphash.Seed
	byID map[uint64][]float64
}

func newSharedValues() *sharedValues {
	return &sharedValues{maphash.MakeSeed(), map[uint64][]float64{}}
}

// of returns v, or a list that is the same to the bit.
func (s *sharedValues) of(v []float64) []float64 {
	if len(v) == 0 {
		return v
	}
	id := maphash.Bytes(s.seed, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v)))
	have, met := s.byID[id]
	if !met {
		s.byID[id] = v
		return v
	}
	if slices.EqualFunc(have, v, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		return have
	}
	return v
}
