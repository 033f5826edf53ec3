package trace

import "fmt"

// Allocations gathers what the driver gave and took back of one device's memory. They are what is
// reserved: allocators of frameworks ask the driver seldom and keep what they have got.
type Allocations struct {
	changes []MemoryChange
	sizes   map[int64]int64 // of what is allocated, by address: a row that frees may have none
	leftOut int             // changes beyond those that are kept, or of unknown size
}

// DriverSums is where such amounts come from.
const DriverSums = "sums of the driver's allocations since the capture began"

// Change adds one allocation, or the opposite. bytes may be 0 of what is freed.
func (a *Allocations) Change(at int64, taken bool, bytes, address int64) {
	if !taken && bytes <= 0 {
		bytes = a.sizes[address]
	}
	if bytes <= 0 || len(a.changes) == MaxMemoryChanges {
		a.leftOut++
		return
	}
	x := MemoryChange{At: at, Reserved: bytes, Taken: taken}
	if taken {
		if a.sizes == nil {
			a.sizes = make(map[int64]int64)
		}
		a.sizes[address] = bytes
	} else {
		x.Reserved = -bytes
		delete(a.sizes, address)
	}
	a.changes = append(a.changes, x)
}

// Give gives a trace the memory of its device, or says that it is lost.
func (a *Allocations) Give(t *Trace) {
	switch {
	case len(a.changes)+a.leftOut == 0:
	case a.leftOut > 0:
		t.Lose(MemoryUse, fmt.Sprintf("all allocations of device memory: %d of %d were left out, beyond %d or of unknown size (record a shorter capture)",
			a.leftOut, a.leftOut+len(a.changes), MaxMemoryChanges))
	default:
		t.Memory = &HeldMemory{Source: DriverSums, Reserved: true, Changes: a.changes}
		t.Memory.Sort()
		t.Memory.Sum()
		t.Recorded |= HasMemory
	}
}
