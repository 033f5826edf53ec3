package kineto

import (
	"bytes"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

const (
	// maxDuration is how long an event can be, in ns. CUPTI now and then reports spans of
	// months, and no step takes a week.
	maxDuration = 7 * 24 * 3600 * int64(1e9)
	// Times are within years 1896 and 2116, so that no difference of two
	// overflows, nor what is added to one.
	earliest, latest = -1 << 61, 1 << 62
)

// texts makes names of the texts of events.
type texts struct {
	names         *trace.Names
	scratch       []byte
	operatorNames map[string]trace.NameID // by their text in the file
	functionNames map[string]trace.NameID // of Python functions, likewise
}

// hostThreads are the threads of the host, with what the framework did on them.
type hostThreads struct {
	names       *trace.Names
	threads     map[threadKey]*hostThread
	threadNames map[threadOf]string // nil: no thread has one
	lastThread  *hostThread
}

// collector makes spans, ranges and calls of events.
type collector struct {
	texts
	hostThreads
	room       trace.Room // for lists that grow
	names      *trace.Names
	messages   trace.Messages
	strided    rankLists        // of groups with too many ranks to be listed beside a collective
	copies     []trace.CopyKind // by name; valid where known
	known      []bool
	shapes     build.Shapes
	shapesSeen int // kernels whose shape was counted in shapes

	device      []trace.Span // this and what follows is set once all events were read
	links       []uint64     // correlation of each device span
	deviceOf    []int32      // device of each device span
	launchCalls launchCalls
	syncs       []deviceSync
	grows       struct {
		device build.List[trace.Span]
		links  build.List[uint64]
		where  build.List[int32]
		calls  build.List[launchCall]
		syncs  build.List[deviceSync]
	}
	procs       []*process
	memory      build.Memories[processDevice]
	lastProcess int     // index into procs of the process of the event before
	devices     []int32 // ordinals of the devices seen

	framework int64 // number of operators, modules and functions
	counted   counting
	plain     plainEvents

	unknownHead hostFacts        // facts of the current event, where its head is not remembered
	observed    build.Observed   // when the profiler observed, by its own events or else by all events
	total       int64            // events with a usable time
	atZero      int64            // those of them at time 0
	tooLong     int64            // events dropped for a duration above maxDuration
	timeless    int64            // events dropped for a missing or impossible time
	overCrowded int64            // events dropped because there were too many processes or devices
	unread      map[string]int64 // events of devices of kinds that are not read, by category, once all were read
	badTimes    badTimes         // events with unusable times, by what they are
	losses      build.Losses     // what the file lacks

}

// process is one process of the host.
type process struct {
	pid       int64
	ranges    []trace.Range // this and what follows is set once all events were read
	operators []trace.Range
	functions []trace.Range
	counted   []trace.Operation
	gloo      []trace.Call
	api       []trace.Call
	grows     struct {
		ranges build.List[trace.Range]
		api    build.List[trace.Call]
	}
}

// launchCall is a call that may have launched the device work with its correlation.
type launchCall struct {
	correlation uint64
	start       int64
	process     int32
	name        trace.NameID
}

// launchCalls holds all calls that launch, once they were read: in order of correlation, start and process.
type launchCalls []launchCall

type deviceSync struct {
	trace.Sync
	device         int32
	on             int32  // of a stream that waits: the other stream
	call, recorded uint64 // correlations of the calls that made the wait and the event; 0: unknown
}

func newCollector(room trace.Room) *collector {
	names := trace.NewNames()
	return &collector{
		room:   room,
		names:  names,
		memory: make(build.Memories[processDevice]),
		texts: texts{names: names, operatorNames: make(map[string]trace.NameID),
			functionNames: make(map[string]trace.NameID)},
		hostThreads: hostThreads{names: names, threads: make(map[threadKey]*hostThread)},
	}
}

// add takes an event that matters.
func (c *collector) add(e *event) {
	if e.plain {
		c.addPlain(e)
	}
	if e.describesGroup() {
		c.addStride(e)
	} else if e.startsCollective() {
		c.addStarted(e)
	}
	if e.kind == kindPython || e.kind == kindOp && !e.isMarker() {
		c.addOperator(e)
		return
	}
	if e.namesThread() {
		c.nameThread(e)
		return
	}
	if !e.isComplete() {
		c.addMemory(e)
		return
	}
	start, end, ok := c.timeOf(e)
	if !ok {
		return
	}
	switch {
	case e.kind == kindObserved: // observed is all there is to know
	case e.kind.device():
		c.addDevice(e, start, end)
	case e.kind == kindSync:
		c.addSync(e, start, end)
	case e.kind == kindCall:
		c.addCall(e, start, end)
	default:
		h, ok := c.hostOf(e)
		if !ok {
			return
		}
		c.procs[h.process].grows.ranges.Push(c.room, trace.Range{Start: start, End: end, Name: h.name, Thread: h.thread})
	}
}

// timeOf returns the time of an event in ns of the file's own clock. ok is false for an event that
// has to be dropped.
func (c *collector) timeOf(e *event) (start, end int64, ok bool) {
	start, ok = e.startTime()
	if !ok || start < earliest || start > latest {
		c.timeless++
		c.badTimes.countNoTime(e)
		return 0, 0, false
	}
	dur, ok := e.duration()
	if !ok || dur < 0 {
		dur = 0
		c.badTimes.countNoDuration(e, string(c.unescape(e.name)))
	}
	if end = start + dur; dur > maxDuration || end < start {
		c.tooLong++
		c.badTimes.countNoTime(e)
		return 0, 0, false
	}
	c.total++
	if start == 0 {
		c.atZero++
	} else {
		c.observed.Add(start, end)
	}
	return start, end, true
}

func (c *collector) addCall(e *event, start, end int64) {
	h, ok := c.hostOf(e)
	if !ok {
		return
	}
	c.procs[h.process].grows.api.Push(c.room, c.names.Call(start, end, h.name, h.thread))
	if id := identifier(e.correlation); id != 0 {
		c.grows.calls.Push(c.room, launchCall{id, start, int32(h.process), h.name})
	}
}

// hostOf returns the process, thread and name of a call or a range. It is false where there are too
// many processes.
func (c *collector) hostOf(e *event) (*hostFacts, bool) {
	h := c.headFacts(e)
	if h.known {
		return h, true
	}
	i, ok := c.process(e.pid)
	h.known, h.process, h.thread = ok, i, threadID(e.tid)
	if e.kind == kindCall {
		h.name = c.internName(e.name)
	} else {
		h.name = c.rangeName(e.name)
	}
	return h, ok
}

// headFacts returns what is known about the event's head. For a head that is not remembered it is empty, and is filled
// for this event alone.
func (c *collector) headFacts(e *event) *hostFacts {
	if e.head != nil {
		return &e.head.host
	}
	c.unknownHead = hostFacts{}
	return &c.unknownHead
}

// addSync keeps a synchronization. Its type is found in its name.
func (c *collector) addSync(e *event, start, end int64) {
	place, ok := c.deviceIndex(e)
	if !ok {
		return
	}
	s := deviceSync{Sync: trace.Sync{Start: start, End: end, Stream: streamOf(e)}, device: place}
	switch name := string(bytes.ToLower(e.name)); {
	case strings.Contains(name, "stream wait event"):
		s.Type = 2
		if on, ok := integer(e.waitOn); ok {
			s.on, s.call, s.recorded = int32(on), identifier(e.correlation), identifier(e.recordedBy)
		}
	case strings.Contains(name, "event"):
		s.Type = 1
	case strings.Contains(name, "stream"):
		s.Type = 3
	case strings.Contains(name, "context"), strings.Contains(name, "device"):
		s.Type = 4
	}
	c.grows.syncs.Push(c.room, s)
}

// process returns the index of the process with a pid. A pid that is no number counts as 0.
func (c *collector) process(pid []byte) (int, bool) {
	n, _ := integer(pid)
	if c.lastProcess < len(c.procs) && c.procs[c.lastProcess].pid == n {
		return c.lastProcess, true
	}
	c.lastProcess = slices.IndexFunc(c.procs, func(p *process) bool { return p.pid == n })
	if c.lastProcess < 0 {
		c.lastProcess = len(c.procs)
		if c.lastProcess == build.MaxPlaces {
			c.overCrowded++
			return 0, false
		}
		c.procs = append(c.procs, &process{pid: n})
	}
	return c.lastProcess, true
}

// deviceName returns the id of the name of a kernel, copy or set.
func (c *collector) deviceName(e *event) trace.NameID {
	h := c.headFacts(e)
	if !h.known {
		h.name, h.known = c.internName(e.name), true
	}
	return h.name
}

// internName returns the id of a text in the window.
func (c *texts) internName(raw []byte) trace.NameID {
	return c.names.IDBytes(c.unescape(raw))
}

// unescape returns a text of the window without JSON's escapes, of build.MaxName bytes at most. It is
// valid until the next call.
func (c *texts) unescape(raw []byte) []byte {
	s := unescapeText(c.scratch[:0], raw)
	if len(s) > 0 && &s[0] != &raw[0] {
		c.scratch = s
	}
	if len(s) > build.MaxName {
		s = bytes.ToValidUTF8(s[:build.MaxName], nil)
	}
	return s
}

// rangeName returns the id of a range's name, without the parts that differ in each occurrence.
func (c *texts) rangeName(raw []byte) trace.NameID {
	s := c.unescape(raw)
	if bytes.Contains(s, []byte(" = ")) {
		return c.names.ID(kernelname.CanonicalRange(string(s)))
	}
	return c.names.IDBytes(s)
}

// streamOf returns the stream of a device event. Stream 0 is one; -1 says that there is none.
func streamOf(e *event) int32 {
	if n, ok := integer(e.stream); ok {
		return int32(n)
	}
	n, _ := trailingNumber(e.tid) // "stream 7"
	return int32(n)
}

// deviceIndex returns the ordinal of an event's device, which stands in its arguments or in its pid.
// It is false where there are too many.
func (c *collector) deviceIndex(e *event) (int32, bool) {
	n, ok := integer(e.device)
	if !ok {
		n, _ = trailingNumber(e.pid)
	}
	if d := int32(n); slices.Contains(c.devices, d) {
		return d, true
	}
	if len(c.devices) == build.MaxPlaces {
		c.overCrowded++
		return 0, false
	}
	c.devices = append(c.devices, int32(n))
	return int32(n), true
}

// threadID returns the number of a host thread. A tid that is a text ends in it.
func threadID(tid []byte) int32 {
	n, ok := integer(tid)
	if !ok {
		n, _ = trailingNumber(tid)
	}
	return int32(n)
}
