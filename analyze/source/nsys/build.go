package nsys

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// traces makes traces from what was read.
func (r *reader) traces(ranks ranks) []*trace.Trace {
	r.unite()
	procs := ranksOf(r.procs.sorted())
	r.adoptAccess(procs)
	if extra := len(procs) - build.MaxPlaces; extra > 0 {
		r.crowd, procs = r.crowd+extra, procs[:build.MaxPlaces]
	}
	if len(procs) == 0 {
		procs = []*process{{}}
	}
	alone := len(procs) == 1 && len(procs[0].devices) <= 1
	capture, open := r.window.capture(), 0
	for _, p := range procs {
		open += closeRanges(p.ranges, capture.End)
		p.losses = r.unansweredLaunches(p)
	}
	r.countWarnings(open)
	var all []*trace.Trace
	for _, p := range procs {
		for _, t := range r.processTraces(p, ranks.of(r, p, alone)) {
			t.Capture, t.Epoch = capture, r.window.epoch
			t.Warnings = r.traceWarnings(t, p)
			if !r.inParts {
				r.loseIn(t, p, func() build.Share { return build.UnlaunchedIn(t) })
				check.Times(t)
			}
			all = append(all, t)
		}
	}
	return all
}

// onDevice reports whether the process has device work. Where any has, those are the ranks.
func (p *process) onDevice() bool { return len(p.devices) > 0 }

// parallel reports whether the process calls CUDA or MPI, or says what it does. Where none has device work, those are
// the ranks: a compiler that one of them starts is a process too.
func (p *process) parallel() bool { return len(p.ranges)+len(p.api)+len(p.mpi) > 0 }

// ranksOf returns the processes that are ranks: those with device work, else those that call CUDA or MPI or say what
// they do, else the one that does most, since the others are what it starts.
func ranksOf(procs []*process) []*process {
	for _, isRank := range []func(*process) bool{(*process).onDevice, (*process).parallel} {
		if slices.ContainsFunc(procs, isRank) {
			return slices.DeleteFunc(procs, func(p *process) bool { return !isRank(p) })
		}
	}
	procs = slices.DeleteFunc(procs, (*process).idle)
	if len(procs) > 1 {
		does := func(p *process) int { return len(p.os) + len(p.access) + len(p.syncs) }
		procs = []*process{slices.MaxFunc(procs, func(a, b *process) int { return cmp.Compare(does(a), does(b)) })}
	}
	return procs
}

// idle reports whether nothing of the process was kept.
func (p *process) idle() bool {
	return len(p.devices) == 0 && len(p.ranges)+len(p.api)+len(p.os)+len(p.access)+len(p.syncs) == 0
}

// unite moves file accesses whose process is known only by the system's number to the process with that number: one
// with device work, or else the first.
func (r *reader) unite() {
	whole := make(map[int64]*process)
	for _, p := range r.procs.sorted() {
		if have := whole[p.systemID()]; !p.bare() && (have == nil || len(have.devices) == 0 && len(p.devices) > 0) {
			whole[p.systemID()] = p
		}
	}
	for _, p := range r.procs.sorted() {
		if to := whole[p.systemID()]; p.bare() && to != nil {
			to.access = append(to.access, p.access...)
			p.access = nil
		}
	}
}

// bare reports whether only the system's number of the process is known, as file
// accesses have it.
func (p *process) bare() bool { return p.id>>48 == 0 }

// adoptAccess moves the file accesses of helper processes to the only rank: its data loaders run as its children. If
// there are several ranks, it is not known whose they are.
func (r *reader) adoptAccess(owners []*process) {
	others := slices.DeleteFunc(r.procs.sorted(), func(p *process) bool { return len(p.access) == 0 || slices.Contains(owners, p) })
	if len(owners) == 0 || len(others) == 0 {
		return
	}
	lost := 0
	for _, p := range others {
		if len(owners) == 1 {
			owners[0].access = append(owners[0].access, p.access...)
		} else {
			lost += len(p.access)
		}
		p.access = nil
	}
	if lost > 0 {
		r.Warn("%d file accesses were left out: helper processes made them and several ranks are in the file (record each rank to its own file)", lost)
	}
}

// processTraces returns the traces of one process, one for each of its devices. Each has its own copy of the process's
// host activity.
func (r *reader) processTraces(p *process, id trace.Identity) []*trace.Trace {
	slices.SortFunc(p.devices, func(a, b *device) int { return int(min(max(a.ordinal-b.ordinal, -1), 1)) })
	devices := p.devices
	if len(devices) == 0 {
		devices = []*device{{ordinal: -1}}
	}
	running := p.running()
	var all []*trace.Trace
	for i, d := range devices {
		t := &trace.Trace{File: r.name, Profiler: trace.NsightSystems, Identity: id, Device: d.spans, Lent: r.lists != nil, Messages: &trace.Messages{},
			Ranges: p.ranges, API: p.api, OS: p.os, Access: p.access, Syncs: p.syncs, Waits: p.waits, MPI: p.mpi, Running: running,
			Faults: slices.DeleteFunc(slices.Clone(p.faults), func(f trace.Fault) bool { return f.Device >= 0 && f.Device != d.ordinal })}
		if i < len(devices)-1 {
			build.OwnHost(t)
		}
		t.Identity.Device = int(min(d.ordinal, 1<<31-1))
		t.Facts = r.facts.of(p.systemID(), d.ordinal, p.overheadOf(d))
		t.Counters = r.counters.of(&r.facts, cudaDevice{p.systemID(), d.ordinal})
		r.finish(t, p)
		if m := r.memory[memoryPlace{p.id, d.ordinal}]; m != nil {
			m.Give(t, build.MemorySource{}, again)
		}
		all = append(all, t)
	}
	if !r.inParts { // which read the spans again
		p.Launches = build.Launches{}
	}
	return all
}

// finish replaces words by names and sorts.
func (r *reader) finish(t *trace.Trace, p *process) {
	t.Names = trace.NewNamesFor(len(r.words.text) / max(1, r.places))
	t.Recorded = r.recorded | recorded(t.Counters)
	kernels := newNames(r.words, t.Names, asWritten)
	r.finishSpans(t, t.Device, &p.Launches, kernels)
	r.finishShapes(t, p, kernels)
	r.messages(t, p)
	t.Names.Callers = r.namedCallers(&p.callers, t)
	t.OS = r.finishOS(p, t.OS)
	r.finishRanges(t, p)
	t.Threads = r.threadNames(p)
	r.nameless = r.nameless || kernels.nameless
	if len(t.MPI) == 0 {
		t.MPI = mpiRanges(t)
	}
	if len(t.MPI) > 0 {
		t.Recorded |= trace.HasMPI
	}
	if len(t.Running) > 0 {
		t.Recorded |= trace.HasRunning
	}
	t.Recorded &^= r.damaged
	t.Sort()
}

// finishShapes keeps how the kernels were launched, with the occupancy that the
// limits of the trace's GPU admit.
func (r *reader) finishShapes(t *trace.Trace, p *process, kernels *names) {
	g, _ := r.facts.gpu(cudaDevice{p.systemID(), int64(t.Identity.Device)})
	t.Shapes = make(map[trace.NameID]trace.Shape)
	r.shapes.Each(func(at int, s trace.Shape) {
		s.Occupancy = g.SM.Occupancy(s)
		t.Shapes[kernels.of(word(at))] = s
	})
}

// manyNames is how many ranges' names are looked up together: what that touches stays in the
// processor's nearest cache.
const manyNames = 256

// finishRanges replaces words by names.
func (r *reader) finishRanges(t *trace.Trace, p *process) {
	ranges := newNames(r.words, t.Names, kernelname.CanonicalRange)
	id, name := int64(-1), trace.NameID(0) // of the domain of the range before
	for i := range t.Ranges {
		if i%manyNames == 0 {
			ranges.await(t.Ranges[i:min(i+manyNames, len(t.Ranges))])
		}
		x := &t.Ranges[i]
		x.Name = ranges.of(word(x.Name))
		if int64(x.Domain) != id {
			id = int64(x.Domain)
			name = ranges.of(r.domains[domain{p.id, id}])
		}
		x.Domain = name
	}
}

// finishSpans replaces correlation ids by launches and words by names: both in one pass, since
// spans are more than the processor's caches hold.
func (r *reader) finishSpans(t *trace.Trace, spans []trace.Span, known *build.Launches, kernels *names) {
	if len(spans) > 0 {
		t.Recorded |= trace.HasDevice
	}
	unlaunched := 0
	for i := range spans {
		s := &spans[i]
		if s.Launch = known.Of(s.Launch); s.Launch == trace.NoTime {
			unlaunched++
		}
		at := word(s.Name)
		if s.Kind == trace.Kernel {
			k := kernels.kind(at, t.Messages)
			if s.Name, s.Class = k.name, k.class; k.class == trace.Comm {
				s.SetMessage(k.message)
			}
			continue
		}
		s.Name = kernels.of(at)
		t.Recorded |= build.RecordedBy(s)
	}
	if unlaunched < len(spans) {
		t.Recorded |= trace.HasLaunches
	}
	r.unlaunched = r.unlaunched || unlaunched > 0
}

// pseudoCall begins the rows of OSRT_API that are the profiler's own marks.
const pseudoCall = "OS runtime libraries profiling"

func isPseudo(name string) bool { return strings.HasPrefix(name, pseudoCall) }

// finishOS drops the profiler's marks among the calls of the system.
func (r *reader) finishOS(p *process, calls []trace.Call) []trace.Call {
	pseudo := trace.CallersOf(&p.Callers, func(x trace.Caller) bool { return isPseudo(r.words.text[wordOf(x)]) })
	if slices.Contains(pseudo, true) {
		calls = slices.DeleteFunc(calls, func(c trace.Call) bool { return pseudo[c.By()] })
	}
	return calls
}

// countWarnings says what rows were left out or changed.
func (r *reader) countWarnings(open int) {
	if n := r.window.early; n > 0 {
		r.Warn("%d rows were left out: they ended before the capture began", n)
	}
	if n := r.window.invalid; n > 0 {
		r.Warn("%d rows were left out: they have no start and end in order (export the report again if there are many)", n)
	}
	if r.crowd > 0 {
		r.Warn("what more than %d processes or devices did was left out (record one file per rank)", build.MaxPlaces)
	}
	if open > 0 {
		r.Warn("%d ranges were open when the capture ended: they end there", open)
	}
}

// traceWarnings returns the file's warnings and those of one trace, of process p.
func (r *reader) traceWarnings(t *trace.Trace, p *process) []trace.Warning {
	var all []trace.Warning
	if len(t.Device) == 0 && r.damaged&trace.HasDevice == 0 {
		all = append(all, trace.Warning{File: r.name,
			Text: "no device work: table " + kernelTable + " is missing or empty (record with --trace=cuda)"})
	}
	for _, text := range r.Warnings {
		all = append(all, trace.Warning{File: r.name, Text: text})
	}
	return append(all, r.diagnostics.of(r.name, p)...)
}
