package rocpd

import (
	"context"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// process holds what one process of the database did.
type process struct {
	pid     int64
	devices []*device
	ranges  []trace.Range
	api     []trace.Call
	stacks  []int64 // correlation ids of api
}

// device is one device of a process. While reading, a span's Launch is the correlation id of
// the call that launched it.
type device struct {
	agent agent
	id    int64 // of the agent
	spans []trace.Span
}

// process returns the process of a row, by its number in rows.
func (r *reader) process(id int64) *process {
	pid, ok := r.pids[id]
	if !ok {
		pid = max(id, 0)
	}
	p := r.procs[pid]
	if p == nil {
		p = &process{pid: pid}
		r.procs[pid] = p
	}
	return p
}

// device returns the process's device of an agent; nil where there are too many.
func (p *process) device(id int64, r *reader) *device {
	for _, d := range p.devices {
		if d.id == id {
			return d
		}
	}
	if len(p.devices) == build.MaxPlaces || len(r.procs) > build.MaxPlaces {
		r.counted.crowd++
		return nil
	}
	a, known := r.agents[id]
	if !known {
		a = agent{gpu: true, ordinal: max(0, min(id, 1<<31-1))}
	}
	d := &device{agent: a, id: id}
	p.devices = append(p.devices, d)
	return d
}

// The columns that rows of all large tables begin with, in both forms of the schema.
const (
	colStart = iota
	colEnd
	colStartID
	colEndID
	colTrack
	colPid
	colTid
	colAgent
	colQueue
	colStream
	colEvent
	ownColumns
)

// columnsOf returns these columns and more.
func columnsOf(more ...string) []table.Column {
	first := []string{"start", "end", "start_id", "end_id", "track_id",
		"pid", "tid", "agent_id", "queue_id", "stream_id", "event_id"}
	return table.Ints(append(first, more...)...)
}

// row holds what all rows of large tables say, in one form.
type row struct {
	start, end int64
	track
	event int64
}

// row reads the columns that all tables have. It counts a row whose times cannot be, and is
// false for it.
func (r *reader) row(c [][]int64, i int, of trace.Content) (row, bool) {
	x := row{c[colStart][i], c[colEnd][i],
		track{c[colPid][i], c[colTid][i], c[colAgent][i], c[colQueue][i], c[colStream][i]}, c[colEvent][i]}
	if t, ok := r.tracks[c[colTrack][i]]; ok {
		x.track = t
	}
	if x.start == table.Null {
		x.start = r.times.at(c[colStartID][i])
	}
	if x.end == table.Null {
		x.end = r.times.at(c[colEndID][i])
	}
	return x, r.counted.untimed.Count(of, x.start > -build.MaxTime && x.end < build.MaxTime && x.start <= x.end && x.end != table.Null)
}

// span returns the device work of a row, without what it is.
func (r *reader) span(x row) trace.Span {
	stream := x.stream
	if r.streams < 2 && x.queue != table.Null || stream == table.Null { // streams were not followed
		stream = x.queue
	}
	launch := r.events.stacks.at(x.event)
	if launch <= 0 {
		launch = trace.NoTime
	}
	return trace.Span{Start: x.start, End: x.end, Launch: launch, Stream: int32(max(0, min(stream, 1<<31-1)))}
}

func (r *reader) readKernels(ctx context.Context) error {
	if err := build.Fit(ctx, r.room, build.SpanBytes*r.src.Rows(ctx, kernelTable+r.suffix)); err != nil {
		return err
	}
	cols := columnsOf("kernel_id", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z",
		"grid_size_x", "grid_size_y", "grid_size_z", "group_segment_size")
	return r.scan(ctx, kernelTable, cols, func(b *table.Batch) {
		for i := range b.N {
			x, ok := r.row(b.Cols, i, trace.Kernels)
			if !ok {
				continue
			}
			d := r.process(x.pid).device(x.agent, r)
			if d == nil {
				continue
			}
			s := r.span(x)
			symbol := r.symbols[b.Cols[ownColumns][i]]
			s.Name = symbol.name
			r.messages.Kernel(&s, r.names)
			r.counted.nameless.Count(s.Name == 0)
			r.shapes.Add(int(s.Name), shapeOf(b.Cols[ownColumns+1:], i, symbol.registers))
			r.observed.Add(x.start, x.end)
			d.spans = append(d.spans, s)
		}
	})
}

// shapeOf returns how a kernel was launched. ROCm's grids count work-items, not blocks.
func shapeOf(c [][]int64, i int, registers int64) (s trace.Shape) {
	for d := range 3 {
		block, grid := c[d][i], c[3+d][i]
		if block <= 0 || grid <= 0 || block >= 1<<31 || grid >= 1<<62 || (grid-1)/block+1 >= 1<<31 {
			return trace.Shape{}
		}
		s.Block[d], s.Grid[d] = int32(block), int32((grid-1)/block+1)
	}
	s.Registers, s.Shared = int32(max(0, min(registers, 1<<31-1))), max(0, c[6][i])
	return s
}

func (r *reader) readCopies(ctx context.Context) error {
	if err := build.Fit(ctx, r.room, build.SpanBytes*r.src.Rows(ctx, copyTable+r.suffix)); err != nil {
		return err
	}
	cols := columnsOf("name_id", "size", "dst_agent_id", "src_agent_id")
	return r.scan(ctx, copyTable, cols, func(b *table.Batch) {
		for i := range b.N {
			x, ok := r.row(b.Cols, i, trace.Copies)
			if !ok {
				continue
			}
			c := b.Cols[ownColumns:]
			to, from := r.agents[c[2][i]], r.agents[c[3][i]]
			place := c[2][i]
			if from.gpu { // what leaves a GPU is its work, as CUPTI has it
				place = c[3][i]
			} else if !to.gpu {
				r.counted.homeless++
				continue
			}
			d := r.process(x.pid).device(place, r)
			if d == nil {
				continue
			}
			s := r.span(x)
			s.Kind, s.Class, s.Name = trace.Memcpy, trace.Memory, r.texts[c[0][i]]
			s.SetBytes(c[1][i])
			s.Copy = direction(from, to)
			r.observed.Add(x.start, x.end)
			d.spans = append(d.spans, s)
		}
	})
}

// direction returns the direction of a copy, by the processors at its ends.
func direction(from, to agent) trace.CopyKind {
	switch {
	case from.gpu && to.gpu && from.ordinal != to.ordinal:
		return trace.PeerToPeer
	case from.gpu && to.gpu:
		return trace.DevToDev
	case from.gpu:
		return trace.DevToHost
	}
	return trace.HostToDev
}
