package btree

import "sync"

// A job of a thousand ranks is as many small files, each with two dozen tables: what
// reading one takes of memory is used again for the next.
var (
	blockPool  = sync.Pool{New: func() any { return new([mostAhead]byte) }}
	columnPool = sync.Pool{New: func() any { return new([BatchSize]int64) }}
	layoutPool = sync.Pool{New: func() any { return new([leastSlots]layout) }}
)
