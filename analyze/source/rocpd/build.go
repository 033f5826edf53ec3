package rocpd

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"perfdiff/analyze/trace"
)

const again = "record again"

// traces makes the traces of what was read: one for each process and device, or for each
// process with ranges where no device did anything.
func (r *reader) traces(ctx context.Context) (all []*trace.Trace) {
	pmc := r.counters(ctx)
	anyDevice := false
	for _, p := range r.procs {
		p.devices = slices.DeleteFunc(p.devices, func(d *device) bool { return len(d.spans) == 0 })
		anyDevice = anyDevice || len(p.devices) > 0
	}
	for _, pid := range slices.Sorted(keys(r.procs)) {
		p := r.procs[pid]
		if len(p.devices) == 0 && (anyDevice || len(p.ranges) == 0) {
			continue
		}
		all = append(all, r.processTraces(p, pmc)...)
	}
	return all
}

// processTraces are the traces of one process. All share the process's host activity, each
// with a copy of its own.
func (r *reader) processTraces(p *process, pmc bool) (all []*trace.Trace) {
	calls := r.link(p)
	kernels, _ := trace.Unanswered(calls)
	r.nameCollectives(p)
	slices.SortFunc(p.devices, func(a, b *device) int {
		return cmp.Or(cmp.Compare(a.agent.ordinal, b.agent.ordinal), cmp.Compare(a.id, b.id))
	})
	devices := p.devices
	if len(devices) == 0 {
		devices = []*device{{agent: agent{ordinal: -1}}}
	}
	for i, d := range devices {
		t := &trace.Trace{File: r.name, Format: format, Names: r.names, Messages: &r.messages, Device: d.spans, Ranges: p.ranges, API: p.api,
			Identity: r.identity(p, d, len(devices) == 1), Capture: r.observed, Epoch: trace.NoTime,
			Facts: r.facts.of(p.pid, d.agent, pmc), Shapes: trace.MostShapes(r.shapes)}
		if i < len(devices)-1 {
			t.Ranges, t.API = slices.Clone(p.ranges), slices.Clone(p.api)
		}
		t.Sort()
		t.Recorded = recorded(t)
		r.addMemory(t, p, d)
		for _, w := range r.warnings {
			r.say(t, w)
		}
		r.lose(t, kernels)
		if pmc {
			r.say(t, "counters of kernels were collected, for which kernels run one at a time: "+
				"times are not those of the job (record without --pmc)")
		}
		all = append(all, t)
	}
	return all
}

// identity says which rank a process is, by the variables of its environment. Of a process
// with several devices they do not say which one.
func (r *reader) identity(p *process, d *device, alone bool) trace.Identity {
	id := trace.Identity{Rank: -1, Device: int(d.agent.ordinal), Process: p.pid, Host: r.host}
	if alone {
		id.Rank, id.WorldSize, id.RankFrom = r.env[p.pid].Rank()
	}
	return id
}

// recorded says which kinds of activity the capture recorded.
func recorded(t *trace.Trace) (out trace.Recorded) {
	if len(t.Device) > 0 {
		out |= trace.HasDevice
	}
	if len(t.Ranges) > 0 {
		out |= trace.HasRanges
	}
	for i := range t.Device {
		if t.Device[i].Launch != trace.NoTime {
			out |= trace.HasLaunches
		}
		if t.Device[i].Kind == trace.Memcpy && t.Device[i].Bytes() > 0 {
			out |= trace.HasMemcpyBytes
		}
	}
	return out
}

// say warns of something.
func (r *reader) say(t *trace.Trace, text string) {
	t.Warnings = append(t.Warnings, trace.Warning{File: r.name, Text: text})
}

// rowsOf are the tables of contents, for people.
var rowsOf = []struct {
	of   trace.Content
	what string
}{
	{trace.Kernels, "kernels"}, {trace.Copies, "copies"}, {trace.Calls, "calls of HIP"}, {trace.Ranges, "ranges"},
	{trace.MemoryUse, "allocations of memory"},
}

// lose notes what the file does not hold whole, and says so. kernels counts the launches
// without a kernel.
func (r *reader) lose(t *trace.Trace, kernels trace.Share) {
	lacks := func(of trace.Content, format string, args ...any) {
		why := fmt.Sprintf(format, args...)
		t.Lose(of, why)
		r.say(t, "lacks "+why)
	}
	for _, x := range rowsOf {
		if n := r.counted.untimed[x.of]; x.of.Beyond(n.Some, n.All) {
			lacks(x.of, "times of %s: %d of %d have none that can be (%s)", x.what, n.Some, n.All, again)
		} else if n.Some > 0 {
			r.say(t, fmt.Sprintf("%d of %d rows of %s were left out: they have no times that can be", n.Some, n.All, x.what))
		}
	}
	if n := r.counted; trace.Kinds.Beyond(n.nameless, n.anyKernel) {
		lacks(trace.Kinds, "names of kernels: %d of %d have none (%s)", n.nameless, n.anyKernel, again)
	}
	if r.counted.crowd+r.counted.homeless > 0 {
		r.say(t, fmt.Sprintf("%d rows were left out: they are of no GPU, or of more devices than a process can have",
			r.counted.crowd+r.counted.homeless))
	}
	t.CheckLaunches(kernels, again, "record with: rocprofv3 --runtime-trace")
}
