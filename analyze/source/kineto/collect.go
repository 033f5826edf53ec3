package kineto

import (
	"bytes"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

const (
	// longest is how long an event can be: CUPTI now and then reports spans
	// of months, and no step takes a week.
	longest = 7 * 24 * 3600 * int64(1e9)
	// Times are within years 1896 and 2116, so that no difference of two
	// overflows, nor what is added to one.
	earliest, latest = -1 << 61, 1 << 62
	// maxName bounds a name; demangled kernel names reach ten thousand bytes.
	maxName = 16 << 10
)

// collector turns events into spans, ranges and calls.
type collector struct {
	room     trace.Room // for lists that grow
	names    *trace.Names
	messages trace.Messages
	copies   []trace.CopyKind // by name; valid where known
	known    []bool
	shapes   shapes
	voted    int // kernels that these are from

	device []trace.Span // this and what follows is set once all events were read
	links  []uint64     // correlation of each device span
	where  []int32      // device of each device span
	calls  []link
	syncs  []deviceSync
	grows  struct {
		device list[trace.Span]
		links  list[uint64]
		where  list[int32]
		calls  list[link]
		syncs  list[deviceSync]
	}
	procs  []*process
	last   int // index of the process that came last
	places []int32

	threads       map[threadKey]*hostThread
	lastThread    *hostThread
	operatorNames map[string]trace.NameID // by their text in the file
	functionNames map[string]trace.NameID // of Python functions, likewise
	framework     int64                   // operators, modules and functions seen
	plain         plainEvents

	unknown  hostFacts      // of an event whose head is not known
	observed trace.Interval // of the profiler's own spans, or of all events
	total    int64          // events with a time
	zero     int64          // of these, at time 0
	long     int64          // dropped for their duration
	timeless int64          // dropped for lack of a time that can be
	crowd    int64          // dropped because of too many processes or devices
	faulty   faulty         // events whose times say nothing, by what they are
	lacks    []string       // warnings of what the file does not hold whole

	scratch []byte
}

// process is one process of the host.
type process struct {
	pid    int64
	ranges []trace.Range // this and what follows is set once all events were read
	ops    []trace.Range
	funcs  []trace.Range
	gloo   []trace.Call
	api    []trace.Call
	grows  struct {
		ranges list[trace.Range]
		api    list[trace.Call]
	}
}

// link is a call that can have launched the device work of its correlation.
type link struct {
	correlation uint64
	start       int64
	process     int32
	name        trace.NameID
}

type deviceSync struct {
	trace.Sync
	device int32
}

func newCollector(room trace.Room) *collector {
	return &collector{
		room:          room,
		names:         trace.NewNames(),
		threads:       make(map[threadKey]*hostThread),
		operatorNames: make(map[string]trace.NameID),
		functionNames: make(map[string]trace.NameID),
		observed:      trace.Interval{Start: trace.NoTime, End: trace.NoTime},
	}
}

// add takes in one wanted event.
func (c *collector) add(e *event) {
	if e.plain {
		c.addPlain(e)
	}
	if e.kind == kindPython || e.kind == kindOp && !e.marker() {
		c.addOperator(e)
		return
	}
	start, end, ok := c.times(e)
	if !ok {
		return
	}
	switch {
	case e.kind == kindWindow: // observed is all there is to know
	case e.kind.device():
		c.addDevice(e, start, end)
	case e.kind == kindSync:
		c.addSync(e, start, end)
	case e.kind == kindCall:
		c.addCall(e, start, end)
	default:
		h, ok := c.host(e)
		if !ok {
			return
		}
		c.procs[h.process].grows.ranges.push(c.room, trace.Range{Start: start, End: end, Name: h.name, Thread: h.thread})
	}
}

// times returns when the event was, in nanoseconds of the file's own clock.
func (c *collector) times(e *event) (start, end int64, ok bool) {
	start, ok = e.begins()
	if !ok || start < earliest || start > latest {
		c.timeless++
		c.faulty.noTime(e)
		return 0, 0, false
	}
	dur, ok := e.lasts()
	if !ok || dur < 0 {
		dur = 0
		c.faulty.noEnd(e, string(c.clean(e.name)))
	}
	if end = start + dur; dur > longest || end < start {
		c.long++
		c.faulty.noTime(e)
		return 0, 0, false
	}
	c.total++
	if start == 0 {
		c.zero++
	} else {
		c.observe(start, end)
	}
	return start, end, true
}

func (c *collector) observe(start, end int64) {
	if c.observed.Start == trace.NoTime || start < c.observed.Start {
		c.observed.Start = start
	}
	c.observed.End = max(c.observed.End, end)
}

func (c *collector) addCall(e *event, start, end int64) {
	h, ok := c.host(e)
	if !ok {
		return
	}
	c.procs[h.process].grows.api.push(c.room, trace.Call{Start: start, End: end, Name: h.name, Thread: h.thread})
	if id := identifier(e.correlation); id != 0 {
		c.grows.calls.push(c.room, link{id, start, int32(h.process), h.name})
	}
}

// host is the process, thread and name of a call or a range; false where there are too
// many processes.
func (c *collector) host(e *event) (*hostFacts, bool) {
	h := c.facts(e)
	if h.known {
		return h, true
	}
	i, ok := c.process(e.pid)
	h.known, h.process, h.thread = ok, i, thread(e.tid)
	if e.kind == kindCall {
		h.name = c.name(e.name)
	} else {
		h.name = c.rangeName(e.name)
	}
	return h, ok
}

// facts are what is known of an event's head, nothing where the head is not known.
func (c *collector) facts(e *event) *hostFacts {
	if e.head != nil {
		return &e.head.host
	}
	c.unknown = hostFacts{}
	return &c.unknown
}

// addSync keeps a synchronization; its type is in its name.
func (c *collector) addSync(e *event, start, end int64) {
	place, ok := c.place(e)
	if !ok {
		return
	}
	s := deviceSync{trace.Sync{Start: start, End: end, Stream: stream(e)}, place}
	switch name := string(bytes.ToLower(e.name)); {
	case strings.Contains(name, "stream wait event"):
		s.Type = 2
	case strings.Contains(name, "event"):
		s.Type = 1
	case strings.Contains(name, "stream"):
		s.Type = 3
	case strings.Contains(name, "context"), strings.Contains(name, "device"):
		s.Type = 4
	}
	c.grows.syncs.push(c.room, s)
}

// maxPlaces bounds the processes and the devices of a file: each gets traces.
const maxPlaces = 256

// process returns the index of the process of a pid; a pid that is no number
// is taken for 0.
func (c *collector) process(pid []byte) (int, bool) {
	n, _ := integer(pid)
	if c.last < len(c.procs) && c.procs[c.last].pid == n {
		return c.last, true
	}
	c.last = slices.IndexFunc(c.procs, func(p *process) bool { return p.pid == n })
	if c.last < 0 {
		c.last = len(c.procs)
		if c.last == maxPlaces {
			c.crowd++
			return 0, false
		}
		c.procs = append(c.procs, &process{pid: n})
	}
	return c.last, true
}

// nameOf is the name of device work.
func (c *collector) nameOf(e *event) trace.NameID {
	h := c.facts(e)
	if !h.known {
		h.name, h.known = c.name(e.name), true
	}
	return h.name
}

// name interns a text of the window.
func (c *collector) name(raw []byte) trace.NameID {
	return c.names.IDBytes(c.clean(raw))
}

func (c *collector) clean(raw []byte) []byte {
	s := plain(c.scratch[:0], raw)
	if len(s) > 0 && &s[0] != &raw[0] {
		c.scratch = s
	}
	if len(s) > maxName {
		s = bytes.ToValidUTF8(s[:maxName], nil)
	}
	return s
}

// rangeName interns the name of a range without what makes each one unique.
func (c *collector) rangeName(raw []byte) trace.NameID {
	s := c.clean(raw)
	if bytes.Contains(s, []byte(" = ")) {
		return c.names.ID(kernelname.CanonicalRange(string(s)))
	}
	return c.names.IDBytes(s)
}

// stream is the stream of a device event: 0 is one, and -1 is none.
func stream(e *event) int32 {
	if n, ok := integer(e.stream); ok {
		return int32(n)
	}
	n, _ := trailing(e.tid) // "stream 7"
	return int32(n)
}

// place is the device of an event, which its pid repeats.
func (c *collector) place(e *event) (int32, bool) {
	n, ok := integer(e.device)
	if !ok {
		n, _ = trailing(e.pid)
	}
	if d := int32(n); slices.Contains(c.places, d) {
		return d, true
	}
	if len(c.places) == maxPlaces {
		c.crowd++
		return 0, false
	}
	c.places = append(c.places, int32(n))
	return int32(n), true
}

// thread is the id of a host thread, which can be a text that ends in it.
func thread(tid []byte) int32 {
	n, ok := integer(tid)
	if !ok {
		n, _ = trailing(tid)
	}
	return int32(n)
}
