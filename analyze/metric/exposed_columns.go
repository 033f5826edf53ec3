package metric

import "perfdiff/analyze/interval"

// stretchesOf is what is known of the communication of a step.
type stretchesOf struct {
	set              interval.Set
	count            int64 // of stretches
	measured, hidden bool
}

// edge is the start or the end of a stretch of exposed communication.
type edge struct {
	step  int  // index of its step
	first bool // of its step
	end   bool // of a stretch
	// at is the kernel of the step that begins or ends there: 1 + how many it is behind the one that an
	// edge before was found at; 0: none does.
	at   int64
	time int64
}

// stepColumns are those of what is known of each step: exposed communication as times, each of them
// the start or end of a communication kernel where there is one, and measured from such a point where
// there is none.
func (c *Communication) stepColumns(v Columns, k known) {
	list := make([]stretchesOf, len(c.Exposed))
	for i := range list {
		set := c.Exposed[i].Unpack(nil)
		list[i] = stretchesOf{set, int64(len(set)), c.Measured[i], c.Hidden[i]}
	}
	list = resized(v, list)
	if v.Reading() && len(list) > len(k.rank.Steps) {
		v.Fail("communication is of more steps than there are")
		return
	}
	flags(v, list, func(x *stretchesOf) *bool { return &x.measured })
	flags(v, list, func(x *stretchesOf) *bool { return &x.hidden })
	fields(v, list, func(x *stretchesOf) *int64 { return &x.count })
	k.stretches(v, list)
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Exposed, c.Measured, c.Hidden = make([]interval.Packed, len(list)), make([]bool, len(list)), make([]bool, len(list))
	var all, one []byte // a thousand lists by themselves take twice as much
	ends := make([]int, len(list))
	for i, x := range list {
		if !ordered(x.set) {
			v.Fail("exposed communication is no list of times")
			return
		}
		one = interval.Pack(one[:0], x.set)
		all = append(all, one...)
		ends[i], c.Measured[i], c.Hidden[i] = len(all), x.measured, x.hidden
	}
	for i, from := 0, 0; i < len(list); from, i = ends[i], i+1 {
		c.Exposed[i] = interval.Packed(all[from:ends[i]:ends[i]])
	}
}

// ordered reports whether a set is one: times that end, in order.
func ordered(s interval.Set) bool {
	for i, x := range s {
		if x.End < x.Start || i > 0 && x.Start < s[i-1].End {
			return false
		}
	}
	return true
}

// stretches are the columns of all stretches, in the order of their edges.
func (k known) stretches(v Columns, list []stretchesOf) {
	var edges []edge
	for i := range list {
		for j, x := range list[i].set {
			edges = append(edges, edge{step: i, first: j == 0, time: x.Start}, edge{step: i, end: true, time: x.End})
		}
	}
	edges = resized(v, edges)
	if v.Reading() && !spread(edges, list) {
		v.Fail("exposed communication is missing")
		return
	}
	k.edges(v, edges)
	if !v.Reading() || !v.OK() {
		return
	}
	for i := 0; i+1 < len(edges); i += 2 {
		x := &list[edges[i].step]
		x.set = append(x.set, interval.Interval{Start: edges[i].time, End: edges[i+1].time})
	}
}

// spread says of edges which step they are of, and reports whether there are as many as there should
// be.
func spread(edges []edge, list []stretchesOf) bool {
	at := 0
	for i := range list {
		n := list[i].count
		if n < 0 || n > int64(len(edges)-at)/2 {
			return false
		}
		for j := range int(n) {
			edges[at], edges[at+1] = edge{step: i, first: j == 0}, edge{step: i, end: true}
			at += 2
		}
	}
	return at == len(edges)
}

// edges writes or reads when the edges are: first those of kernels, and then how far the others are
// from the edge before, or from the first kernel of the step.
func (k known) edges(v Columns, list []edge) {
	if !v.Reading() {
		k.findKernels(list)
	}
	fields(v, list, func(x *edge) *int64 { return &x.at })
	var free []int64
	if !v.Reading() {
		for i, x := range list {
			if x.at == 0 {
				free = append(free, x.time-k.edgeBefore(list, i))
			}
		}
	}
	free = resized(v, free)
	fields(v, free, func(x *int64) *int64 { return x })
	if !v.Reading() || !v.OK() {
		return
	}
	last := int64(0)
	for i := range list {
		x := &list[i]
		if x.first {
			last = 0
		}
		if x.at == 0 {
			if len(free) == 0 {
				v.Fail("exposed communication is missing")
				return
			}
			x.time, free = free[0]+k.edgeBefore(list, i), free[1:]
			continue
		}
		kernels := k.of(x.step)
		if last += x.at - 1; x.at < 0 || last >= int64(len(kernels)) {
			v.Fail("exposed communication is of no kernel")
			return
		}
		x.time = edgeOf(&kernels[last], x.end)
	}
	if len(free) > 0 {
		v.Fail("exposed communication is of no step")
	}
}

func edgeOf(s *span, end bool) int64 {
	if end {
		return s.End
	}
	return s.Start
}

// edgeBefore is the time from which edge i is measured.
func (k known) edgeBefore(list []edge, i int) int64 {
	switch x := &list[i]; {
	case !x.first:
		return list[i-1].time
	case len(k.of(x.step)) > 0:
		return k.of(x.step)[0].Start
	default:
		return k.rank.Steps[x.step].Start
	}
}

// findKernels finds the kernels of edges: the next that has this edge.
func (k known) findKernels(list []edge) {
	last := 0
	for i := range list {
		x := &list[i]
		if x.first {
			last = 0
		}
		kernels := k.of(x.step)
		for n := last; n < len(kernels); n++ {
			if edgeOf(&kernels[n], x.end) == x.time {
				x.at, last = int64(n-last)+1, n
				break
			}
		}
	}
}
