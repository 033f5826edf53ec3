package build

import (
	"math/bits"
	"slices"

	"perfdiff/analyze/trace"
)

// Launches maps the correlation ids that spans ask for to the starts of the calls that carried them. Ids in real files
// are dense, though only some are asked for: it keeps a bit for each, and a count for each 64 of them. Ids that are
// not dense go into a list. The zero value is empty.
type Launches struct {
	blocks map[int64]*idBlock // by id / idBlockSize
	last   *idBlock           // most ids are in the block of the one before
	at     int64              // its number
	most   int                // blocks from which on it is asked whether ids are dense
	far    []int64            // ids in place of blocks, in order once all are known
	starts []int64            // of calls with the ids of far
	begun  bool               // no span asks for more
}

const (
	idBlockSize = 4096
	// leastIDs are how many ids a block has in the mean at least: with fewer, a list of
	// them takes less room.
	leastIDs = 80
	// someBlocks are so few that nobody asks.
	someBlocks = 64
)

// idBlock holds a range of ids. Each block has a list of its own: one list for all would be so long that a heap in use
// has no room for it and grows.
type idBlock struct {
	bits   [idBlockSize / 64]uint64
	before [idBlockSize / 64]uint16 // ids in the words before
	starts []int64                  // of calls, in the order of the ids that are asked for
}

func (b *idBlock) count() (n int) {
	for _, w := range b.bits {
		n += bits.OnesCount64(w)
	}
	return n
}

// Ask says that a span was launched by the call with an id; one above 0 is one.
func (l *Launches) Ask(id int64) {
	if id <= 0 || l.begun {
		return
	}
	if id/idBlockSize != l.at || l.last == nil {
		if l.open(id); l.last == nil {
			l.far = append(l.far, id)
			return
		}
	}
	l.last.bits[uint64(id)%idBlockSize/64] |= 1 << (uint64(id) % 64)
}

// open makes the block of an id the last one; nil where there are no blocks.
func (l *Launches) open(id int64) {
	if l.far != nil {
		return
	}
	l.at = id / idBlockSize
	if l.last = l.blocks[l.at]; l.last != nil || l.spread() {
		return
	}
	if l.blocks == nil {
		l.blocks = make(map[int64]*idBlock)
	}
	l.last = new(idBlock)
	l.blocks[l.at] = l.last
}

// spread reports whether ids are too far from each other for blocks, and lists them then.
func (l *Launches) spread() bool {
	if len(l.blocks) < max(l.most, someBlocks) {
		return false
	}
	n := 0
	for _, b := range l.blocks {
		n += b.count()
	}
	if l.most = 2 * len(l.blocks); n >= leastIDs*len(l.blocks) {
		return false
	}
	l.far = make([]int64, 0, 2*n)
	for at, b := range l.blocks {
		for i, w := range b.bits {
			for ; w != 0; w &= w - 1 {
				l.far = append(l.far, at*idBlockSize+int64(64*i+bits.TrailingZeros64(w)))
			}
		}
	}
	l.blocks, l.last = nil, nil
	return true
}

// Begin makes room for the calls, once all ids were asked for.
func (l *Launches) Begin() {
	slices.Sort(l.far)
	l.far = slices.Compact(l.far)
	l.begun, l.starts = true, unknownTimes(len(l.far))
	all := 0
	for _, b := range l.blocks {
		all += b.count()
	}
	starts := unknownTimes(all)
	for _, b := range l.blocks {
		n := 0
		for i, w := range b.bits {
			b.before[i] = uint16(n)
			n += bits.OnesCount64(w)
		}
		b.starts, starts = starts[:n:n], starts[n:]
	}
}

func unknownTimes(n int) []int64 {
	all := trace.InLargePages(make([]int64, n))
	for i := range all {
		all[i] = trace.NoTime
	}
	return all
}

// startOf returns where the start of the call with an id is kept, nil if no span asks for it.
func (l *Launches) startOf(id int64) *int64 {
	n := int64(uint64(id) / idBlockSize) // of no block for what is below 0
	if n != l.at {
		l.last, l.at = l.blocks[n], n
	}
	if l.last == nil {
		return l.startOfFar(id)
	}
	return l.last.startOf(id)
}

// startOf returns where the start of the call with an id of the block is kept, nil if no span asks for it.
func (b *idBlock) startOf(id int64) *int64 {
	word, bit := uint64(id)%idBlockSize/64, uint64(1)<<(uint64(id)%64)
	asked := b.bits[word]
	if asked&bit == 0 {
		return nil
	}
	return &b.starts[int(b.before[word])+bits.OnesCount64(asked&(bit-1))]
}

func (l *Launches) startOfFar(id int64) *int64 {
	if at, ok := slices.BinarySearch(l.far, id); ok {
		return &l.starts[at]
	}
	return nil
}

// NoteAll records calls by their ids and starts. If a runtime call and the driver call inside it share an id, the
// outer one, which starts first, is the launch. It appends to found 1 for each call whose id any span asks for, else
// 0.
func (l *Launches) NoteAll(found []uint8, ids, starts []int64) []uint8 {
	from := len(found)
	found = slices.Grow(found, len(ids))[:from+len(ids)]
	asked, starts := found[from:], starts[:len(ids)]
	for i, id := range ids {
		asked[i] = 0
		at := (*int64)(nil)
		if b := l.last; b != nil && int64(uint64(id)/idBlockSize) == l.at { // as nearly all are, and without a call
			at = b.startOf(id)
		} else {
			at = l.startOf(id)
		}
		if start := starts[i]; at != nil && start > -MaxTime {
			if asked[i] = 1; *at == trace.NoTime || start < *at {
				*at = start
			}
		}
	}
	return found
}

// Of returns the start of the call with that id, or trace.NoTime.
func (l *Launches) Of(id int64) int64 {
	at := (*int64)(nil)
	if b := l.last; b != nil && int64(uint64(id)/idBlockSize) == l.at { // as in NoteAll
		at = b.startOf(id)
	} else {
		at = l.startOf(id)
	}
	if at == nil {
		return trace.NoTime
	}
	return *at
}

// Note records one call and reports whether any span asks for its id.
func (l *Launches) Note(id, start int64) bool {
	var found [1]uint8
	return l.NoteAll(found[:0], []int64{id}, []int64{start})[0] == 1
}
