package metric

import (
	"cmp"

	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Show says that the time course shows [lo, hi), before steps are measured.
func (r *Rank) Show(lo, hi int64) { r.covered.course = picture.NewCourse(lo, hi) }

// Course is the time course that Show asked for, once steps were measured: the share of
// each bin that is busy, with what was read and written meanwhile. It is asked for once.
func (r *Rank) Course() run.Course {
	c := r.covered.course
	r.covered.course = nil
	defer c.Free()
	if c.Empty() || r.lacks(deviceWork|trace.Kinds) {
		return run.Course{}
	}
	out := c.Shares()
	lo, hi := out.Start, out.Start+int64(len(out.Busy))*out.Bin
	switch out.ReadSource = fileSource(r); out.ReadSource {
	case sourceStorage:
		out.Read, out.Write = r.counted(c, trace.StorageRead, lo, hi), r.counted(c, trace.StorageWrite, lo, hi)
	case sourceFiles:
		out.Read, out.Write = r.accessed(c, trace.OpRead, lo, hi), r.accessed(c, trace.OpWrite, lo, hi)
	}
	if r.Trace.Recorded.Has(trace.HasNetwork) {
		out.Receive, out.Send = r.counted(c, trace.NetReceive, lo, hi), r.counted(c, trace.NetSend, lo, hi)
		out.NetSource = cmp.Or(tableOf(r, trace.NetReceive), tableOf(r, trace.NetSend))
	}
	return out
}

// accessed are the bytes of accesses in [lo, hi), spread over the bins that they touch;
// nil if there are none.
func (r *Rank) accessed(c *picture.Course, op trace.Op, lo, hi int64) []float32 {
	sums := c.Amounts()
	for _, a := range r.touching(lo, hi) {
		if a.Op == op && a.Bytes > 0 {
			sums.Add(a.Start, a.End, float64(a.Bytes))
		}
	}
	return sums.Singles()
}

// counted are the bytes of all counters of a kind.
func (r *Rank) counted(c *picture.Course, kind trace.CounterKind, lo, hi int64) []float32 {
	sums := c.Amounts()
	for _, c := range r.Trace.Counters {
		if c.Kind == kind {
			for _, s := range reaching(c.Samples, lo, hi) {
				sums.Add(s.Start, s.End, s.Value)
			}
		}
	}
	return sums.Singles()
}
