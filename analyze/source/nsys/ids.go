package nsys

import "math/bits"

// ids is a set of correlation ids that tells each one's place. Ids of real files are dense,
// though only a part of them is asked for: a bit each, and a count for each 64 of them.
type ids struct {
	blocks map[int64]*idBlock // by id / idBlockSize
	last   *idBlock           // most ids are in the block of the one before
	at     int64              // its number
	count  int                // of ids, once they were counted
}

const idBlockSize = 4096

type idBlock struct {
	bits   [idBlockSize / 64]uint64
	before [idBlockSize / 64]uint16 // ids in the words before
	first  int                      // place of the first id
}

func newIDs() *ids { return &ids{blocks: map[int64]*idBlock{}, at: -1} }

func (s *ids) block(id int64) *idBlock {
	if n := id / idBlockSize; n != s.at {
		s.last, s.at = s.blocks[n], n
	}
	return s.last
}

// add adds an id above 0.
func (s *ids) add(id int64) {
	b := s.block(id)
	if b == nil {
		b = new(idBlock)
		s.blocks[s.at], s.last = b, b
	}
	b.bits[id%idBlockSize/64] |= 1 << (id % 64)
}

// number gives each id its place.
func (s *ids) number() {
	s.count = 0
	for _, b := range s.blocks {
		b.first = s.count
		in := 0
		for i, w := range b.bits {
			b.before[i] = uint16(in)
			in += bits.OnesCount64(w)
		}
		s.count += in
	}
}

// place is that of an id, -1 of one that is not in the set.
func (s *ids) place(id int64) int {
	b := s.block(id)
	if b == nil {
		return -1
	}
	word, bit := b.bits[id%idBlockSize/64], uint64(1)<<(id%64)
	if word&bit == 0 {
		return -1
	}
	return b.first + int(b.before[id%idBlockSize/64]) + bits.OnesCount64(word&(bit-1))
}
