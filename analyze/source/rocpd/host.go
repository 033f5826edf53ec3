package rocpd

import (
	"context"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// rangeDomain is the domain of RCCL's calls; NCCL's have one of their own, too.
const rangeDomain = "RCCL"

// readRegions reads what host threads did: calls of HIP and RCCL, and ranges of roctx.
func (r *reader) readRegions(ctx context.Context) error {
	const callBytes = 32 + 8
	if err := build.Fit(ctx, r.room, callBytes*r.src.Rows(ctx, regionTable+r.suffix)); err != nil {
		return err
	}
	rccl := build.Name(r.names, rangeDomain)
	return r.scan(ctx, regionTable, columnsOf("name_id"), func(b *table.Batch) {
		for i := range b.N {
			kind := r.events.kind(b.Cols[colEvent][i])
			of := map[eventKind]trace.Content{kindHIP: trace.Calls, kindRange: trace.Ranges, kindRCCL: trace.Ranges}[kind]
			if of == 0 {
				continue
			}
			x, ok := r.row(b.Cols, i, of)
			if !ok {
				continue
			}
			r.observed.Add(x.start, x.end)
			p, name := r.process(x.pid), r.texts[b.Cols[ownColumns][i]]
			switch kind {
			case kindHIP:
				p.api = append(p.api, r.names.Call(x.start, x.end, name, r.thread(x.tid)))
				p.stacks = append(p.stacks, r.events.stacks.at(x.event))
			case kindRCCL:
				p.ranges = append(p.ranges,
					trace.Range{Start: x.start, End: x.end, Name: name, Thread: r.thread(x.tid), Domain: rccl})
			case kindRange:
				if name = r.rangeName(name, x.event); name != 0 {
					p.ranges = append(p.ranges, trace.Range{Start: x.start, End: x.end, Name: name, Thread: r.thread(x.tid)})
				}
			}
		}
	})
}

// rangeName returns the name of a range: its message, else the row's name if that is not roctx's own call; 0 for none.
func (r *reader) rangeName(name trace.NameID, event int64) trace.NameID {
	message, ok := r.events.messages[event]
	switch {
	case ok:
		return build.Name(r.names, kernelname.CanonicalRange(r.names.Text(message)))
	case strings.HasPrefix(r.names.Text(name), "roctx"):
		return 0
	}
	return build.Name(r.names, kernelname.CanonicalRange(r.names.Text(name)))
}

// thread returns the system's number of a thread.
func (r *reader) thread(id int64) int32 {
	if tid, ok := r.threads[id]; ok {
		id = tid
	}
	return int32(max(0, min(id, 1<<31-1)))
}

// link replaces the correlation ids of a process's spans by the starts of the calls, and returns the
// calls that launch, with whether any work says to be launched by them. Copies are launched by a call
// of HSA within one of HIP.
func (r *reader) link(p *process) []build.Launched {
	var launches build.Launches
	for _, d := range p.devices {
		for _, s := range d.spans {
			launches.Ask(s.Launch)
			launches.Ask(r.events.outer(s.Launch))
		}
	}
	launches.Begin()
	answered := make([]bool, len(p.api))
	for i, stack := range p.stacks {
		answered[i] = launches.Note(stack, p.api[i].Start)
	}
	for _, d := range p.devices {
		for i := range d.spans {
			s := &d.spans[i]
			inner := s.Launch
			if s.Launch = launches.Of(inner); s.Launch == trace.NoTime {
				s.Launch = launches.Of(r.events.outer(inner))
			}
		}
	}
	return build.Launching(r.names, p.api, func(i int) bool { return answered[i] })
}

// counters reports whether counters of kernels were collected, for which kernels run one at a
// time.
func (r *reader) counters(ctx context.Context) bool {
	return r.src.Rows(ctx, "rocpd_pmc_event"+r.suffix) > 0 && len(r.procs) > 0
}
