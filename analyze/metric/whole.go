package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Whole is what the rank did in its whole capture. The steps were measured before.
func (r *Rank) Whole() *run.Whole {
	t := r.Trace
	if r.lacks(deviceWork | trace.Kinds) { // a part of what the device did says nothing of all
		w := &run.Whole{Stats: run.Topmost(r.hostStats())}
		host := hostExtent(t)
		w.Host = host.End - host.Start
		return w
	}
	w := &run.Whole{Stats: run.Topmost(append(r.deviceStats(), r.hostStats()...))}
	device, host := deviceExtent(t), hostExtent(t)
	w.Device, w.Host = device.End-device.Start, host.End-host.Start
	if len(t.Device) > 0 {
		w.Busy, w.Compute, w.Comm, w.Graphs = r.Busy.Total(), r.Compute.Total(), r.Comm.Total(), r.Graphs.Total()
		w.Overlap = interval.Overlap(r.Comm, r.Compute)
		w.Exposed = w.Comm - w.Overlap
		r.wholeGaps(&w.Gaps)
		countLaunches(w, t.Device, device)
		host = device
	}
	w.Read, w.Written, w.ReadFrom = r.wholeBytes(host)
	return w
}

// deviceExtent is from the first to the last work of the device.
func deviceExtent(t *trace.Trace) trace.Interval {
	if len(t.Device) == 0 {
		return trace.Interval{}
	}
	out := trace.Interval{Start: t.Device[0].Start, End: t.Device[0].End}
	for i := range t.Device {
		out.End = max(out.End, t.Device[i].End)
	}
	return out
}

// hostExtent is from the first to the last activity of the host. What never ended, as a
// range that the capture cut, counts with its start.
func hostExtent(t *trace.Trace) trace.Interval {
	out := trace.Interval{Start: math.MaxInt64, End: math.MinInt64}
	add := func(start, end int64) { out.Start, out.End = min(out.Start, start), max(out.End, start, end) }
	for _, list := range [][]trace.Call{t.API, t.OS} {
		for i := range list {
			add(list[i].Start, list[i].End)
		}
	}
	for _, list := range [][]trace.Range{t.Ranges, t.Ops} {
		for i := range list {
			add(list[i].Start, list[i].End)
		}
	}
	for i := range t.Access {
		add(t.Access[i].Start, t.Access[i].End)
	}
	if out.End < out.Start {
		return trace.Interval{}
	}
	return out
}

// deviceStats are the kernels by name, communication by collective too, and what moves
// memory.
func (r *Rank) deviceStats() []run.Stat {
	if len(r.Trace.Device) == 0 {
		return nil
	}
	d := newDeviceSums(r)
	d.add(r.Trace.Device)
	return d.stats()
}

// deviceSums adds up the durations of device work by name.
type deviceSums struct {
	rank        *Rank
	collectives *groups
	bytes       map[int32]int64 // of messages, by collective
	kernels     []run.Durations // by the kernel's number
	copies      copySums
}

func newDeviceSums(r *Rank) *deviceSums {
	return &deviceSums{rank: r, collectives: newGroups(r.Trace.Names, nil), bytes: map[int32]int64{}}
}

// add takes spans, in order of start over all calls.
func (d *deviceSums) add(spans []trace.Span) {
	r := d.rank
	d.copies.add(spans)
	for i := range spans {
		s := &spans[i]
		if s.Kind != trace.Kernel && s.Kind != trace.Graph {
			continue
		}
		n := int(r.kernels.of(s.Name, r))
		if more := len(r.kernels.names) - len(d.kernels); n >= len(d.kernels) {
			d.kernels = append(d.kernels, make([]run.Durations, more)...)
		}
		d.kernels[n].Add(s.End - s.Start)
		if s.Class == trace.Comm {
			d.collectives.add(s.Coll, s.End-s.Start)
			d.bytes[d.collectives.of[s.Coll]-1] += r.Trace.Messages.Of(s).Bytes
		}
	}
}

func (d *deviceSums) stats() []run.Stat {
	out := slices.Grow(d.copies.stats((*run.Durations).Spread), len(d.kernels))
	for n := range d.kernels {
		if s := d.kernels[n].Spread(run.KernelTable, d.rank.kernels.names[n]); s.Count > 0 {
			out = append(out, s)
		}
	}
	for n, s := range d.collectives.stats(run.CollectiveTable, (*run.Durations).Spread) {
		s.Bytes = d.bytes[int32(n)]
		out = append(out, s)
	}
	return out
}

// hostStats are the calls, ranges and operators of the host. One table follows the other:
// each holds its durations until it is summed up, and keeps what counts of its names.
func (r *Rank) hostStats() []run.Stat {
	var out []run.Stat
	t := r.Trace
	for _, table := range []struct {
		name run.Table
		list []trace.Call
	}{{run.APITable, t.API}, {run.OSTable, t.OS}} {
		g := newGroups(t.Names, nil)
		g.calls(table.list)
		out = append(out, run.Topmost(g.stats(table.name, (*run.Durations).Spread))...)
	}
	return append(out, r.rangeStats()...)
}

// rangeStats are the ranges and operators of the whole capture.
func (r *Rank) rangeStats() []run.Stat {
	var out []run.Stat
	t := r.Trace
	for _, table := range []struct {
		name run.Table
		list []trace.Range
	}{{run.RangeTable, t.Ranges}, {run.OperatorTable, t.Ops}} {
		g := newGroups(t.Names, r.ordinary)
		for i := range table.list {
			g.add(table.list[i].Name, table.list[i].End-table.list[i].Start)
		}
		out = append(out, run.Topmost(g.stats(table.name, (*run.Durations).Spread))...)
	}
	return out
}

// wholeGaps counts the gaps between the first and the last work of the device.
func (r *Rank) wholeGaps(h *run.Histogram) {
	for i := 1; i < len(r.Busy); i++ {
		countGap(h, r.Busy[i-1].End, r.Busy[i].Start)
	}
}

func countGap(h *run.Histogram, from, to int64) {
	if n := to - from; n >= shortestGap {
		h.Counts[run.Bin(n)]++
		h.Total += n
	}
}

// countLaunches counts the kernels and replays that start in each stretch of the device's
// extent.
func countLaunches(w *run.Whole, spans []trace.Span, extent trace.Interval) {
	length := float64(max(extent.End-extent.Start, 1))
	for i := range spans {
		if s := &spans[i]; s.Kind == trace.Kernel || s.Kind == trace.Graph {
			at := int(float64(s.Start-extent.Start) / length * run.Stretches)
			w.Launches[min(at, run.Stretches-1)]++
		}
	}
}

// wholeBytes are the bytes that were read and written in the extent, and their source.
func (r *Rank) wholeBytes(extent trace.Interval) (read, written float64, source string) {
	source = fileSource(r)
	if source == "" || extent.End <= extent.Start {
		return 0, 0, ""
	}
	s := &Step{Rank: r, Window: trace.Window{Trace: r.Trace, Step: trace.Step{Start: extent.Start, End: extent.End}}}
	read, _ = bytesMoved(s, trace.OpRead)
	written, _ = bytesMoved(s, trace.OpWrite)
	return read, written, source
}
