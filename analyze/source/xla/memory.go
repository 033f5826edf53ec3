package xla

import (
	"regexp"
	"strconv"

	"perfdiff/analyze/source/build"
)

// Each time that XLA's allocator gives memory of a device or takes it back, it marks on the host
// how many bytes are in use then (BFCAllocator::AddTraceMe of tsl).

// memorySource is where amounts come from.
var memorySource = build.MemorySource{Totals: "what XLA's allocator says is in use"}

// deviceAllocator matches the names of allocators of a device's memory, and not those of pinned
// memory of the host.
var deviceAllocator = regexp.MustCompile(`^GPU_(\d+)_`)

// addMemory takes a mark of an allocator.
func (b *builder) addMemory(e *event, taken bool) {
	of := deviceAllocator.FindStringSubmatch(e.allocator)
	if of == nil || e.timeless || e.inUse < 0 {
		return
	}
	if ordinal, err := strconv.ParseInt(of[1], 10, 31); err == nil {
		b.memory.Of(ordinal).Total(b.room, e.start, taken, e.inUse, 0)
	}
}
