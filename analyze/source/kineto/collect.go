package kineto

import (
	"bytes"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

const (
	// longest is how long an event can be: CUPTI now and then reports spans
	// of months, and no step takes a week.
	longest = 7 * 24 * 3600 * int64(1e9)
	// maxName bounds a name; demangled kernel names reach ten thousand bytes.
	maxName = 16 << 10
)

// collector turns events into spans, ranges and calls.
type collector struct {
	names  *trace.Names
	copies []trace.CopyKind // by name; valid where known
	known  []bool

	device []trace.Span
	links  []uint64 // correlation of each device span
	where  []int32  // device of each device span
	syncs  []deviceSync
	calls  []link
	procs  []*process
	last   int // index of the process that came last
	places []int32

	observed trace.Interval // of the profiler's own spans, or of all events
	total    int64          // events with a time
	zero     int64          // of these, at time 0
	long     int64          // dropped for their duration
	timeless int64          // dropped for lack of a time
	crowd    int64          // dropped because of too many processes or devices

	scratch []byte
}

// process is one process of the host.
type process struct {
	pid    int64
	ranges []trace.Range
	api    []trace.Call
}

// link is a call that can have launched the device work of its correlation.
type link struct {
	correlation uint64
	start       int64
	process     int32
}

type deviceSync struct {
	trace.Sync
	device int32
}

func newCollector() *collector {
	return &collector{
		names:    trace.NewNames(),
		observed: trace.Interval{Start: trace.NoTime, End: trace.NoTime},
	}
}

// add takes in one wanted event.
func (c *collector) add(e *event) {
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
		i, ok := c.process(e.pid)
		if !ok {
			return
		}
		p := c.procs[i]
		p.ranges = append(p.ranges, trace.Range{Start: start, End: end, Name: c.rangeName(e.name), Thread: thread(e.tid)})
	}
}

// times returns when the event was, in nanoseconds of the file's own clock.
func (c *collector) times(e *event) (start, end int64, ok bool) {
	start, ok = nanoseconds(e.ts)
	if !ok {
		c.timeless++
		return 0, 0, false
	}
	dur, ok := nanoseconds(e.dur)
	if !ok || dur < 0 {
		dur = 0
	}
	if end = start + dur; dur > longest || end < start {
		c.long++
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

func (c *collector) addDevice(e *event, start, end int64) {
	place, ok := c.place(e)
	if !ok {
		return
	}
	s := trace.Span{Start: start, End: end, Launch: trace.NoTime, Name: c.name(e.name), Stream: stream(e)}
	s.Bytes, _ = integer(e.bytes)
	switch e.kind {
	case kindKernel:
		s.Kind = trace.Kernel
		s.Class, s.Coll = c.names.Kernel(s.Name)
		if e.collective != nil {
			s.Class = trace.Comm
		}
		if s.Class == trace.Comm {
			c.collective(e, &s)
		}
	case kindMemcpy:
		s.Kind, s.Class, s.Copy = trace.Memcpy, trace.Memory, c.copyKind(s.Name)
	default:
		s.Kind, s.Class = trace.Memset, trace.Memory
	}
	c.device = append(c.device, s)
	c.links = append(c.links, identifier(e.correlation))
	c.where = append(c.where, place)
}

// collective takes the collective from the arguments, which know more than the
// name of the kernel: all-to-all is a SendRecv kernel, and on ROCm every
// collective is called Generic.
func (c *collector) collective(e *event, s *trace.Span) {
	if name := trace.CollectiveName(string(e.collective)); len(e.collective) > 0 && (name != "Generic" || s.Coll == 0) {
		s.Coll = c.names.ID(name)
	}
	n, _ := integer(e.in)
	if c.names.Text(s.Coll) == "AllGather" {
		n, _ = integer(e.out)
	}
	if size := elementSize(string(e.dtype)); n > 0 && n < 1<<59 {
		s.Bytes = n * size
	}
}

// elementSize is the size in bytes of one element as PyTorch names its types;
// 0 for one that is not known.
func elementSize(dtype string) int64 {
	t := strings.ToLower(strings.TrimPrefix(dtype, "c10::"))
	switch t {
	case "double", "long", "float64", "int64", "complexfloat", "complex64":
		return 8
	case "float", "int", "float32", "int32":
		return 4
	case "bfloat16", "half", "short", "float16", "int16":
		return 2
	case "byte", "char", "bool", "uint8", "int8":
		return 1
	case "complexdouble", "complex128":
		return 16
	}
	if strings.HasPrefix(t, "float8_") {
		return 1
	}
	return 0
}

// copyKind is the direction that a copy's name gives, as of CUDA ("Memcpy HtoD
// (Pinned -> Device)") or ROCm ("CopyHostToDevice"). It is worked out once a
// name.
func (c *collector) copyKind(id trace.NameID) trace.CopyKind {
	for len(c.known) <= int(id) {
		c.known = append(c.known, false)
		c.copies = append(c.copies, trace.CopyUnknown)
	}
	if !c.known[id] {
		c.known[id], c.copies[id] = true, direction(c.names.Text(id))
	}
	return c.copies[id]
}

var directions = []struct {
	text string
	kind trace.CopyKind
}{
	{"htod", trace.HostToDev}, {"hosttodevice", trace.HostToDev},
	{"dtoh", trace.DevToHost}, {"devicetohost", trace.DevToHost},
	{"dtod", trace.DevToDev}, {"devicetodevice", trace.DevToDev},
	{"ptop", trace.PeerToPeer}, {"peertopeer", trace.PeerToPeer},
	{"htoh", trace.HostToHost}, {"hosttohost", trace.HostToHost},
	{"htoa", 3}, {"atoh", 4}, {"atoa", 5}, {"atod", 6}, {"dtoa", 7}, // CUPTI: arrays
}

func direction(name string) trace.CopyKind {
	name = strings.ToLower(name)
	for _, d := range directions {
		if strings.Contains(name, d.text) {
			return d.kind
		}
	}
	return trace.CopyUnknown
}

func (c *collector) addCall(e *event, start, end int64) {
	i, ok := c.process(e.pid)
	if !ok {
		return
	}
	p := c.procs[i]
	p.api = append(p.api, trace.Call{Start: start, End: end, Name: c.name(e.name), Thread: thread(e.tid)})
	if id := identifier(e.correlation); id != 0 {
		c.calls = append(c.calls, link{id, start, int32(i)})
	}
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
	c.syncs = append(c.syncs, s)
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
		return c.names.ID(trace.CanonicalRange(string(s)))
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
