package nsys

import (
	"context"
	"fmt"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// memoryTable holds the allocations that the driver made for a program. PyTorch's allocator asks
// the driver seldom and keeps what it has got, so that these are what is reserved.
const memoryTable = "CUDA_GPU_MEMORY_USAGE_EVENTS"

// driverSums is where the amounts come from.
const driverSums = "sums of the driver's allocations since the capture began"

// memoryPlace is a device of a process.
type memoryPlace struct {
	process uint64
	device  int64
}

// deviceMemory are the changes of one device's memory.
type deviceMemory struct {
	held    []trace.MemoryChange
	sizes   map[int64]int64 // of what is allocated, by address: a row that frees may have none
	leftOut int             // changes beyond those that are kept, or of unknown size
}

// The operations of memoryTable.
const (
	memoryAllocated = 0
	memoryFreed     = 1
)

// isDeviceMemory reports whether memory of a kind (ENUM_CUDA_MEM_KIND) takes room on the device:
// device, array, managed, and the static ones.
func isDeviceMemory(kind int64) bool { return kind >= 2 && kind <= 6 }

// readMemory reads what the driver gave and took back.
func (r *reader) readMemory(ctx context.Context) error {
	r.memory = make(map[memoryPlace]*deviceMemory)
	cols := table.Ints("start", "globalPid", "deviceId", "memKind", "memoryOperationType", "bytes", "address")
	err := r.src.Scan(ctx, memoryTable, cols, func(b *table.Batch) error {
		c := b.Cols
		for i := range b.N {
			at, op := c[0][i], c[4][i]
			if isDeviceMemory(c[3][i]) && at > -maxTime && at < maxTime && (op == memoryAllocated || op == memoryFreed) && c[2][i] >= 0 {
				r.memoryOf(memoryPlace{uint64(c[1][i]) &^ threadBits, c[2][i]}).change(at, op == memoryAllocated, c[5][i], c[6][i])
			}
		}
		return nil
	})
	if err != nil {
		r.memory = nil // a part of it would be taken for all
	}
	return err
}

// memoryOf is the memory of a place, of no place where the file has too many.
func (r *reader) memoryOf(at memoryPlace) *deviceMemory {
	m := r.memory[at]
	if m == nil {
		m = &deviceMemory{sizes: make(map[int64]int64)}
		if len(r.memory) < maxPlaces {
			r.memory[at] = m
		}
	}
	return m
}

func (m *deviceMemory) change(at int64, taken bool, bytes, address int64) {
	if !taken && bytes <= 0 {
		bytes = m.sizes[address]
	}
	if bytes <= 0 || len(m.held) == trace.MaxMemoryChanges {
		m.leftOut++
		return
	}
	x := trace.MemoryChange{At: at, Reserved: bytes, Taken: taken}
	if taken {
		m.sizes[address] = bytes
	} else {
		x.Reserved = -bytes
		delete(m.sizes, address)
	}
	m.held = append(m.held, x)
}

// addMemory gives a trace of a process the memory of its device, if anything is known of it.
func (r *reader) addMemory(t *trace.Trace, p *process, ordinal int64) {
	m := r.memory[memoryPlace{p.id, ordinal}]
	if m == nil {
		return
	}
	if m.leftOut > 0 {
		t.Lose(trace.MemoryUse, fmt.Sprintf("all allocations of device memory: %d of %d were left out, beyond %d or of unknown size (record a shorter capture)",
			m.leftOut, m.leftOut+len(m.held), trace.MaxMemoryChanges))
		return
	}
	t.Memory = &trace.HeldMemory{Source: driverSums, Reserved: true, Changes: m.held}
	t.Memory.Sort()
	t.Memory.Sum()
	t.Recorded |= trace.HasMemory
}
