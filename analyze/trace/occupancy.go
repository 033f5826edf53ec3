package trace

// SM holds the limits of one streaming multiprocessor and how many the GPU has. The zero value is not known.
type SM struct {
	Count     int64 // of the GPU
	Warps     int64 // resident at once, of 32 threads
	Blocks    int64 // resident at once
	Registers int64 // of 32 bits
	Shared    int64 // bytes of shared memory
	Major     int64 // compute capability
}

const (
	warpThreads    = 32
	registerUnit   = 256 // registers are given to a warp in units of this
	partitions     = 4   // each with a quarter of the registers
	reservedShared = 1 << 10
	maxBlockSize   = 1 << 10
	enough         = 1 << 40 // blocks of a grid, bytes of shared memory: more makes no difference
)

// Occupancy returns the share of an SM's threads that a launch can keep resident, in
// whole percent: as many blocks as threads, blocks, registers and shared memory of
// an SM admit, and no more than the grid has for each. 0 is not known.
//
// Source: the occupancy calculation of the CUDA toolkit (cuda_occupancy.h), with the
// grid's bound and the rounding of the PyTorch profiler's "est. achieved
// occupancy %" (single precision), so that both formats say the same.
func (m SM) Occupancy(s Shape) int32 {
	threads := volume(s.Block, maxBlockSize)
	if !s.Known() || threads == 0 || threads > maxBlockSize || m.Count <= 0 || m.Warps <= 0 || m.Blocks <= 0 {
		return 0
	}
	warps := (threads + warpThreads - 1) / warpThreads
	blocks := min(m.Blocks, m.Warps/warps)
	if s.Registers > 0 && m.Registers > 0 {
		each := up(min(int64(s.Registers), m.Registers)*warpThreads, registerUnit)
		blocks = min(blocks, m.Registers/partitions/each*partitions/warps)
	}
	shared, unit := max(s.Shared, 0), int64(256)
	if m.Major >= 8 {
		shared, unit = min(shared, enough)+reservedShared, 128
	}
	if shared = up(min(shared, enough), unit); shared > 0 && m.Shared > 0 {
		blocks = min(blocks, m.Shared/shared)
	}
	resident := min(float32(blocks), float32(volume(s.Grid, enough))/float32(m.Count))
	share := float32(resident*float32(threads)) / float32(m.Warps*warpThreads)
	return int32(float64(100*float64(share)) + 0.5)
}

// up rounds n up to a multiple of unit.
func up(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// volume returns the product of the dimensions, at most limit + 1; 0 where one is none.
func volume(v [3]int32, limit int64) int64 {
	n := int64(1)
	for _, d := range v {
		switch {
		case d <= 0:
			return 0
		case n > limit/int64(d):
			n = limit + 1
		default:
			n *= int64(d)
		}
	}
	return n
}
