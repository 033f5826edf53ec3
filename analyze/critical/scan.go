package critical

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// Latency is how long work takes to start once nothing is in its way, in ns: a launch to reach
// the device, or an end to let the next begin. A few microseconds are usual; what takes longer
// waits for something.
const Latency = 10_000

// Scan finds the paths of one step after the other, in order of time.
type Scan struct {
	Events bool // which streams wait for which is recorded; else it is told by the order of launches

	streams *streams
	taken   int // the first of the device's work that no step has reached

	start, end int64
	earlier    []trace.Span // that still run when the step begins, by number
	device     []trace.Span // what starts in the step and, if any, the work that begins the next
	next       bool         // the last of device begins the next step
	why        []reason     // by number, what its start waited for
	calls      []call
	comms      []int32             // numbers of the communication that starts in the step
	hostTimes  []int64             // when paths come to the host
	onHost     []interval.Interval // scratch of HostTime
	blocked    interval.Set
	ready      []interval.Interval // when compute waited for communication, maybe beside other work
}

// reason says what the start of a piece of work waited for.
type reason struct {
	number int32 // of the work whose end it waited for
	node   int32 // of the paths at its end, 1 + its number; -1 - the index of communication; 0: none
	by     by
	mark   mark
}

type by uint8

const (
	byUnknown by = iota
	byLaunch     // the call that launched it
	byWork       // the end of other work
)

// mark holds what is known about a piece of work as a part of paths.
type mark uint8

const (
	onPath   mark = 1 << iota // a path goes through it
	junction                  // several do
)

// Waiting is a call that may wait for the device.
type Waiting struct {
	interval.Interval
	OwnWork bool // it can wait for no other work than it launches itself
}

// call is a call that waited for the device, and the work whose end let it return.
type call struct {
	interval.Interval
	number int32
}

// NewScan begins a scan of a trace; it must know beforehand which streams wait for others.
func NewScan(waits []trace.StreamWait) *Scan {
	return &Scan{Events: len(waits) > 0, streams: newStreams(waits)}
}

// BeginPiece goes on with another list of the device's work, which begins with taken spans of the last one.
func (s *Scan) BeginPiece(taken int) { s.taken = taken }

// Pass processes the device's work in a list that no step has reached, if none will: before a step, and before the
// next piece of a capture, whose steps depend on it as well.
func (s *Scan) Pass(device []trace.Span) {
	for ; s.taken < len(device); s.taken++ {
		s.passed(&device[s.taken])
	}
}

// Step finds the paths of the step [start, end), in which device[from:to] starts. waiting are the
// calls that may wait for the device in it, in any order.
func (s *Scan) Step(device []trace.Span, from, to int, start, end int64, waiting []Waiting) {
	s.Pass(device[:from])
	s.start, s.end = start, end
	s.next = to < len(device) && device[to].Start == end
	s.device = device[from:to]
	if s.next {
		s.device = device[from : to+1]
	}
	s.begin()
	for i := range s.device {
		s.add(int32(len(s.earlier)+i), &s.device[i])
	}
	s.findCalls(waiting)
	s.visit()
	s.taken = max(s.taken, to)
	s.keepLast()
}

// keepLast keeps the last work of each stream for the next step.
func (s *Scan) keepLast() {
	for i := range s.streams.all {
		if x := &s.streams.all[i]; len(x.list) > 0 {
			x.last, x.any = *s.work(x.list[len(x.list)-1]), true
		}
	}
}

// passed notes work that no later step starts with.
func (s *Scan) passed(x *trace.Span) {
	st := s.streams.of(x.Stream)
	st.last, st.any = *x, true
}

// begin forgets the step before, but for work that still runs.
func (s *Scan) begin() {
	s.earlier, s.comms, s.hostTimes, s.ready, s.blocked = s.earlier[:0], s.comms[:0], s.hostTimes[:0], s.ready[:0], s.blocked[:0]
	for i := range s.streams.all {
		x := &s.streams.all[i]
		x.list = x.list[:0]
		if x.any && x.last.Start < s.start && x.last.End > s.start {
			x.add(int32(len(s.earlier)), &x.last)
			s.earlier = append(s.earlier, x.last)
		}
	}
	n := len(s.earlier) + len(s.device)
	s.why = slices.Grow(s.why[:0], n)[:n]
	for i := range s.earlier {
		s.why[i] = reason{}
	}
}

// work returns the work with a number.
func (s *Scan) work(number int32) *trace.Span {
	if n := len(s.earlier); int(number) >= n {
		return &s.device[int(number)-n]
	}
	return &s.earlier[number]
}

// isNext reports whether the work with a number begins the next step.
func (s *Scan) isNext(number int32) bool {
	return s.next && int(number) == len(s.earlier)+len(s.device)-1
}

// add takes the next work of the step and finds what its start waited for.
func (s *Scan) add(number int32, x *trace.Span) {
	st := s.streams.of(x.Stream)
	before, launch := int32(-1), trace.NoTime
	if n := len(st.list); n > 0 && st.end <= x.Start {
		before = st.list[n-1]
	}
	if x.Launch != trace.NoTime && x.Launch <= x.Start {
		launch = x.Launch
	}
	s.why[number] = s.reason(st, x, before, launch)
	if s.isNext(number) {
		return
	}
	if st.add(number, x); x.Class == trace.Comm {
		s.comms = append(s.comms, number)
		s.why[number].node = int32(-len(s.comms))
	}
}

// reason returns what work waited for that follows the last work of its stream, or no work: -1.
func (s *Scan) reason(st *stream, x *trace.Span, before int32, launch int64) reason {
	ready := launch
	if before >= 0 {
		ready = max(ready, st.end)
	}
	other := int32(-1)
	switch {
	case s.Events:
		if other = s.awaited(st, x); other >= 0 && s.work(other).End <= ready {
			other = -1
		}
	case ready != trace.NoTime && x.Start-ready > Latency && launch != trace.NoTime:
		other = s.lastEnded(st, ready+Latency, x.Start, launch)
	}
	switch {
	case other >= 0:
		s.blocks(x, other, ready)
		return reason{number: other, by: byWork}
	case before >= 0 && (launch == trace.NoTime || launch < st.end):
		if s.work(before).Class == trace.Comm {
			s.blocks(x, before, max(launch, s.commSince(st)))
		}
		return reason{number: before, by: byWork}
	case launch != trace.NoTime:
		return reason{number: -1, by: byLaunch}
	}
	return reason{}
}

// commSince returns when the communication at the stream's end began, or the last work if that is not communication.
func (s *Scan) commSince(st *stream) int64 {
	i := len(st.list) - 1
	for i > 0 && s.work(st.list[i]).Class == trace.Comm && s.work(st.list[i-1]).Class == trace.Comm {
		i--
	}
	return s.work(st.list[i]).Start
}

// blocks notes when x, which was ready at a time, waited for the end of other work.
func (s *Scan) blocks(x *trace.Span, other int32, ready int64) {
	w := s.work(other)
	if w.Class == trace.Comm && (x.Class == trace.Compute || x.Class == trace.ClassUnknown) {
		s.ready = append(s.ready, interval.Interval{Start: max(ready, s.start), End: w.End})
	}
}

// findCalls finds the work whose end let each call return. A call during which no work ended
// waited for nothing.
func (s *Scan) findCalls(waiting []Waiting) {
	s.calls = s.calls[:0]
	for _, c := range waiting {
		k := s.lastEnded(nil, max(c.Start-1, s.start), c.End, c.Start)
		if k < 0 || s.work(k).Start >= c.End || c.OwnWork && s.work(k).Launch != c.Start {
			continue
		}
		s.calls = append(s.calls, call{c.Interval, k})
	}
	slices.SortFunc(s.calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start))
	})
}

// Blocked returns when compute could not start in the step because it depended on communication that went on: on its
// stream, or on the host that waited for it. comm and compute are when there is any of these in the step. The result
// is valid until the next step.
func (s *Scan) Blocked(comm, compute interval.Set) interval.Set {
	for _, c := range s.calls {
		if s.work(c.number).Class != trace.Comm {
			continue
		}
		held := interval.Set{{Start: max(c.Start, s.start), End: s.work(c.number).End}}
		s.ready = append(s.ready, interval.Subtract(nil, held, compute.Touching(held[0].Start, held[0].End))...)
	}
	slices.SortFunc(s.ready, func(a, b interval.Interval) int { return cmp.Compare(a.Start, b.Start) })
	var held interval.Set
	for _, iv := range s.ready {
		held = held.Add(iv.Start, min(iv.End, s.end))
	}
	s.blocked = interval.Intersect(s.blocked[:0], held, comm)
	return s.blocked
}
