package metric

import (
	"cmp"

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
	c := newCovering(lo, hi)
	c.add(r, lo, hi)
	return c.course(r)
}

// covering adds up how much of each bin of [lo, hi) the device's work covers.
type covering struct {
	lo, hi, bin                  int64
	busy, compute, comm, overlap []int64 // ns, by bin
}

func newCovering(lo, hi int64) *covering {
	c := &covering{lo: lo, hi: hi, bin: smallestBin}
	if hi <= lo {
		return c
	}
	for (hi-lo+c.bin-1)/c.bin > maxBins {
		c.bin *= 2
	}
	n := (hi - lo + c.bin - 1) / c.bin
	c.busy, c.compute, c.comm, c.overlap = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	return c
}

// add covers what is done in [from, to), a part of the course.
func (c *covering) add(r *Rank, from, to int64) {
	from, to = max(from, c.lo), min(to, c.hi)
	comm, compute := r.Comm.Touching(from, to), r.Compute.Touching(from, to)
	c.cover(c.busy, r.Busy.Touching(from, to), from, to)
	c.cover(c.compute, compute, from, to)
	c.cover(c.comm, comm, from, to)
	c.cover(c.overlap, interval.Intersect(nil, comm, compute), from, to)
}

func (c *covering) cover(covered []int64, s interval.Set, from, to int64) {
	for _, iv := range s {
		start, end := max(iv.Start, from), min(iv.End, to)
		for b := (start - c.lo) / c.bin; b < int64(len(covered)) && c.lo+b*c.bin < end; b++ {
			covered[b] += min(end, c.lo+(b+1)*c.bin) - max(start, c.lo+b*c.bin)
		}
	}
}

// course is what was covered, with what was read and written meanwhile.
func (c *covering) course(r *Rank) run.Course {
	if c.hi <= c.lo {
		return run.Course{}
	}
	n := len(c.busy)
	out := run.Course{Start: c.lo, Bin: c.bin, Busy: c.shares(c.busy), Compute: c.shares(c.compute),
		Comm: c.shares(c.comm), Overlap: c.shares(c.overlap)}
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

// shares is the share of each bin that is covered, in half percents.
func (c *covering) shares(covered []int64) []uint8 {
	out := make([]uint8, len(covered))
	for i, ns := range covered {
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
