package trace

import (
	"hash/maphash"
	"math/bits"
)

// Found finds texts in a list. It holds only their numbers, each with a part of the text's hash, so that it grows
// without looking at texts and is a fifth of a map: a capture can have a different name for every range. The list is
// the caller's, and number 0 stands for no text.
type Found struct {
	slots  []uint64 // the hash's part and the number; 0: free
	count  int
	awaits uint64 // of no meaning
}

// leastSlots is the size of a table that holds few texts. Chosen, not measured: it takes half a kB.
const leastSlots = 64

// textSeed is the same for all, so that two Found that were given the same texts are alike.
var textSeed = maphash.MakeSeed()

// NewFound has room for so many texts.
func NewFound(texts int) Found {
	return Found{slots: EmptyTable[uint64](slotsFor(texts))}
}

// slotsFor returns how many slots, a power of two, are at most five in eight full with so many texts.
func slotsFor(texts int) int { return max(leastSlots, 1<<bits.Len(uint(texts+texts/2+texts/10))) }

// TextHash returns the hash of a text, the same in all tables.
func TextHash(s string) uint32 { return uint32(maphash.String(textSeed, s)) }

// Find returns the number of a text of all, 0 if it was not added, and its hash.
func (t *Found) Find(s string, all []string) (number, hash uint32) {
	hash = TextHash(s)
	return t.FindBy(hash, s, all), hash
}

// FindBy does what Find does for a text whose hash is known.
func (t *Found) FindBy(hash uint32, s string, all []string) (number uint32) {
	for i := hash; ; i++ {
		slot := t.slots[int(i)&(len(t.slots)-1)]
		if slot == 0 || uint32(slot>>32) == hash && all[uint32(slot)] == s {
			return uint32(slot)
		}
	}
}

// Await touches the places of texts that are looked up next, by their hashes. A table of 300,000 texts does not fit
// into a near cache; the processor then waits for many places at once, where between other work it would wait for one
// after the other: a capture with a different name for every second range takes 2 % less time.
func (t *Found) Await(hashes []uint32) {
	for _, hash := range hashes {
		t.awaits += t.slots[int(hash)&(len(t.slots)-1)]
	}
}

// Add adds the number of a text that was not found, by its hash. It is not 0.
func (t *Found) Add(number, hash uint32) {
	if t.count++; t.count > len(t.slots)/8*5 {
		before := t.slots
		t.slots = EmptyTable[uint64](2 * len(before))
		for _, slot := range before {
			if slot != 0 {
				t.put(slot)
			}
		}
	}
	t.put(uint64(hash)<<32 | uint64(number))
}

func (t *Found) put(slot uint64) {
	for i := uint32(slot >> 32); ; i++ {
		if at := &t.slots[int(i)&(len(t.slots)-1)]; *at == 0 {
			*at = slot
			return
		}
	}
}
