package rocpd

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

const again = "record again"

// traces makes traces from what was read: one for each process and device, or for each process with ranges where no
// device did anything.
func (r *reader) traces(ctx context.Context) (all []*trace.Trace) {
	pmc := r.counters(ctx)
	anyDevice := false
	for _, p := range r.procs {
		p.devices = slices.DeleteFunc(p.devices, func(d *device) bool { return len(d.spans) == 0 })
		anyDevice = anyDevice || len(p.devices) > 0
	}
	for _, pid := range slices.Sorted(maps.Keys(r.procs)) {
		p := r.procs[pid]
		if len(p.devices) == 0 && (anyDevice || len(p.ranges) == 0) {
			continue
		}
		all = append(all, r.processTraces(p, pmc)...)
	}
	return all
}

// processTraces returns the traces of one process. Each has its own copy of the process's host activity.
func (r *reader) processTraces(p *process, pmc bool) (all []*trace.Trace) {
	calls := r.link(p)
	losses := r.losses(pmc)
	kernels, _ := build.Unanswered(calls)
	r.nameCollectives(p)
	slices.SortFunc(p.devices, func(a, b *device) int {
		return cmp.Or(cmp.Compare(a.agent.ordinal, b.agent.ordinal), cmp.Compare(a.id, b.id))
	})
	devices := p.devices
	if len(devices) == 0 {
		devices = []*device{{agent: agent{ordinal: -1}}}
	}
	for i, d := range devices {
		t := &trace.Trace{File: r.name, Profiler: trace.Rocprof, Names: r.names, Messages: &r.messages, Device: d.spans, Ranges: p.ranges, API: p.api,
			Identity: r.identity(p, d, len(devices) == 1), Capture: r.observed.Interval(), Epoch: trace.NoTime,
			Facts: r.facts.of(p.pid, d.agent, pmc), Shapes: r.shapes.ByName()}
		if i < len(devices)-1 {
			build.OwnHost(t)
		}
		t.Sort()
		t.Recorded = build.Recorded(t)
		if m := r.memory[memoryPlace{p, d.id}]; m != nil {
			m.Give(t, build.MemorySource{}, again)
		}
		losses.Give(t)
		checks.All(t, kernels)
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

// checks looks for what a trace lacks.
var checks = build.Check{Again: again,
	NoKernels:  "kernels: the device copied and did nothing else (record with: rocprofv3 --runtime-trace)",
	NoLaunches: "the calls that launch, so that the edges of steps are the host's (record with: rocprofv3 --runtime-trace)"}

// losses returns what the tables lack. pmc says that counters of kernels were collected.
func (r *reader) losses(pmc bool) build.Losses {
	l := build.Losses{Warnings: slices.Concat(r.warnings, r.lost.Warnings), Lost: slices.Clone(r.lost.Lost)}
	r.counted.untimed.Report(&l, "HIP", again)
	l.LackNames(r.counted.nameless, again)
	if n := r.counted.crowd + r.counted.homeless; n > 0 {
		l.Warn("%d rows were left out: they are of no GPU, or of more devices than a process can have", n)
	}
	if pmc {
		l.Warn("counters of kernels were collected, for which kernels run one at a time: " +
			"times are not those of the job (record without --pmc)")
	}
	return l
}
