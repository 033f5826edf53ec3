package xla

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// builder makes traces of the events of planes.
type builder struct {
	file, format string
	host         string
	began        int64 // UTC ns at which the capture began, 0 unknown
	errors       int   // that the profiler reports
	capped       int64 // events that a file of limited length holds; 0: not limited
	names        *trace.Names
	gpus         map[int64]*plane // by ordinal
	tpus         bool
	crowd        int64
	ranges       []trace.Range
	api          []trace.Call
	links        []link           // of api
	words        map[string]*word // by names of events
	shapes       map[trace.NameID]*trace.ShapeVote
	details      map[string]trace.Shape
	untimed      counts
	observed     trace.Interval
}

func newBuilder(file, format string) *builder {
	return &builder{file: file, format: format, names: trace.NewNames(), gpus: make(map[int64]*plane),
		words: make(map[string]*word), shapes: make(map[trace.NameID]*trace.ShapeVote),
		details: make(map[string]trace.Shape), observed: trace.Interval{Start: trace.NoTime, End: trace.NoTime}}
}

// plane is a device, the host, or what nothing is made of.
type plane struct {
	kind    planeKind
	ordinal int64
	gpu     string // model
	memory  int64  // bytes
	spans   []trace.Span
}

type planeKind uint8

const (
	planeOther planeKind = iota
	planeGPU
	planeHost
	planeFacts // says something of the capture and has no events
)

var gpuPlane = regexp.MustCompile(`^/device:GPU:(\d+)`)

// maxDevices bounds the devices of a file: each gets a trace.
const maxDevices = 256

// wants reports whether anything is made of a plane.
func (b *builder) wants(name string) bool {
	kind, _ := kindOfPlane(name)
	b.tpus = b.tpus || strings.HasPrefix(name, "/device:TPU")
	return kind != planeOther
}

// kindOfPlane is what a plane is by its name. Planes of the host are merged into one when a
// profile is saved, which not all tools do.
func kindOfPlane(name string) (kind planeKind, ordinal int64) {
	if m := gpuPlane.FindStringSubmatch(name); m != nil {
		if n, err := strconv.ParseInt(m[1], 10, 31); err == nil {
			return planeGPU, n
		}
	}
	for _, host := range []string{"/host:CPU", "/host:CUPTI", "/host:ROCTRACER", "/host:NVTX-CUPTI"} {
		if name == host || strings.HasPrefix(name, host+" ") {
			return planeHost, 0
		}
	}
	if name == "Task Environment" {
		return planeFacts, 0
	}
	return planeOther, 0
}

// plane is the plane of that name.
func (b *builder) plane(name string) *plane {
	kind, ordinal := kindOfPlane(name)
	if kind != planeGPU {
		return &plane{kind: kind}
	}
	if b.gpus[ordinal] == nil {
		if len(b.gpus) == maxDevices {
			b.crowd++
			return &plane{}
		}
		b.gpus[ordinal] = &plane{kind: kind, ordinal: ordinal}
	}
	return b.gpus[ordinal]
}

// line is a stream of a device or a thread of the host.
type line struct {
	*plane
	kind   lineKind
	number int32 // of the stream or thread
}

type lineKind uint8

const (
	lineOther lineKind = iota
	lineStream
	lineThread
)

var streamLine = regexp.MustCompile(`^Stream #(\d+)`)

// line is a line of a plane, by its number and name. Of a device only streams have work of
// their own.
func (b *builder) line(p *plane, id int64, name string) *line {
	l := &line{plane: p}
	switch p.kind {
	case planeHost:
		l.kind, l.number = lineThread, int32(id&(1<<31-1))
	case planeGPU:
		if m := streamLine.FindStringSubmatch(name); m != nil {
			if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				l.kind, l.number = lineStream, int32(n&(1<<31-1))
			}
		}
	}
	return l
}

// spanBytes is what an event takes in memory while it is read.
const spanBytes = 48 + 16

// add takes an event of a line.
func (b *builder) add(l *line, e *event) {
	if e.word == nil {
		e.word = b.word("")
	}
	if l.kind == lineStream {
		b.addWork(l, e)
		return
	}
	switch {
	case e.host == hostCall && b.holds(e, trace.Calls):
		if e.id == 0 {
			name, _, _ := strings.Cut(e.name, " (") // the number of a graph
			e.id = b.id(name)
		}
		b.api = append(b.api, trace.Call{Start: e.start, End: e.end, Name: e.id, Thread: l.number})
		b.links = append(b.links, link{e.correlation, e.device})
	case e.host == hostRange && b.holds(e, trace.Ranges):
		b.ranges = append(b.ranges, trace.Range{Start: e.start, End: e.end, Name: b.rangeName(e), Thread: l.number})
	}
}

// rangeName is the name of a range, with the number of a step.
func (b *builder) rangeName(e *event) trace.NameID {
	if e.has(statStep) {
		return b.id(stepName(canonical(e.name), e.step))
	}
	if e.id == 0 {
		e.id = b.id(canonical(e.name))
	}
	return e.id
}

// canonical is a range's name without what differs in each.
func canonical(name string) string {
	return kernelname.CanonicalRange(strings.TrimPrefix(name, "NVTX:"))
}

// stepName is the name of a range that StepTraceAnnotation made, with its number as programs
// write it that name their ranges themselves: "train_step 7", "train step 7".
func stepName(name string, number int64) string {
	if with := fmt.Sprintf("%s %d", name, number); kernelname.NumberedStep.MatchString(with) {
		return with
	}
	return fmt.Sprintf("%s step %d", name, number)
}

// addWork takes an event of a stream.
func (b *builder) addWork(l *line, e *event) {
	kind := e.kind()
	of := trace.Kernels
	switch kind {
	case trace.KindUnknown:
		return
	case trace.Memcpy, trace.Memset:
		of = trace.Copies
	}
	if !b.holds(e, of) {
		return
	}
	if e.id == 0 {
		e.id = b.id(e.name)
	}
	s := trace.Span{Start: e.start, End: e.end, Launch: e.correlation, Stream: l.number, Kind: kind, Name: e.id}
	switch kind {
	case trace.Kernel:
		if !e.asked {
			e.class, e.coll = b.names.Kernel(e.id)
			e.asked = true
		}
		s.Class, s.Coll = e.class, b.collective(e)
		b.vote(s.Name, e.details)
	case trace.Memcpy:
		s.Class, s.Copy, s.Bytes = trace.Memory, copies[e.name], detail(e.details, "size")
		s.Host = hostMemory(s.Copy, e.details)
	case trace.Memset:
		s.Class, s.Bytes = trace.Memory, detail(e.details, "num_bytes")
	}
	l.spans = append(l.spans, s)
}

// counts are how many events of a content there are, and how many of them have no times.
type counts struct{ kernels, copies, calls, ranges trace.Share }

func (c *counts) of(content trace.Content) *trace.Share {
	switch content {
	case trace.Kernels:
		return &c.kernels
	case trace.Copies:
		return &c.copies
	case trace.Calls:
		return &c.calls
	}
	return &c.ranges
}

// holds counts an event of a content, and reports whether its times can be.
func (b *builder) holds(e *event, of trace.Content) bool {
	share := b.untimed.of(of)
	share.All++
	ok := !e.timeless && e.start <= e.end
	if !ok {
		share.Some++
	} else {
		if b.observed.Start == trace.NoTime {
			b.observed = trace.Interval{Start: e.start, End: e.end}
		}
		b.observed = trace.Interval{Start: min(b.observed.Start, e.start), End: max(b.observed.End, e.end)}
	}
	return ok
}

// collective is what a kernel of communication does. Kernels of RCCL are all called Generic, and
// an all-to-all is one that sends and receives, of which the program's operation says more.
func (b *builder) collective(e *event) trace.NameID {
	if e.class == trace.Comm && e.operation != "" {
		if ran := b.names.Text(e.coll); ran == "Generic" || ran == "SendRecv" {
			if coll := collectiveOf(e.operation); coll != "" {
				return b.names.ID(coll)
			}
		}
	}
	return e.coll
}

// maxName is the longest name that is kept, in bytes.
const maxName = 16 << 10

func (b *builder) id(name string) trace.NameID {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return b.names.ID(name)
}

// vote counts how a kernel was launched.
func (b *builder) vote(name trace.NameID, details string) {
	s, known := b.details[details]
	if !known {
		s = shapeOf(details)
		b.details[details] = s
	}
	if !s.Known() {
		return
	}
	if b.shapes[name] == nil {
		b.shapes[name] = new(trace.ShapeVote)
	}
	b.shapes[name].Add(s)
}

var (
	errTPU     = errors.New("a profile of TPUs, of which the planes of GPUs are missing (perfdiff reads GPUs)")
	errNothing = errors.New("it holds no work of a GPU and no ranges (record with jax.profiler.trace around the steps)")
)

// traces makes a trace for each device with work, or one of the host's ranges.
func (b *builder) traces() ([]*trace.Trace, error) {
	kernels := b.link()
	devices := slices.DeleteFunc(slices.Sorted(maps.Keys(b.gpus)), func(n int64) bool { return len(b.gpus[n].spans) == 0 })
	switch {
	case len(devices) > 0:
	case b.tpus:
		return nil, errTPU
	case len(b.ranges) == 0:
		return nil, errNothing
	}
	if len(devices) == 0 {
		return []*trace.Trace{b.trace(&plane{ordinal: -1}, trace.Share{}, b.ranges, b.api)}, nil
	}
	var all []*trace.Trace
	for i, n := range devices {
		ranges, api := b.ranges, b.api
		if i < len(devices)-1 {
			ranges, api = slices.Clone(ranges), slices.Clone(api)
		}
		all = append(all, b.trace(b.gpus[n], kernels, ranges, api))
	}
	return all, nil
}

func (b *builder) trace(p *plane, kernels trace.Share, ranges []trace.Range, api []trace.Call) *trace.Trace {
	t := &trace.Trace{File: b.file, Format: b.format, Names: b.names, Device: p.spans, Ranges: ranges, API: api,
		Identity: trace.Identity{Rank: -1, Host: b.host, Device: int(p.ordinal)},
		Shapes:   b.majority(), Epoch: b.epoch()}
	if b.observed.Start != trace.NoTime {
		t.Capture = b.observed
	}
	t.Sort()
	t.Recorded = recorded(t)
	t.Facts = append(t.Facts, trace.Fact{Key: trace.FactProfiler, Value: "XLA profiler"})
	if p.gpu != "" {
		t.Facts = append(t.Facts, trace.Fact{Key: trace.FactGPU, Value: p.gpu})
	}
	if p.memory > 0 {
		t.Facts = append(t.Facts, trace.Fact{Key: trace.FactGPUMemory, Value: strconv.FormatInt(p.memory, 10)})
	}
	slices.SortFunc(t.Facts, func(a, b trace.Fact) int { return cmp.Compare(a.Key, b.Key) })
	b.warn(t)
	t.CheckLaunches(kernels, again, "record with jax.profiler.trace")
	return t
}

// epochTimeFrom is the least time stamp, in ns, that is one since 1970: it is in the year 2001.
const epochTimeFrom = int64(1e18)

// epoch is the UTC time of time stamp 0. Saved profiles begin at 0.
func (b *builder) epoch() int64 {
	switch {
	case b.observed.Start >= epochTimeFrom:
		return 0
	case b.began >= epochTimeFrom && b.began < maxTime:
		return b.began
	}
	return trace.NoTime
}

func (b *builder) majority() map[trace.NameID]trace.Shape {
	out := make(map[trace.NameID]trace.Shape)
	for name, v := range b.shapes {
		if v.Shape.Known() {
			out[name] = v.Shape
		}
	}
	return out
}

// recorded says which kinds of activity the capture recorded.
func recorded(t *trace.Trace) (out trace.Recorded) {
	if len(t.Ranges) > 0 {
		out |= trace.HasRanges
	}
	for i := range t.Device {
		out |= trace.HasDevice
		if t.Device[i].Launch != trace.NoTime {
			out |= trace.HasLaunches
		}
		if t.Device[i].Kind == trace.Memcpy && t.Device[i].Bytes > 0 {
			out |= trace.HasMemcpyBytes
		}
		if t.Device[i].Host != trace.HostUnknown {
			out |= trace.HasCopyKinds
		}
		if t.Device[i].Kind == trace.Graph {
			out |= trace.HasGraphs
		}
	}
	return out
}

// link is the correlation id of a call, and the device that it says to be for.
type link struct{ correlation, device int64 }

// launch is a call by its correlation id.
type launch struct {
	id, start int64
	device    int64 // that it says to be for, 0 where it says none
	at        int32 // place among the calls
}

// link replaces the correlation ids of spans by the starts of the calls, of several with one id
// that of the first, which is the outer one. It returns how many launches have no kernel.
func (b *builder) link() trace.Share {
	calls := make([]launch, 0, len(b.api))
	for i, l := range b.links {
		if l.correlation > 0 {
			calls = append(calls, launch{l.correlation, b.api[i].Start, l.device, int32(i)})
		}
	}
	slices.SortFunc(calls, func(a, b launch) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.start, b.start)) })
	answered := make([]bool, len(b.api))
	for _, p := range b.gpus {
		for i := range p.spans {
			s := &p.spans[i]
			at, ok := findLaunch(calls, s.Launch, p.ordinal)
			if s.Launch = trace.NoTime; ok {
				s.Launch, answered[calls[at].at] = calls[at].start, true
			}
		}
	}
	answerAll(calls, answered)
	as := make(map[trace.NameID]trace.Launch)
	var followed []trace.Launched
	for i, c := range b.api {
		does, known := as[c.Name]
		if !known {
			does = trace.LaunchOf(b.names.Text(c.Name))
			as[c.Name] = does
		}
		if does != trace.LaunchesNothing {
			followed = append(followed, trace.Launched{Start: c.Start, Lane: c.Thread, As: does, Answered: answered[i]})
		}
	}
	kernels, _ := trace.Unanswered(followed)
	return kernels
}

// findLaunch is the place of the call with a correlation id, of several with one id the first
// that is for the device, else the first. Ids are unique within a process; of a file that was put
// together of several the devices tell them apart.
func findLaunch(calls []launch, id, device int64) (at int, ok bool) {
	at, ok = slices.BinarySearchFunc(calls, id, func(l launch, want int64) int { return cmp.Compare(l.id, want) })
	const most = 64 // processes of a file, of calls with one id
	for i := at; ok && i < min(at+most, len(calls)) && calls[i].id == id; i++ {
		if calls[i].device == device {
			return i, true
		}
	}
	return at, ok
}

// answerAll takes all calls with one id for one device as answered where one of them is.
func answerAll(calls []launch, answered []bool) {
	for i := 1; i < len(calls); i++ {
		if calls[i].id == calls[i-1].id && calls[i].device == calls[i-1].device && answered[calls[i-1].at] {
			answered[calls[i].at] = true
		}
	}
}

// contents are those whose times are counted, for people.
var contents = []struct {
	of   trace.Content
	what string
}{
	{trace.Kernels, "kernels"}, {trace.Copies, "copies and sets"},
	{trace.Calls, "calls of CUDA"}, {trace.Ranges, "ranges"},
}

// warn says what the file lacks.
func (b *builder) warn(t *trace.Trace) {
	say := func(format string, args ...any) {
		t.Warnings = append(t.Warnings, trace.Warning{File: b.file, Text: fmt.Sprintf(format, args...)})
	}
	for _, x := range contents {
		if n := *b.untimed.of(x.of); x.of.Beyond(n.Some, n.All) {
			t.Lose(x.of, fmt.Sprintf("times of %s: %d of %d have none that can be (%s)", x.what, n.Some, n.All, again))
			say("lacks times of %s: %d of %d have none that can be (%s)", x.what, n.Some, n.All, again)
		} else if n.Some > 0 {
			say("%d of %d %s were left out: their times cannot be", n.Some, n.All, x.what)
		}
	}
	if b.errors > 0 {
		say("the profiler reports errors in it (%d), so that work may be missing (%s, of fewer steps)", b.errors, again)
	}
	if b.capped > 0 {
		say("it holds the first %d events, as many as traces for viewers do, and what came later is not there "+
			"(give the .xplane.pb beside it)", b.capped)
	}
	if b.crowd > 0 {
		say("%d devices were left out: a file can have %d", b.crowd, maxDevices)
	}
}
