package nsys

import (
	"hash/maphash"
)

// texts finds texts by what they are. It holds numbers alone, with a part of each text's
// hash beside, so that it grows without looking at texts: a capture can have a name of its
// own for every range.
type texts struct {
	seed  maphash.Seed
	slots []uint64 // the hash's part and the number; 0: free
	count int
}

func newTexts() texts { return texts{seed: maphash.MakeSeed(), slots: make([]uint64, 64)} }

// find is the number of a text of all, 0 if it was not added, and its hash.
func (t *texts) find(s string, all []string) (number, hash uint32) {
	hash = uint32(maphash.String(t.seed, s))
	for i := hash; ; i++ {
		slot := t.slots[int(i)&(len(t.slots)-1)]
		if slot == 0 || uint32(slot>>32) == hash && all[uint32(slot)] == s {
			return uint32(slot), hash
		}
	}
}

// add adds the number of a text that was not found, by its hash. It is not 0.
func (t *texts) add(number, hash uint32) {
	if t.count++; t.count > len(t.slots)/2 {
		before := t.slots
		t.slots = make([]uint64, 4*len(before))
		for _, slot := range before {
			if slot != 0 {
				t.put(slot)
			}
		}
	}
	t.put(uint64(hash)<<32 | uint64(number))
}

func (t *texts) put(slot uint64) {
	for i := uint32(slot >> 32); ; i++ {
		if at := &t.slots[int(i)&(len(t.slots)-1)]; *at == 0 {
			*at = slot
			return
		}
	}
}
