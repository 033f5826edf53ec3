package picture

import (
	"math/bits"
	"sync"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
)

// There are at most maxBins bins. The length of a bin is a power of two times smallestBin.
const (
	maxBins     = 2048
	smallestBin = 1 << 16 // ns
)

// ActivityBins adds up how much of each bin of [lo, hi) the device's work covers. The last bin
// ends at hi or later; the time after hi counts as idle.
type ActivityBins struct {
	start, end, bin              int64
	busy, compute, comm, overlap *binCoverage
	backing                      *[4 * maxBins]int64 // theirs
	room                         interval.Set
}

// NewActivityBins makes the bins of [lo, hi), none of which is covered yet.
func NewActivityBins(lo, hi int64) *ActivityBins {
	c := &ActivityBins{start: lo, end: hi, bin: smallestBin}
	for hi > lo && (hi-lo+c.bin-1)/c.bin > maxBins {
		c.bin *= 2
	}
	n := 0
	if hi > lo {
		n = int((hi - lo + c.bin - 1) / c.bin)
	}
	c.backing = binPool.Get().(*[4 * maxBins]int64)
	clear(c.backing[:4*n])
	of := func(i int) *binCoverage { return newBinCoverage(lo, hi, c.bin, c.backing[i*n:(i+1)*n:(i+1)*n]) }
	c.busy, c.compute, c.comm, c.overlap = of(0), of(1), of(2), of(3)
	return c
}

// binPool has the memory of bins that are not in use: a job has hundreds of ranks.
var binPool = sync.Pool{New: func() any { return new([4 * maxBins]int64) }}

// Add adds the sets of what is done in [from, to). No time may be added twice.
func (c *ActivityBins) Add(from, to int64, busy, compute, comm, overlap interval.Set) {
	if from, to = max(from, c.start), min(to, c.end); to <= from {
		return
	}
	c.busy.addAll(busy.Within(&c.room, from, to))
	c.compute.addAll(compute.Within(&c.room, from, to))
	c.comm.addAll(comm.Within(&c.room, from, to))
	c.overlap.addAll(overlap.Within(&c.room, from, to))
}

// Empty reports whether there is nothing to show.
func (c *ActivityBins) Empty() bool { return c.end <= c.start }

// Shares returns the share of each bin that is covered.
func (c *ActivityBins) Shares() run.Activity {
	return run.Activity{Start: c.start, Bin: c.bin, Busy: c.busy.shares(), Compute: c.compute.shares(),
		Comm: c.comm.shares(), Overlap: c.overlap.shares()}
}

// Free gives the memory of the bins back. They must not be used afterwards.
func (c *ActivityBins) Free() {
	binPool.Put(c.backing)
	*c = ActivityBins{}
}

// NewSums makes sums over the same bins, all 0.
func (c *ActivityBins) NewSums() *BinSums {
	return &BinSums{lo: c.start, bin: c.bin, n: len(c.busy.ns)}
}

// binCoverage holds how many ns of each bin of [lo, hi) are covered. The length of a bin is a power of two, so that an
// interval, of which a rank has millions, finds its bin by a shift.
type binCoverage struct {
	lo, hi, bin int64
	shift       int
	ns          []int64
}

func newBinCoverage(lo, hi, bin int64, of []int64) *binCoverage {
	return &binCoverage{lo, hi, bin, bits.TrailingZeros64(uint64(bin)), of}
}

// add covers an interval, of which nothing was covered.
func (c *binCoverage) add(start, end int64) {
	start, end = max(start, c.lo)-c.lo, min(end, c.hi)-c.lo
	for b := start >> c.shift; b < int64(len(c.ns)) && b<<c.shift < end; b++ {
		c.ns[b] += min(end, (b+1)<<c.shift) - max(start, b<<c.shift)
	}
}

// addAll covers a set that does not overlap what is covered already. Nearly every interval lies in the same bin as the
// one before.
func (c *binCoverage) addAll(s interval.Set) {
	var sum, from, to int64
	bin := int64(0)
	for _, iv := range s {
		if from <= iv.Start && iv.End <= to {
			sum += iv.End - iv.Start
			continue
		}
		if sum > 0 {
			c.ns[bin] += sum
			sum = 0
		}
		c.add(iv.Start, iv.End)
		if bin = (iv.End - 1 - c.lo) >> c.shift; iv.End > c.lo && bin < int64(len(c.ns)) {
			from, to = c.lo+bin<<c.shift, min(c.hi, c.lo+(bin+1)<<c.shift)
		} else {
			from, to = 0, 0
		}
	}
	if sum > 0 {
		c.ns[bin] += sum
	}
}

// shares returns the covered share of each bin, in half percents.
func (c *binCoverage) shares() []uint8 {
	out := make([]uint8, len(c.ns))
	for i, ns := range c.ns {
		out[i] = uint8((ns*200 + c.bin/2) / c.bin)
	}
	return out
}

// BinSums holds amounts by bin, such as bytes that are read, each spread over the time that it takes.
type BinSums struct {
	lo, bin int64
	n       int
	sums    []float64
}

// Add spreads an amount evenly over [start, end). What lies outside of the bins is left out.
func (a *BinSums) Add(start, end int64, amount float64) {
	if a.sums == nil {
		a.sums = make([]float64, a.n)
	}
	if end < a.lo {
		return
	}
	first, last := max(0, (start-a.lo)/a.bin), min(int64(a.n)-1, (max(start, end-1)-a.lo)/a.bin)
	for b := first; b <= last; b++ {
		a.sums[b] += float64(interval.Share(start, end, a.lo+b*a.bin, a.lo+(b+1)*a.bin) * amount)
	}
}

// Float32s returns the sums by bin; nil if nothing was added.
func (a *BinSums) Float32s() []float32 {
	if a.sums == nil {
		return nil
	}
	out := make([]float32, a.n)
	for i, v := range a.sums {
		out[i] = float32(v)
	}
	return out
}
