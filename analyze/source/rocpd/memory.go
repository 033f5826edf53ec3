package rocpd

import (
	"context"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// memoryTable holds the allocations that the driver made for a program (--memory-allocation-trace,
// which --runtime-trace includes).
const memoryTable = "rocpd_memory_allocate"

// The words in memoryTable for what was done, and with what.
const (
	memoryOther = iota
	memoryTaken
	memoryFreed
	memoryReal // neither addresses alone nor what kernels have for a while
)

func memoryWord(s string) int64 {
	switch s {
	case "ALLOC":
		return memoryTaken
	case "FREE":
		return memoryFreed
	case "REAL":
		return memoryReal
	}
	return memoryOther
}

// memoryPlace is a place with memory: an agent of a process.
type memoryPlace struct {
	*process
	agent int64
}

// memoryAddress is the address of an allocation.
type memoryAddress struct {
	*process
	address int64
}

// readMemory reads what was given and taken back of the memory of GPUs. What is freed is known by
// its address: rows that free have no size, and some no agent.
func (r *reader) readMemory(ctx context.Context) error {
	const allocationBytes = 32 + 48 // a change, and its address
	if err := build.Fit(ctx, r.room, allocationBytes*r.src.Rows(ctx, memoryTable+r.suffix)); err != nil {
		return err
	}
	r.memory = make(build.Memories[memoryPlace])
	home := make(map[memoryAddress]int64) // the agent of what is taken
	cols := append(columnsOf("address", "size"), table.Column{Name: "type", Text: memoryWord}, table.Column{Name: "level", Text: memoryWord})
	return r.scan(ctx, memoryTable, cols, func(b *table.Batch) {
		for i := range b.N {
			address, size := b.Cols[ownColumns][i], b.Cols[ownColumns+1][i]
			does, level := b.Cols[ownColumns+2][i], b.Cols[ownColumns+3][i]
			x, ok := r.row(b.Cols, i, trace.MemoryUse)
			if !ok || level != memoryReal || does != memoryTaken && does != memoryFreed {
				continue
			}
			p := r.process(x.pid)
			at := memoryAddress{p, address}
			if does == memoryTaken {
				home[at] = x.agent
			} else if agent, known := home[at]; known {
				x.agent = agent
				delete(home, at)
			} else {
				continue // it was there before the capture
			}
			if r.agents[x.agent].gpu {
				r.memory.Of(memoryPlace{p, x.agent}).Driver(r.room, x.end, does == memoryTaken, max(0, size), address)
			}
		}
	})
}
