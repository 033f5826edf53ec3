package build

import (
	"fmt"

	"perfdiff/analyze/trace"
)

// Memory gathers how much memory of one device a program holds: from what a driver gave and took
// back (Driver), or from what an allocator says at each change (Total, Sum).
type Memory struct {
	changes  List[trace.MemoryChange]
	sizes    map[int64]int64 // of what the driver gave, by address: a row that frees may have none
	driver   bool
	totals   int // changes that say what is held then
	reserved bool
	leftOut  int // changes beyond those that are kept, or without a time or size
}

// MemorySource is where the amounts of an allocator come from, for people.
type MemorySource struct{ Totals, Sums string }

// driverSums is where the amounts of a driver come from.
const driverSums = "sums of the driver's allocations since the capture began"

// Driver adds that the driver gave bytes at a time in ns, or took them back; bytes may be 0 for what is freed. These
// amounts count as reserved: allocators of frameworks ask the driver seldom and keep what they have got.
func (m *Memory) Driver(room trace.Room, at int64, taken bool, bytes, address int64) {
	if m.driver = true; !taken && bytes <= 0 {
		bytes = m.sizes[address]
	}
	if bytes <= 0 || !m.add(room, trace.MemoryChange{At: at, Reserved: signed(bytes, taken), Taken: taken}) {
		m.leftOut++
		return
	}
	if !taken {
		delete(m.sizes, address)
		return
	}
	if m.sizes == nil {
		m.sizes = make(map[int64]int64)
	}
	m.sizes[address] = bytes
}

func signed(bytes int64, taken bool) int64 {
	if taken {
		return bytes
	}
	return -bytes
}

// Total adds a change after which so many bytes are allocated, and reserved if that is above 0.
func (m *Memory) Total(room trace.Room, at int64, taken bool, allocated, reserved int64) {
	m.totals++
	m.reserved = m.reserved || reserved > 0
	if !m.add(room, trace.MemoryChange{At: at, Allocated: allocated, Reserved: max(reserved, 0), Taken: taken}) {
		m.leftOut++
	}
}

// Sum adds a change by so many bytes, below 0 for what is given back.
func (m *Memory) Sum(room trace.Room, at, bytes int64) {
	if !m.add(room, trace.MemoryChange{At: at, Allocated: bytes, Taken: bytes > 0}) {
		m.leftOut++
	}
}

// LeaveOut counts a change whose time or size is not known.
func (m *Memory) LeaveOut() { m.leftOut++ }

func (m *Memory) add(room trace.Room, x trace.MemoryChange) bool {
	if m.changes.Len() == trace.MaxMemoryChanges {
		return false
	}
	m.changes.Push(room, x)
	return true
}

// Give gives a trace the memory of its device, or says that it is lost. again is what to do about the file.
func (m *Memory) Give(t *trace.Trace, from MemorySource, again string) {
	switch n := m.changes.Len(); {
	case m == nil || n+m.leftOut == 0:
	case m.leftOut > 0:
		t.Lose(trace.MemoryUse, fmt.Sprintf("all changes of device memory: %d of %d were left out, "+
			"beyond %d or without time or size (record fewer steps)", m.leftOut, n+m.leftOut, trace.MaxMemoryChanges))
	case m.totals != 0 && m.totals != n:
		t.Lose(trace.MemoryUse, fmt.Sprintf("what is allocated at each change of memory: %d of %d say so (%s)", m.totals, n, again))
	default:
		t.Memory = m.held(from)
		t.Recorded |= trace.HasMemory
	}
}

// held returns the memory over time.
func (m *Memory) held(from MemorySource) *trace.HeldMemory {
	h := &trace.HeldMemory{Source: from.Totals, Allocated: !m.driver, Reserved: m.driver || m.reserved, Changes: m.changes.All()}
	h.Sort()
	if m.totals == 0 {
		if h.Source = from.Sums; m.driver {
			h.Source = driverSums
		}
		h.Sum()
	}
	return h
}

// Memories holds the memory of each device of a file, by the key of the device.
type Memories[K comparable] map[K]*Memory

// Of returns the memory of a device; an empty one if the file has too many.
func (all Memories[K]) Of(at K) *Memory {
	m := all[at]
	if m == nil {
		if m = new(Memory); len(all) < MaxPlaces {
			all[at] = m
		}
	}
	return m
}
