package nsys

import (
	"cmp"
	"context"
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// overheadTable holds what the profiler did in the threads of the program:
// flushing its buffers, preparing kernels, initializing.
const overheadTable = "PROFILER_OVERHEAD"

// readOverhead remembers it by process.
func (r *reader) readOverhead(ctx context.Context) error {
	rows, err := table.Small(ctx, r.src, overheadTable, "start", "end", "globalTid")
	for _, row := range rows {
		start, end := row.Num(0), row.Num(1)
		if p := r.procs.byID[uint64(row.Num(2))&^threadBits]; p != nil && end > start {
			p.overhead = append(p.overhead, trace.Interval{Start: start, End: end})
		}
	}
	return r.spare(ctx, err)
}

// overheadShares are the classes of a capture by the share of time in which the
// profiler held a thread up. The number itself would differ in any two captures and
// say nothing.
var overheadShares = []struct {
	over float64
	text string
}{{0.10, "over 10 %"}, {0.02, "2 to 10 %"}, {0, "under 2 %"}}

// overheadOf returns the class of d's process between the first device work and the last;
// "" where the profiler recorded none at all.
func (p *process) overheadOf(d *device) string {
	if len(p.overhead) == 0 || len(d.spans) == 0 {
		return ""
	}
	first, last := d.spans[0].Start, d.spans[0].End
	for _, s := range d.spans {
		first, last = min(first, s.Start), max(last, s.End)
	}
	slices.SortFunc(p.overhead, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
	total, done := int64(0), first
	for _, x := range p.overhead {
		if start, end := max(x.Start, done), min(x.End, last); end > start {
			total, done = total+end-start, end
		}
	}
	for _, c := range overheadShares {
		if float64(total) >= float64(c.over*float64(last-first)) {
			return c.text
		}
	}
	return ""
}
