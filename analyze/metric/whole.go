package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// WholeCapture returns what the rank did in its whole capture, in steps or not. The steps must have been measured.
func (r *Rank) WholeCapture() *run.WholeCapture {
	t := r.Trace
	if len(t.Timed) > 0 {
		return &run.WholeCapture{Stats: run.TopStatsAndOthers(timedStats(t))}
	}
	if r.host == nil {
		r.Stats(nil)
	}
	if r.lacks(deviceWork | trace.Kinds) { // a part of what the device did says nothing of all
		w := &run.WholeCapture{Stats: r.host.captureStats()}
		host := r.host.extent()
		w.Host = host.End - host.Start
		return w
	}
	w := &run.WholeCapture{Stats: run.TopStatsAndOthers(append(r.device.stats(r), r.host.captureStats()...))}
	device, host := r.extent, r.host.extent()
	w.Device, w.Host = device.End-device.Start, host.End-host.Start
	if len(t.Device) > 0 {
		r.covered.put(w)
		w.Launches = r.device.launches
		host = device
	}
	r.putSampled(w, host)
	return w
}

// timedStats returns the collectives of a log by name.
func timedStats(t *trace.Trace) (out []run.Stat) {
	bytes, times := make(map[trace.NameID]int64), make(map[trace.NameID]*run.Durations)
	var names []trace.NameID // in the order of the log
	for _, x := range t.Timed {
		if times[x.Name] == nil {
			times[x.Name] = new(run.Durations)
			names = append(names, x.Name)
		}
		times[x.Name].Add(x.Duration)
		bytes[x.Name] += x.Bytes
	}
	for _, name := range names {
		s := times[name].StatWithQuartiles(run.CollectiveTable, t.Names.Text(name))
		s.Bytes = bytes[name]
		out = append(out, s)
	}
	return out
}

// extent returns the time from the first to the last activity of the host.
func (h *hostSums) extent() trace.Interval {
	out := h.spread
	for _, c := range []*callSums{&h.api, &h.os} {
		if c.any {
			out.Start, out.End = min(out.Start, c.from), max(out.End, c.to)
		}
	}
	if out.End < out.Start {
		return trace.Interval{}
	}
	return out
}

// spreadOf returns the time from the first to the last range, operator or access to a file; where there is none, it
// ends before it starts. What never ended, such as a range cut by the end of the capture, counts with its start.
func spreadOf(t *trace.Trace) trace.Interval {
	out := trace.Interval{Start: math.MaxInt64, End: math.MinInt64}
	for _, list := range [][]trace.Range{t.Ranges, t.Ops} {
		for i := range list {
			out.Start, out.End = min(out.Start, list[i].Start), max(out.End, list[i].Start, list[i].End)
		}
	}
	for i := range t.Access {
		out.Start, out.End = min(out.Start, t.Access[i].Start), max(out.End, t.Access[i].Start, t.Access[i].End)
	}
	return out
}

// deviceSums adds up what the device did in the whole capture, apart from kernels by name: communication by
// collective, copies and sets, and when work was launched.
type deviceSums struct {
	collectives *nameGroups
	bytes       []int64 // of messages, by collective
	copies      copySums
	launches    [run.LaunchBins]int64 // of kernels and replays
}

// communicate counts a communication kernel.
func (d *deviceSums) communicate(s *trace.Span, ns int64, r *Rank) {
	if d.collectives == nil {
		d.collectives = newNameGroups(r.Trace.Names, nil)
	}
	m := r.Trace.Messages.Of(s)
	d.collectives.add(m.Coll, ns, outsideSteps)
	for len(d.bytes) < d.collectives.all.Len() {
		d.bytes = append(d.bytes, 0)
	}
	d.bytes[d.collectives.groupOf[m.Coll]-1] += m.Bytes
}

// stats returns the tables of the whole capture.
func (d *deviceSums) stats(r *Rank) []run.Stat {
	out := append(d.copies.stats((*run.Durations).StatWithQuartiles), r.kernels.captureStats(run.KernelTable)...)
	if d.collectives == nil {
		return out
	}
	var room run.Durations
	for n := range d.collectives.all.Len() {
		all := d.collectives.all.At(n).all(&room)
		s := all.StatWithQuartiles(run.CollectiveTable, d.collectives.all.At(n).name)
		s.Bytes = d.bytes[n]
		out = append(out, s)
	}
	return out
}

func countGap(h *run.Histogram, from, to int64) {
	if n := to - from; n >= minGap {
		h.Counts[run.Bin(n)]++
		h.Total += n
	}
}

// putSampled puts what was read and written in the extent, from each source, and the clock.
func (r *Rank) putSampled(w *run.WholeCapture, extent trace.Interval) {
	lo, hi := extent.Start, extent.End
	if hi <= lo {
		return
	}
	for _, c := range r.Trace.Counters {
		if c.Kind == trace.Clock && c.Device == mainClock {
			w.Clock, _ = meanLevel(c.Samples, lo, hi)
		}
	}
	if r.Trace.Recorded.Has(trace.HasFileBytes) && !r.lacks(trace.FileAccesses) {
		w.Read, w.Written, w.ReadFrom = accessedIn(r, trace.OpRead, lo, hi).bytes, accessedIn(r, trace.OpWrite, lo, hi).bytes, run.SourceFiles
	}
	if r.Trace.Recorded.Has(trace.HasStorage) {
		w.Node = run.NodeBytes{Recorded: true, Read: countWithin(r.volumes(trace.OpRead), lo, hi), Written: countWithin(r.volumes(trace.OpWrite), lo, hi)}
	}
}
