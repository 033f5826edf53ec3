package metric

import (
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
	if hi <= lo {
		return run.Course{}
	}
	bin := int64(smallestBin)
	for (hi-lo+bin-1)/bin > maxBins {
		bin *= 2
	}
	n := int((hi - lo + bin - 1) / bin)
	clip := func(s interval.Set) interval.Set { return s.Clip(nil, lo, hi) }
	comm, compute := clip(r.Comm), clip(r.Compute)
	c := run.Course{
		Start: lo, Bin: bin,
		Busy:    shares(clip(r.Busy), lo, bin, n),
		Compute: shares(compute, lo, bin, n),
		Comm:    shares(comm, lo, bin, n),
		Overlap: shares(interval.Intersect(nil, comm, compute), lo, bin, n),
	}
	if c.ReadSource = readSource(r); c.ReadSource == sourceFiles {
		c.Read = bytesPerBin(r.Trace.Access, lo, bin, n)
	} else {
		c.ReadSource = ""
	}
	return c
}

// shares is the covered share of each bin in half percents.
func shares(s interval.Set, lo, bin int64, n int) []uint8 {
	covered := make([]int64, n)
	for _, iv := range s {
		for b := (iv.Start - lo) / bin; b < int64(n) && lo+b*bin < iv.End; b++ {
			covered[b] += min(iv.End, lo+(b+1)*bin) - max(iv.Start, lo+b*bin)
		}
	}
	out := make([]uint8, n)
	for i, c := range covered {
		out[i] = uint8((c*200 + bin/2) / bin)
	}
	return out
}

// bytesPerBin spreads the bytes of reads evenly over the time they took.
func bytesPerBin(reads []trace.FileAccess, lo, bin int64, n int) []float32 {
	sums := make([]float64, n)
	hi := lo + int64(n)*bin
	for _, a := range touching(reads, lo, hi) {
		if a.Op != trace.OpRead || a.Bytes == 0 || a.End < lo {
			continue
		}
		first, last := max(0, (a.Start-lo)/bin), min(int64(n)-1, (max(a.Start, a.End-1)-lo)/bin)
		for b := first; b <= last; b++ {
			sums[b] += share(a.Start, a.End, lo+b*bin, lo+(b+1)*bin) * float64(a.Bytes)
		}
	}
	out := make([]float32, n)
	for i, v := range sums {
		out[i] = float32(v)
	}
	return out
}

// GapHistogram counts the gaps of the kept steps by length.
func (r *Rank) GapHistogram(steps []trace.Step) run.Histogram {
	var h run.Histogram
	var busy, gaps interval.Set
	for _, st := range steps {
		if st.Dropped != "" || st.End == trace.NoTime || st.End <= st.Start {
			continue
		}
		busy = r.Busy.Clip(busy[:0], st.Start, st.End)
		gaps = busy.Gaps(gaps[:0], st.Start, st.End)
		for _, g := range gaps {
			h.Counts[run.Bin(g.End-g.Start)]++
			h.Total += g.End - g.Start
		}
	}
	return h
}
