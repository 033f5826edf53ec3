package metric

import (
	"cmp"

	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// StartActivity asks for the activity over time of [lo, hi), in ns of the device's clock. It is
// called before steps are measured.
func (r *Rank) StartActivity(lo, hi int64) { r.covered.activity = picture.NewActivityBins(lo, hi) }

// Activity returns what StartActivity asked for, once steps were measured: for each bin the share in which the device
// is busy, and the bytes read and written. It can be called once.
func (r *Rank) Activity() run.Activity {
	c := r.covered.activity
	r.covered.activity = nil
	defer c.Free()
	if c.Empty() || r.lacks(deviceWork|trace.Kinds) {
		return run.Activity{}
	}
	out := c.Shares()
	lo, hi := out.Start, out.Start+int64(len(out.Busy))*out.Bin
	if r.Trace.Recorded.Has(trace.HasStorage) {
		out.NodeRead, out.NodeWrite = r.counterBytes(c, trace.StorageRead, lo, hi), r.counterBytes(c, trace.StorageWrite, lo, hi)
	}
	if r.Trace.Recorded.Has(trace.HasFileBytes) {
		out.Read, out.Write, out.ReadSource = r.accessBytes(c, trace.OpRead, lo, hi), r.accessBytes(c, trace.OpWrite, lo, hi), run.SourceFiles
	}
	if r.Trace.Recorded.Has(trace.HasNetwork) {
		out.Receive, out.Send = r.counterBytes(c, trace.NetReceive, lo, hi), r.counterBytes(c, trace.NetSend, lo, hi)
		out.NetSource = cmp.Or(tableOf(r, trace.NetReceive), tableOf(r, trace.NetSend))
	}
	return out
}

// accessBytes returns the bytes of file accesses by bin, each spread over the time that it takes;
// nil if there are none.
func (r *Rank) accessBytes(c *picture.ActivityBins, op trace.Op, lo, hi int64) []float32 {
	sums := c.NewSums()
	for _, a := range r.touching(lo, hi) {
		if a.Op == op && a.Bytes > 0 {
			sums.Add(a.Start, a.End, float64(a.Bytes))
		}
	}
	return sums.Float32s()
}

// counterBytes returns the bytes of all counters of a kind by bin.
func (r *Rank) counterBytes(c *picture.ActivityBins, kind trace.CounterKind, lo, hi int64) []float32 {
	sums := c.NewSums()
	for _, c := range r.Trace.Counters {
		if c.Kind == kind {
			for _, s := range samplesTouching(c.Samples, lo, hi) {
				sums.Add(s.Start, s.End, s.Value)
			}
		}
	}
	return sums.Float32s()
}
