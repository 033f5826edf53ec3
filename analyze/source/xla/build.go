package xla

import (
	"fmt"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// builder makes traces of the events of planes.
type builder struct {
	file     string
	room     trace.Room
	host     string
	began    int64 // UTC ns at which the capture began, 0 unknown
	errors   int   // that the profiler reports
	capped   int64 // events that a file of limited length holds; 0: not limited
	names    *trace.Names
	messages trace.Messages   // with the collectives of kernels
	gpus     map[int64]*plane // by ordinal
	tpus     bool
	crowd    int64
	ranges   []trace.Range
	api      []trace.Call
	links    []link           // of api
	words    map[string]*word // by names of events
	shapes   build.Shapes
	details  map[string]trace.Shape
	untimed  build.Tally
	memory   build.Memories[int64] // by ordinal
	observed build.Observed
}

func newBuilder(file string, room trace.Room) *builder {
	return &builder{file: file, room: room, names: trace.NewNames(), gpus: make(map[int64]*plane),
		words: make(map[string]*word), details: make(map[string]trace.Shape), memory: make(build.Memories[int64])}
}

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
			e.id = build.Name(b.names, name)
		}
		b.api = append(b.api, b.names.Call(e.start, e.end, e.id, l.number))
		b.links = append(b.links, link{e.correlation, e.device})
	case e.host == hostAllocation || e.host == hostFree:
		b.addMemory(e, e.host == hostAllocation)
	case e.host == hostRange && b.holds(e, trace.Ranges):
		b.ranges = append(b.ranges, trace.Range{Start: e.start, End: e.end, Name: b.rangeName(e), Thread: l.number})
	}
}

// rangeName returns the name of a range, with the number of a step.
func (b *builder) rangeName(e *event) trace.NameID {
	if e.has(statStep) {
		return build.Name(b.names, stepName(canonical(e.name), e.step))
	}
	if e.id == 0 {
		e.id = build.Name(b.names, canonical(e.name))
	}
	return e.id
}

// canonical returns a range's name without the parts that differ in each.
func canonical(name string) string {
	return kernelname.CanonicalRange(strings.TrimPrefix(name, "NVTX:"))
}

// stepName returns the name of a range that StepTraceAnnotation made, with its number as programs
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
		e.id = build.Name(b.names, e.name)
	}
	s := trace.Span{Start: e.start, End: e.end, Launch: e.correlation, Stream: l.number, Kind: kind, Name: e.id}
	switch kind {
	case trace.Kernel:
		if !e.asked {
			e.class, e.coll = b.names.Kernel(e.id)
			e.asked = true
		}
		if s.Class = e.class; s.Class == trace.Comm {
			s.SetMessage(b.messages.Add(trace.Message{Coll: b.collective(e)}))
		}
		b.vote(s.Name, e.details)
	case trace.Memcpy:
		direction := copies[e.name]
		s.Class, s.Copy = trace.Memory, direction.With(hostMemory(direction, e.details))
		s.SetBytes(detail(e.details, "size"))
	case trace.Memset:
		s.Class = trace.Memory
		s.SetBytes(detail(e.details, "num_bytes"))
	}
	l.spans = append(l.spans, s)
}

// holds counts an event of a content, and reports whether its times can be.
func (b *builder) holds(e *event, of trace.Content) bool {
	ok := b.untimed.Count(of, !e.timeless && e.start <= e.end)
	if ok {
		b.observed.Add(e.start, e.end)
	}
	return ok
}

// collective returns what a kernel of communication does. Kernels of RCCL are all called Generic, and an all-to-all is
// one that sends and receives: there the program's operation says more.
func (b *builder) collective(e *event) trace.NameID {
	if e.operation != "" {
		if ran := b.names.Text(e.coll); ran == "Generic" || ran == "SendRecv" {
			if coll := collectiveOf(e.operation); coll != "" {
				return b.names.ID(coll)
			}
		}
	}
	return e.coll
}

// vote counts how a kernel was launched.
func (b *builder) vote(name trace.NameID, details string) {
	s, known := b.details[details]
	if !known {
		s = shapeOf(details)
		b.details[details] = s
	}
	b.shapes.Add(int(name), s)
}
