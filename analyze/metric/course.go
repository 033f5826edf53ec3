package metric

import (
	"cmp"
	"math/bits"
	"sync"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A course has at most maxBins bins, each a power of two of smallestBin long.
const (
	maxBins     = 2048
	smallestBin = 1 << 16 // ns
)

// Show says that the time course shows [lo, hi), before steps are measured.
func (r *Rank) Show(lo, hi int64) { r.covered.course = newCovering(lo, hi) }

// Course is the time course that Show asked for, once steps were measured: the share of
// each bin that is busy. The last bin ends at or behind hi; what lies behind hi is idle in it.
// It is asked for once.
func (r *Rank) Course() run.Course {
	out := r.covered.course.course(r)
	binPool.Put(r.covered.course.bins)
	r.covered.course = nil
	return out
}

// covering adds up how much of each bin of [lo, hi) the device's work covers.
type covering struct {
	lo, hi, bin                  int64
	busy, compute, comm, overlap *covered
	bins                         *[4 * maxBins]int64 // theirs
	room                         interval.Set
}

func newCovering(lo, hi int64) *covering {
	c := &covering{lo: lo, hi: hi, bin: smallestBin}
	for hi > lo && (hi-lo+c.bin-1)/c.bin > maxBins {
		c.bin *= 2
	}
	n := 0
	if hi > lo {
		n = int((hi - lo + c.bin - 1) / c.bin)
	}
	c.bins = binPool.Get().(*[4 * maxBins]int64)
	clear(c.bins[:4*n])
	of := func(i int) *covered { return newCovered(lo, hi, c.bin, c.bins[i*n:(i+1)*n:(i+1)*n]) }
	c.busy, c.compute, c.comm, c.overlap = of(0), of(1), of(2), of(3)
	return c
}

// binPool are rooms for bins: a job has hundreds of ranks.
var binPool = sync.Pool{New: func() any { return new([4 * maxBins]int64) }}

// add covers what is done in [from, to), a part of the course.
func (c *covering) add(r *Rank, from, to int64) {
	if from, to = max(from, c.lo), min(to, c.hi); to <= from {
		return
	}
	c.busy.addAll(within(r.Busy, &c.room, from, to))
	c.compute.addAll(within(r.Compute, &c.room, from, to))
	c.comm.addAll(within(r.Comm, &c.room, from, to))
	c.overlap.addAll(within(r.Hidden, &c.room, from, to))
}

// course is what was covered, with what was read and written meanwhile.
func (c *covering) course(r *Rank) run.Course {
	if c.hi <= c.lo || r.lacks(deviceWork|trace.Kinds) {
		return run.Course{}
	}
	n := len(c.busy.of)
	out := run.Course{Start: c.lo, Bin: c.bin, Busy: c.busy.shares(), Compute: c.compute.shares(),
		Comm: c.comm.shares(), Overlap: c.overlap.shares()}
	switch out.ReadSource = fileSource(r); out.ReadSource {
	case sourceStorage:
		out.Read, out.Write = r.countedPerBin(trace.StorageRead, c.lo, c.bin, n), r.countedPerBin(trace.StorageWrite, c.lo, c.bin, n)
	case sourceFiles:
		out.Read, out.Write = r.bytesPerBin(trace.OpRead, c.lo, c.bin, n), r.bytesPerBin(trace.OpWrite, c.lo, c.bin, n)
	}
	if r.Trace.Recorded.Has(trace.HasNetwork) {
		out.Receive, out.Send = r.countedPerBin(trace.NetReceive, c.lo, c.bin, n), r.countedPerBin(trace.NetSend, c.lo, c.bin, n)
		out.NetSource = cmp.Or(tableOf(r, trace.NetReceive), tableOf(r, trace.NetSend))
	}
	return out
}

// covered is how much of each bin of [lo, hi) is covered, in ns. A bin is a power of two
// long, since a rank has millions of intervals.
type covered struct {
	lo, hi, bin int64
	shift       int
	of          []int64
}

func newCovered(lo, hi, bin int64, of []int64) *covered {
	return &covered{lo, hi, bin, bits.TrailingZeros64(uint64(bin)), of}
}

// add covers an interval that was not covered.
func (c *covered) add(start, end int64) {
	start, end = max(start, c.lo)-c.lo, min(end, c.hi)-c.lo
	for b := start >> c.shift; b < int64(len(c.of)) && b<<c.shift < end; b++ {
		c.of[b] += min(end, (b+1)<<c.shift) - max(start, b<<c.shift)
	}
}

// addAll covers a set that was not covered. Nearly all of its intervals lie in the bin of
// the one before.
func (c *covered) addAll(s interval.Set) {
	var sum, from, to int64
	bin := int64(0)
	for _, iv := range s {
		if from <= iv.Start && iv.End <= to {
			sum += iv.End - iv.Start
			continue
		}
		if sum > 0 {
			c.of[bin] += sum
			sum = 0
		}
		c.add(iv.Start, iv.End)
		if bin = (iv.End - 1 - c.lo) >> c.shift; iv.End > c.lo && bin < int64(len(c.of)) {
			from, to = c.lo+bin<<c.shift, min(c.hi, c.lo+(bin+1)<<c.shift)
		} else {
			from, to = 0, 0
		}
	}
	if sum > 0 {
		c.of[bin] += sum
	}
}

// shares is the share of each bin that is covered, in half percents.
func (c *covered) shares() []uint8 {
	out := make([]uint8, len(c.of))
	for i, ns := range c.of {
		out[i] = uint8((ns*200 + c.bin/2) / c.bin)
	}
	return out
}

// bytesPerBin are the bytes of accesses, spread over the bins that they touch;
// nil if there are none.
func (r *Rank) bytesPerBin(op trace.Op, lo, bin int64, n int) []float32 {
	p := perBin{lo: lo, bin: bin, n: n}
	for _, a := range r.touching(lo, lo+int64(n)*bin) {
		if a.Op == op && a.Bytes > 0 {
			p.add(a.Start, a.End, float64(a.Bytes))
		}
	}
	return p.singles()
}

// countedPerBin are the bytes of all counters of a kind.
func (r *Rank) countedPerBin(kind trace.CounterKind, lo, bin int64, n int) []float32 {
	p := perBin{lo: lo, bin: bin, n: n}
	for _, c := range r.Trace.Counters {
		if c.Kind == kind {
			for _, s := range reaching(c.Samples, lo, lo+int64(n)*bin) {
				p.add(s.Start, s.End, s.Value)
			}
		}
	}
	return p.singles()
}

// perBin spreads amounts over n bins from lo on.
type perBin struct {
	lo, bin int64
	n       int
	sums    []float64
}

func (p *perBin) add(start, end int64, amount float64) {
	if p.sums == nil {
		p.sums = make([]float64, p.n)
	}
	if end < p.lo {
		return
	}
	first, last := max(0, (start-p.lo)/p.bin), min(int64(p.n)-1, (max(start, end-1)-p.lo)/p.bin)
	for b := first; b <= last; b++ {
		p.sums[b] += float64(share(start, end, p.lo+b*p.bin, p.lo+(b+1)*p.bin) * amount)
	}
}

func (p *perBin) singles() []float32 {
	if p.sums == nil {
		return nil
	}
	out := make([]float32, p.n)
	for i, v := range p.sums {
		out[i] = float32(v)
	}
	return out
}
