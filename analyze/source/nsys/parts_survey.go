package nsys

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// survey reads everything once.
func (x *Parts) survey(ctx context.Context) (err error) {
	r := x.r
	if err := r.readFacts(ctx); err != nil {
		return table.ExportWords.Damaged(ctx, err)
	}
	if err := x.surveyDevice(ctx); err != nil {
		return err
	}
	if err := x.surveyHost(ctx); err != nil {
		return err
	}
	if err := r.readCounters(ctx); err != nil {
		return err
	}
	if err := r.readOverhead(ctx); err != nil {
		return err
	}
	(&waitReader{r.src, &r.procs}).readStreamWaits(ctx)
	ranks, err := r.readRanks(ctx)
	if err != nil {
		return table.ExportWords.Damaged(ctx, err)
	}
	if err := r.words.resolve(ctx, r.src); err != nil {
		return table.ExportWords.Damaged(ctx, fmt.Errorf("table StringIds: %w", err))
	}
	if err := x.countAnswers(ctx); err != nil {
		return err
	}
	ranks.nccl = r.ncclRanks()
	x.skeletons(ranks)
	if err := x.communication(ctx); err != nil {
		return err
	}
	return x.lose(ctx)
}

// scan reads a table and hands its rows on to the process and device that they are of,
// which give them away after each batch.
func (x *Parts) scan(ctx context.Context, l tableLoad, after func()) error {
	err := x.r.src.Scan(ctx, l.table, l.cols, func(b *table.Batch) {
		l.emit(b)
		after()
	})
	if err != nil {
		return table.ExportWords.Damaged(ctx, fmt.Errorf("table %s: %w", l.table, err))
	}
	return nil
}

// surveyDevice finds the processes and devices, and which launches they ask for.
func (x *Parts) surveyDevice(ctx context.Context) (err error) {
	r := x.r
	if x.device, err = r.deviceTables(ctx); err != nil {
		return err
	}
	of := map[*device]*part{}
	after := func() {
		for _, p := range r.procs.byID {
			for _, d := range p.devices {
				if of[d] == nil && len(d.spans) > 0 {
					of[d] = &part{p: p, d: d, apiCalls: map[trace.CallerID]bool{}, osCalls: map[trace.CallerID]bool{},
						inUse: map[word]bool{}}
					x.places = append(x.places, of[d])
				}
				if len(d.spans) > 0 {
					of[d].outline(d.spans)
				}
				d.spans = d.spans[:0]
			}
		}
	}
	for _, l := range x.device {
		if err := x.first(ctx, l, after); err != nil {
			return err
		}
	}
	for _, p := range r.procs.byID {
		p.devices = slices.DeleteFunc(p.devices, func(d *device) bool { return of[d] == nil })
		if len(p.devices) > 1 {
			return errDevices
		}
		r.anyDevice = r.anyDevice || len(p.devices) > 0
		p.Launches.Begin()
	}
	if !r.anyDevice {
		return errNoWork
	}
	return nil
}

// outline takes in spans whose launches are not known yet.
func (x *part) outline(spans []trace.Span) {
	o := &x.Outline
	for i := range spans {
		s := &spans[i]
		if o.Spans++; o.Spans == 1 {
			o.Device, o.LastStart = trace.Interval{Start: s.Start, End: s.End}, s.Start
		}
		o.Device.Start, o.Device.End = min(o.Device.Start, s.Start), max(o.Device.End, s.End)
		o.LastStart = max(o.LastStart, s.Start)
		if s.End > s.Start {
			if o.Busy == (trace.Interval{}) {
				o.Busy = trace.Interval{Start: s.Start, End: s.End}
			}
			o.Busy.Start, o.Busy.End = min(o.Busy.Start, s.Start), max(o.Busy.End, s.End)
		}
		o.ToDevice = o.ToDevice || s.Kind == trace.Memcpy && s.Bytes() > 0 && s.Copy.String() == "h2d"
		x.nameless = x.nameless || s.Kind == trace.Kernel && s.Name == 0
		if x.first.is(word(s.Name)) {
			x.first.spans = append(x.first.spans, *s)
		}
		x.density.Add(s.Start, spanRoom)
	}
}

// surveyHost reads the tables of the host; of calls only what the outline tells is kept.
func (x *Parts) surveyHost(ctx context.Context) error {
	r := x.r
	loads, err := r.hostTables(ctx, r.ranges(ctx))
	if err != nil {
		return err
	}
	of := map[*process]*part{}
	for _, one := range x.places {
		of[one.p] = one
	}
	after := func() {
		for _, p := range r.procs.byID {
			if one := of[p]; one != nil {
				one.outlineCalls(p)
			}
			p.api, p.os, p.syncs = p.api[:0], p.os[:0], p.syncs[:0]
		}
	}
	for _, l := range loads {
		r.room = 0
		switch l.table {
		case runtimeTable:
			x.api = l
		case osTable:
			x.os = l
		case "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION":
		default:
			r.room = r.src.Rows(ctx, l.table)
		}
		if err := x.first(ctx, l, after); err != nil {
			return err
		}
	}
	return nil
}

// outlineCalls takes in the calls that a process has.
func (x *part) outlineCalls(p *process) {
	x.countAnswered(p)
	for _, c := range p.api {
		if x.api.is(p.word(c.By())) {
			x.api.calls = append(x.api.calls, c)
		}
		x.apiCalls[c.By()] = true
		x.density.Add(c.Start, callRoom)
	}
	for _, c := range p.os {
		if x.os.is(p.word(c.By())) {
			x.os.calls = append(x.os.calls, c)
		}
		x.osCalls[c.By()] = true
		if x.Busy.End <= x.Busy.Start || c.Start >= x.Busy.Start && c.Start < x.Busy.End {
			x.inUse[p.word(c.By())] = true
		}
		x.density.Add(c.Start, callRoom)
	}
}

// skeletons makes the traces with one span and one call of each name, so that names get
// the ids that they have when all rows are there.
func (x *Parts) skeletons(ranks ranks) {
	for _, one := range x.places {
		one.d.spans = append(slices.Clone(one.first.spans), trace.Span{Start: one.Device.Start, End: one.Device.End,
			Launch: table.Null, Kind: one.first.spans[0].Kind, Class: one.first.spans[0].Class,
			Name: one.first.spans[0].Name})
		one.p.api, one.p.os = slices.Clone(one.api.calls), slices.Clone(one.os.calls)
	}
	x.r.warnOfSQLite()
	x.traces = x.r.traces(ranks)
	var places []*part
	for _, p := range x.r.procs.sorted() { // in the order of the traces
		if i := slices.IndexFunc(x.places, func(one *part) bool { return one.p == p }); i >= 0 {
			places = append(places, x.places[i])
		}
	}
	x.places = places
	for i, t := range x.traces {
		one := x.places[i]
		one.sample = trace.Stretch{Device: t.Device, API: t.API, OS: t.OS}
		t.Device, t.API, t.OS = nil, nil, nil
		one.d.spans, one.p.api, one.p.os = nil, nil, nil
		one.callers = one.p.Len()
		one.Outline.API = x.callers(t, one.p, one.apiCalls)
		one.Outline.OS = x.callers(t, one.p, one.osCalls)
		for at := range one.inUse {
			one.ReadsInUse = one.ReadsInUse || trace.ReadCall(x.r.words.text[at])
		}
		x.outlines = append(x.outlines, &one.Outline)
	}
}

// callers returns the callers of a trace, by the names that it gives to calls, without the profiler's own marks.
func (x *Parts) callers(t *trace.Trace, p *process, calls map[trace.CallerID]bool) (all []trace.Caller) {
	for by := range calls {
		if !isPseudo(x.r.words.text[p.word(by)]) {
			all = append(all, t.Names.Callers.At(by))
		}
	}
	return all
}

// communication keeps the communication kernels of each trace, and gives them the messages
// of the calls that launched them.
func (x *Parts) communication(ctx context.Context) error {
	for i, t := range x.traces {
		t.Recorded &^= trace.HasLaunches | trace.HasMemcpyBytes | trace.HasCopyKinds | trace.HasMessages
		var comm []trace.Span
		err := x.Each(ctx, i, func(spans []trace.Span) {
			x.places[i].enclosing.Add(spans)
			for _, s := range spans {
				x.places[i].notLaunched.add(s.Launch != trace.NoTime, 0)
				if s.Class == trace.Comm {
					comm = append(comm, s)
					x.outlines[i].Comm = x.outlines[i].Comm || s.End > s.Start
				}
			}
		})
		if err != nil {
			return err
		}
		t.Device = comm
		x.r.giveMessages(t, x.places[i].p)
		slices.SortStableFunc(comm, func(a, b trace.Span) int { return cmp.Compare(a.Start, b.Start) })
		x.places[i].comm = comm
	}
	return nil
}
