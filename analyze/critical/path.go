package critical

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// Kind says what a path does in one of its segments.
type Kind uint8

// The kinds of segments.
const (
	Unexplained Kind = iota // work waited, and what for was not recorded
	Work                    // of the device
	Handover                // between the end of work and the start of what waited for it
	Launch                  // from the call that launches work to its start
	Host                    // the host works, or waits for something else than the device
	Return                  // from the end of work to the return of the call that waited for it
)

// Segment is a stretch of a path, [Start, End) in ns.
type Segment struct {
	Start, End int64
	Kind       Kind
	Span       *trace.Span // of Work; else nil
}

// Node is a point on paths: the end of the step, the start of a communication kernel, or a point
// at which paths meet.
type Node struct {
	At     int64 // ns
	Parent int32 // where the path goes on: a node; FromStart; or ThroughComm of a kernel
}

// FromStart is the parent of a node from which the path goes to the start of the step.
const FromStart int32 = -1

// ThroughComm returns the parent of a node from which the path goes to the end of a communication kernel, given its
// index among those that start in the step.
func ThroughComm(index int) int32 { return -2 - int32(index) }

// Comm returns the communication kernel that a path goes through after a node, from its end on; false if it goes
// elsewhere.
func (n *Node) Comm() (index int, through bool) { return int(-2 - n.Parent), n.Parent <= -2 }

// visit goes along all paths once, and finds where they meet and when they are on the host.
func (s *Scan) visit() {
	s.visitFrom(s.last())
	for _, c := range s.comms {
		s.visitFrom(place{number: c, start: true})
	}
	slices.Sort(s.hostTimes)
	s.hostTimes = slices.Compact(s.hostTimes)
}

// place is where a path has arrived: the end of a piece of work or its start, or else a time on the host.
type place struct {
	number int32 // -1: the host, or nowhere
	start  bool
	at     int64 // on the host; at most the step's start: the path has come to that
}

var atStart = place{number: -1, at: math.MinInt64}

// last returns where the step's path comes from: the start of the work that begins the next step, or else the end of
// the work that ended last in this one.
func (s *Scan) last() place {
	if s.next {
		return place{number: int32(len(s.earlier) + len(s.device) - 1), start: true}
	}
	if k := s.lastEnded(nil, s.start, s.end, math.MaxInt64); k >= 0 {
		return place{number: k}
	}
	return atStart
}

// visitFrom follows a path as far as no other has gone.
func (s *Scan) visitFrom(p place) {
	for p.number >= 0 || p.at > s.start {
		if p.number < 0 {
			s.hostTimes = append(s.hostTimes, p.at)
			c := s.callBefore(p.at)
			if c == nil {
				return
			}
			p = place{number: c.number}
			continue
		}
		if !p.start {
			w := &s.why[p.number]
			if w.mark&onPath != 0 {
				w.mark |= junction
				return
			}
			w.mark |= onPath
			if int(p.number) < len(s.earlier) || w.node < 0 {
				return
			}
		}
		p = s.before(p.number)
	}
}

// before returns what the start of work waited for.
func (s *Scan) before(number int32) place {
	switch w := s.why[number]; w.by {
	case byWork:
		return place{number: w.number}
	case byLaunch:
		return place{number: -1, at: s.work(number).Launch}
	}
	return atStart
}

// callBefore returns the last call that waited for the device and returned by a time; nil: none in
// this step.
func (s *Scan) callBefore(at int64) *call {
	n := sort.Search(len(s.calls), func(i int) bool { return s.calls[i].End > at })
	for n--; n >= 0; n-- {
		if s.work(s.calls[n].number).Start < at {
			return &s.calls[n]
		}
	}
	return nil
}

// HostTime returns when any path of the step is on the host or waits for a launch to arrive.
func (s *Scan) HostTime() (out interval.Set) {
	all := s.onHost[:0]
	for i, at := range s.hostTimes {
		from := s.start
		if i > 0 {
			from = max(from, s.hostTimes[i-1])
		}
		if c := s.callBefore(at); c != nil {
			from = max(from, c.End)
		}
		all = append(all, interval.Interval{Start: from, End: at})
	}
	for i := range s.why {
		if w := &s.why[i]; w.by == byLaunch && (w.mark&onPath != 0 || w.node < 0 || s.isNext(int32(i))) {
			x := s.work(int32(i))
			all = append(all, interval.Interval{Start: max(x.Launch, s.start), End: x.Start})
		}
	}
	// Both are nearly in order.
	trace.SortNearly(all, func(iv *interval.Interval) int64 { return iv.Start }, func(a, b interval.Interval) int { return cmp.Compare(a.Start, b.Start) })
	for _, iv := range all {
		out = out.Add(iv.Start, iv.End)
	}
	s.onHost = all
	return out
}

// Nodes returns the paths of the step. Node 0 is the end of the step, and node 1 + i is the start of its communication
// kernel with index i; the nodes after them are points at which paths meet. add is called with the segments from each
// node back to the next, from the last to the first; those of a node end where it is, and begin where the path goes
// on.
func (s *Scan) Nodes(add func(node int, x Segment)) []Node {
	b := builder{Scan: s, add: add}
	for i := len(s.earlier); i < len(s.why); i++ {
		if w := &s.why[i]; w.mark&junction != 0 && w.node == 0 {
			b.meetings = append(b.meetings, int32(i))
			w.node = int32(1 + len(s.comms) + len(b.meetings))
		}
	}
	b.nodes = append(make([]Node, 0, 1+len(s.comms)+len(b.meetings)+len(s.hostTimes)), Node{At: s.end})
	for _, c := range s.comms {
		b.nodes = append(b.nodes, Node{At: s.work(c).Start})
	}
	for _, number := range b.meetings {
		b.nodes = append(b.nodes, Node{At: s.work(number).End})
	}
	b.firstHost = int32(len(b.nodes))
	for _, at := range s.hostTimes {
		b.nodes = append(b.nodes, Node{At: at})
	}
	b.build()
	return b.nodes
}

// builder makes the nodes of a step.
type builder struct {
	*Scan
	add       func(int, Segment)
	nodes     []Node
	node      int     // whose segments are made
	at        int64   // where they have come to
	meetings  []int32 // numbers of the work at whose ends paths meet, in order
	firstHost int32
}

func (b *builder) build() {
	b.begin(0)
	b.follow(b.last())
	for i, c := range b.comms {
		b.begin(1 + i)
		b.follow(place{number: c, start: true})
	}
	for _, number := range b.meetings {
		b.begin(int(b.why[number].node) - 1)
		b.through(number)
		b.follow(place{number: number, start: true})
	}
	for i := range b.hostTimes {
		b.begin(int(b.firstHost) + i)
		b.host(i)
	}
}

// begin begins with a node.
func (b *builder) begin(node int) { b.node, b.at = node, b.nodes[node].At }

// segment adds the stretch from a time, or from the step's start, to where the path has come.
func (b *builder) segment(from int64, kind Kind, span *trace.Span) {
	if from = max(from, b.start); from < b.at {
		b.add(b.node, Segment{from, b.at, kind, span})
		b.at = from
	}
}

// through adds work that the path goes through.
func (b *builder) through(number int32) { x := b.work(number); b.segment(x.Start, Work, x) }

// goOn ends the node's segments: the path goes on elsewhere.
func (b *builder) goOn(parent int32) { b.nodes[b.node].Parent = parent }

// follow follows the path from a place to the next node.
func (b *builder) follow(p place) {
	for p.number >= 0 {
		if !p.start {
			if b.arrive(p.number) {
				return
			}
			b.through(p.number)
		}
		number := p.number
		switch p = b.before(number); {
		case p.number >= 0:
		case p.at > b.Scan.start:
			b.segment(p.at, Launch, nil)
			at, _ := slices.BinarySearch(b.hostTimes, p.at)
			b.goOn(b.firstHost + int32(at))
			return
		case b.why[number].by == byLaunch:
			b.segment(b.Scan.start, Launch, nil)
		}
	}
	b.segment(b.Scan.start, Unexplained, nil)
	b.goOn(FromStart)
}

// arrive adds what lies between where the path has come and the end of work, and reports whether
// the node's segments end there.
func (b *builder) arrive(number int32) bool {
	x := b.work(number)
	if wait := b.at - x.End; wait > Latency {
		b.segment(x.End+Latency, Unexplained, nil)
	}
	b.segment(x.End, Handover, nil)
	node := b.why[number].node
	if node < 0 {
		b.goOn(ThroughComm(int(-node) - 1))
		return true
	}
	if int(number) < len(b.earlier) {
		b.segment(b.Scan.start, Work, x)
		b.goOn(FromStart)
		return true
	}
	if node > 0 && int(node) != b.node+1 {
		b.goOn(node - 1)
		return true
	}
	return false
}

// host adds the stretch on the host that ends at one of the times at which paths come to it.
func (b *builder) host(i int) {
	c := b.callBefore(b.hostTimes[i])
	if i > 0 && (c == nil || b.hostTimes[i-1] >= c.End) {
		b.segment(b.hostTimes[i-1], Host, nil)
		b.goOn(b.firstHost + int32(i) - 1)
		return
	}
	if c == nil {
		b.segment(b.Scan.start, Host, nil)
		b.goOn(FromStart)
		return
	}
	b.segment(c.End, Host, nil)
	b.segment(b.work(c.number).End, Return, nil)
	b.follow(place{number: c.number})
}
