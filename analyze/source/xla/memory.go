package xla

import (
	"fmt"
	"regexp"
	"strconv"

	"perfdiff/analyze/trace"
)

// Each time that XLA's allocator gives memory of a device or takes it back, it marks on the host
// how many bytes are in use then (BFCAllocator::AddTraceMe of tsl).

// allocatorTotals is where amounts come from.
const allocatorTotals = "what XLA's allocator says is in use"

// deviceAllocator matches the names of allocators of a device's memory, and not those of pinned
// memory of the host.
var deviceAllocator = regexp.MustCompile(`^GPU_(\d+)_`)

// deviceMemory is what is held of one device.
type deviceMemory struct {
	changes []trace.MemoryChange
	leftOut int // beyond those that are kept
}

// addMemory takes a mark of an allocator.
func (b *builder) addMemory(e *event, taken bool) {
	of := deviceAllocator.FindStringSubmatch(e.allocator)
	if of == nil || e.timeless || e.inUse < 0 {
		return
	}
	ordinal, err := strconv.ParseInt(of[1], 10, 31)
	m := b.memory[ordinal]
	switch {
	case err != nil || m == nil && len(b.memory) == maxDevices:
		return
	case m == nil:
		m = new(deviceMemory)
		b.memory[ordinal] = m
	}
	if len(m.changes) == trace.MaxMemoryChanges {
		m.leftOut++
		return
	}
	m.changes = append(m.changes, trace.MemoryChange{At: e.start, Allocated: e.inUse, Taken: taken})
}

// giveMemory gives a trace the memory of its device, if anything is known of it.
func (b *builder) giveMemory(t *trace.Trace, ordinal int64) {
	m := b.memory[ordinal]
	switch {
	case m == nil:
	case m.leftOut > 0:
		t.Lose(trace.MemoryUse, fmt.Sprintf("all allocations of device memory: %d of %d were left out (record fewer steps)",
			m.leftOut, m.leftOut+len(m.changes)))
	default:
		t.Memory = &trace.HeldMemory{Source: allocatorTotals, Allocated: true, Changes: m.changes}
		t.Memory.Sort()
		t.Recorded |= trace.HasMemory
	}
}
