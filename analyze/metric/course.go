package metric

import (
	"cmp"
	"math/bits"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A course has at most maxBins bins, each a power of two of smallestBin long.
const (
	maxBins     = 2048
	smallestBin = 1 << 16 // ns
)

// Course is the time course of [lo, hi): the share of each bin that is busy.
// The last bin ends at or behind hi; what lies behind hi is idle in it.
func (r *Rank) Course(lo, hi int64) run.Course {
	if hi <= lo || r.lacks(deviceWork|trace.Kinds) {
		return run.Course{}
	}
	bin := int64(smallestBin)
	for (hi-lo+bin-1)/bin > maxBins {
		bin *= 2
	}
	n := int((hi - lo + bin - 1) / bin)
	comm, compute := r.Comm.Touching(lo, hi), r.Compute.Touching(lo, hi)
	of := func(s interval.Set) []uint8 {
		x := newShares(lo, hi, bin, n)
		for _, iv := range s {
			x.add(iv.Start, iv.End)
		}
		return x.shares()
	}
	both := newShares(lo, hi, bin, n)
	interval.EachCommon(comm, compute, both.add)
	c := run.Course{
		Start: lo, Bin: bin,
		Busy:    of(r.Busy.Touching(lo, hi)),
		Compute: of(compute),
		Comm:    of(comm),
		Overlap: both.shares(),
	}
	switch c.ReadSource = fileSource(r); c.ReadSource {
	case sourceStorage:
		c.Read, c.Write = r.countedPerBin(trace.StorageRead, lo, bin, n), r.countedPerBin(trace.StorageWrite, lo, bin, n)
	case sourceFiles:
		c.Read, c.Write = r.bytesPerBin(trace.OpRead, lo, bin, n), r.bytesPerBin(trace.OpWrite, lo, bin, n)
	}
	if r.Trace.Recorded.Has(trace.HasNetwork) {
		c.Receive, c.Send = r.countedPerBin(trace.NetReceive, lo, bin, n), r.countedPerBin(trace.NetSend, lo, bin, n)
		c.NetSource = cmp.Or(tableOf(r, trace.NetReceive), tableOf(r, trace.NetSend))
	}
	return c
}

// covered is how much of each bin of [lo, hi) is covered, in ns. A bin is a power of two
// long, since a rank has millions of intervals.
type covered struct {
	lo, hi, bin int64
	shift       int
	of          []int64
}

func newShares(lo, hi, bin int64, n int) *covered {
	return &covered{lo, hi, bin, bits.TrailingZeros64(uint64(bin)), make([]int64, n)}
}

// add covers an interval that was not covered.
func (c *covered) add(start, end int64) {
	start, end = max(start, c.lo)-c.lo, min(end, c.hi)-c.lo
	for b := start >> c.shift; b < int64(len(c.of)) && b<<c.shift < end; b++ {
		c.of[b] += min(end, (b+1)<<c.shift) - max(start, b<<c.shift)
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
