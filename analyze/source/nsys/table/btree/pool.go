package btree

import "sync"

// mostAhead is so much that a processor's cache holds it until its rows are read.
const mostAhead = 256 << 10

// A job of a thousand ranks is as many small files, each with two dozen tables: the memory for reading one is used
// again for the next.
var (
	blockPool  = sync.Pool{New: func() any { return new([mostAhead]byte) }}
	tablesPool = sync.Pool{New: func() any { return new(buffers) }}
)

// buffers holds the memory, besides pages, that reading a table takes.
type buffers struct {
	values []int64   // room for each column, one behind the other
	out    [][]int64 // the columns in values
	bodies []int32   // of rows on a page
	types  []uint64  // of fields
	ends   []int     // likewise
	plans  []plan    // none is known at the beginning
}

// takeBuffers returns buffers for so many columns, of as many fields.
func takeBuffers(columns, fields int) *buffers {
	b := tablesPool.Get().(*buffers)
	if cap(b.out) < columns {
		b.values, b.out = make([]int64, columns*BatchSize), make([][]int64, columns)
	}
	b.out = b.out[:columns]
	for i := range b.out {
		b.out[i] = b.values[i*BatchSize:][:BatchSize]
	}
	if len(b.types) < fields {
		b.types, b.ends = make([]uint64, fields), make([]int, fields)
	}
	if b.bodies == nil {
		b.bodies = make([]int32, 0, BatchSize)
	}
	return b
}

// giveBack returns buffers that are no longer used.
func (b *buffers) giveBack() {
	for i := range b.plans {
		b.plans[i].known = false
	}
	tablesPool.Put(b)
}
