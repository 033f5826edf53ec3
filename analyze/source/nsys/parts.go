package nsys

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Parts is an export that is too large for memory. All that is small is read at once, with
// an outline of the rest: device work and calls, which are read a stretch of time after
// the other. Rows become spans and calls by the code that reads an export at once.
type Parts struct {
	r        *reader
	file     table.File
	device   []tableLoad
	stretch  int64 // about how many bytes rows take that are counted together
	api, os  tableLoad
	places   []*part
	traces   []*trace.Trace
	outlines []*trace.Outline
}

// part is one process with its device.
type part struct {
	p *process
	d *device
	trace.Outline
	density  trace.Density
	first    firstOfName // spans, one of each name
	api, os  firstOfName // calls likewise
	apiCalls map[trace.CallerID]bool
	osCalls  map[trace.CallerID]bool
	callers  int           // how many there are, once all calls were seen
	inUse    map[word]bool // names of calls of the system that began while the device was in use
	comm     []trace.Span  // finished and in order

	// What tells of losses.
	nameless    bool            // a kernel has no name
	sample      trace.Stretch   // a row of each name
	answered    []int64         // by their caller: calls that a span says to be launched by
	notLaunched namelessCount   // device work, and that without a launch
	enclosing   trace.Enclosing // in the order of rows, which is about that of time
}

// firstOfName has the first row of each name of a list, in the order in which names first
// occur: in that order they get their ids.
type firstOfName struct {
	seen  []bool // by word
	spans []trace.Span
	calls []trace.Call
}

func (f *firstOfName) is(at word) bool {
	if int(at) >= len(f.seen) {
		f.seen = append(f.seen, make([]bool, int(at)+64-len(f.seen))...)
	}
	was := f.seen[at]
	f.seen[at] = true
	return !was
}

// The memory of a row in bytes while its part is measured: itself, its intervals in the
// sets that it belongs to, and what sorting takes.
const (
	spanRoom = 112
	callRoom = 24
)

var (
	errDevices = errors.New("a process works on several devices (record one process per device)")
	errNoWork  = errors.New("it holds no device work")
	errChanged = errors.New("it changed while it was read (wait until the profiler or the copy is done)")
)

// OpenParts reads what is small of an export. It fails also where the export is not of a
// kind that can be read in parts. progress is that of Read, for the first of the passes.
func OpenParts(ctx context.Context, path string, progress func(int64)) (*Parts, error) {
	return openParts(ctx, path, stretchBytes, progress)
}

func openParts(ctx context.Context, path string, stretch int64, progress func(int64)) (*Parts, error) {
	name := filepath.Base(path)
	file, warning, err := table.Open(ctx, path, progress)
	if err != nil {
		return nil, err
	}
	x := &Parts{r: newReader(name, file), file: file, stretch: stretch}
	x.r.inParts = true
	file.Remember()
	if warning != "" {
		x.r.warn("%s", warning)
	}
	file.Share(x.r.count(ctx))
	err = x.survey(ctx)
	if refused := file.Refused(); refused != nil && ctx.Err() == nil {
		err = refused
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	file.Done()
	return x, nil
}

// Need is how many bytes the rows of an export take at least when all are in memory, by
// the numbers of rows that the file says; 0 where it does not.
func Need(ctx context.Context, path string) (bytes int64) {
	file, _, err := table.Open(ctx, path, nil)
	if err != nil {
		return 0
	}
	defer file.Close()
	for tableName, each := range rowBytes {
		bytes += each * file.Rows(ctx, tableName)
	}
	return bytes
}

// Close ends the reading.
func (x *Parts) Close() { x.file.Close() }

// Traces are the traces of the export, with the device's communication alone and without
// calls of CUDA and of the system, and what is known of the rest.
func (x *Parts) Traces() ([]*trace.Trace, []*trace.Outline) { return x.traces, x.outlines }

// Density is how much memory the rows of a trace take by when they start.
func (x *Parts) Density(i int) *trace.Density { return &x.places[i].density }

// survey reads everything once.
func (x *Parts) survey(ctx context.Context) (err error) {
	r := x.r
	if err := r.readFacts(ctx); err != nil {
		return table.Damaged(ctx, err)
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
	r.readStreamWaits(ctx)
	ranks, err := r.readRanks(ctx)
	if err != nil {
		return table.Damaged(ctx, err)
	}
	if err := r.words.resolve(ctx, r.src); err != nil {
		return table.Damaged(ctx, fmt.Errorf("table StringIds: %w", err))
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
	err := x.r.src.Scan(ctx, l.table, l.cols, func(b *table.Batch) error {
		err := l.emit(b)
		after()
		return err
	})
	if err != nil {
		return table.Damaged(ctx, fmt.Errorf("table %s: %w", l.table, err))
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
		p.launches.begin()
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
		o.ToDevice = o.ToDevice || s.Kind == trace.Memcpy && s.Bytes > 0 && s.Copy.String() == "h2d"
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
		t.Device, t.API, t.OS, t.Messages = nil, nil, nil, nil
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

// callers are those of a trace by the names that it gives to calls, but for the profiler's
// own marks.
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

// Each hands over all device work of trace i with its launches, in any order. Of
// communication the messages are not among it.
func (x *Parts) Each(ctx context.Context, i int, add func([]trace.Span)) error {
	one, t := x.places[i], x.traces[i]
	kernels := newNames(x.r.words, t.Names, asWritten)
	for _, l := range x.device {
		err := x.scan(ctx, l, func() {
			x.r.finishSpans(t, one.d.spans, &one.p.launches, kernels)
			add(one.d.spans)
			x.forget(nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forget drops the rows that were read, but for those of one place.
func (x *Parts) forget(but *part) {
	for _, p := range x.r.procs.byID {
		if but != nil && but.p == p {
			continue
		}
		for _, d := range p.devices {
			d.spans = d.spans[:0]
		}
		p.api, p.os = p.api[:0], p.os[:0]
	}
}

// Load puts the device work and calls of trace i that start in [from, to) behind what a
// stretch holds.
func (x *Parts) Load(ctx context.Context, i int, from, to int64, into *trace.Stretch) error {
	one, t := x.places[i], x.traces[i]
	one.d.spans, one.p.api, one.p.os = into.Device, into.API, into.OS
	x.file.Want(from, to)
	defer x.file.Want(math.MinInt64, math.MaxInt64)
	for _, l := range slices.Concat(x.device, []tableLoad{x.api, x.os}) {
		if l.emit == nil {
			continue
		}
		if err := x.scan(ctx, starting(l, from, to), func() { x.forget(one) }); err != nil {
			return err
		}
	}
	into.Device, into.API, into.OS = one.d.spans, one.p.api, one.p.os
	one.d.spans, one.p.api, one.p.os = nil, nil, nil
	if one.p.Len() > one.callers {
		return errChanged
	}
	kernels := newNames(x.r.words, t.Names, asWritten)
	fresh := into.Device[into.Carried.Device:]
	x.r.finishSpans(t, fresh, &one.p.launches, kernels)
	kept := slices.DeleteFunc(fresh, func(s trace.Span) bool { return s.Class == trace.Comm })
	first, _ := slices.BinarySearchFunc(one.comm, from, compareStart)
	last, _ := slices.BinarySearchFunc(one.comm, to, compareStart)
	into.Device = append(into.Device[:into.Carried.Device+len(kept)], one.comm[first:last]...)
	os := x.r.finishOS(one.p, into.OS[into.Carried.OS:])
	into.OS = into.OS[:into.Carried.OS+len(os)]
	into.SortFrom()
	return nil
}

func compareStart(s trace.Span, t int64) int { return cmp.Compare(s.Start, t) }

// Calls are the calls of CUDA of trace i that start at given times, in order.
func (x *Parts) Calls(ctx context.Context, i int, starts []int64) ([]trace.Call, error) {
	one := x.places[i]
	if len(starts) == 0 || x.api.emit == nil {
		return nil, nil
	}
	wanted := make(map[int64]bool, len(starts))
	for _, at := range starts {
		wanted[at] = true
	}
	var out trace.Stretch
	from, to := slices.Min(starts), slices.Max(starts)+1
	x.file.Want(from, to)
	defer x.file.Want(math.MinInt64, math.MaxInt64)
	err := x.scan(ctx, starting(x.api, from, to), func() {
		for _, c := range one.p.api {
			if wanted[c.Start] {
				out.API = append(out.API, c)
			}
		}
		x.forget(nil)
	})
	out.SortFrom()
	return out.API, err
}

// starting is a load of those rows alone that start in [from, to). Starts are the first
// column of all of these tables.
func starting(l tableLoad, from, to int64) tableLoad {
	emit := l.emit
	out := table.Batch{Cols: make([][]int64, len(l.cols))}
	l.emit = func(b *table.Batch) error {
		out.N = 0
		for i, start := range b.Cols[0][:b.N] {
			if start < from || start >= to {
				continue
			}
			for c := range out.Cols {
				out.Cols[c] = append(out.Cols[c][:out.N], b.Cols[c][i])
			}
			out.N++
		}
		return emit(&out)
	}
	return l
}

// stretchBytes is about how much memory the rows of a stretch take while they are counted.
const stretchBytes = 32 << 20
