package nsys

import (
	"context"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
)

// memoryTable holds the allocations that the driver made for a program.
const memoryTable = "CUDA_GPU_MEMORY_USAGE_EVENTS"

// memoryPlace is a device of a process.
type memoryPlace struct {
	process uint64
	device  int64
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
func (r *sampler) readMemory(ctx context.Context) error {
	r.memory = make(build.Memories[memoryPlace])
	cols := table.Ints("start", "globalPid", "deviceId", "memKind", "memoryOperationType", "bytes", "address")
	err := r.src.Scan(ctx, memoryTable, cols, func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			at, op := c[0][i], c[4][i]
			if isDeviceMemory(c[3][i]) && at > -build.MaxTime && at < build.MaxTime && (op == memoryAllocated || op == memoryFreed) && c[2][i] >= 0 {
				r.memory.Of(memoryPlace{uint64(c[1][i]) &^ threadBits, c[2][i]}).Driver(r.fits, at, op == memoryAllocated, c[5][i], c[6][i])
			}
		}
	})
	if err != nil {
		r.memory = nil // a part of it would be taken for all
	}
	return err
}
