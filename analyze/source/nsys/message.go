package nsys

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// ncclGroup holds the calls between ncclGroupStart and ncclGroupEnd, which launches them.
type ncclGroup struct {
	start, end int64 // of ncclGroupEnd
	calls      []*ncclCall
}

// messages gives the communication kernels of a process the messages of the calls that launched them: the call, or the
// end of its group, is under way while the kernel is launched. A group of several calls may be one kernel or several;
// it is known which call belongs to which kernel only if there are as many kernels as calls, or if all calls exchange
// data with the same rank, or with all. Calls of two threads at once leave it open.
func (r *ncclReader) messages(t *trace.Trace, p *process) {
	p.nccl = r.ncclCallsOf(p)
	r.giveMessages(t, p)
}

// ncclCalls are the calls of NCCL in one process, with the messages that they name.
type ncclCalls struct {
	calls  []*ncclCall  // in order of start
	groups []*ncclGroup // likewise
	sizes  map[string]int64
}

func (r *ncclReader) ncclCallsOf(p *process) ncclCalls {
	calls := make([]*ncclCall, 0, p.calls.Len())
	sizes := make(map[string]int64) // of communicators
	for i := range p.calls.Len() {
		c := p.calls.At(i)
		if c.payload.comm != "" && c.payload.ranks != table.Null {
			sizes[c.payload.comm] = c.payload.ranks
		}
		if c.end > c.start && r.collectiveOf(c) != "" {
			calls = append(calls, c)
		}
	}
	if len(calls) == 0 {
		return ncclCalls{}
	}
	slices.SortFunc(calls, func(a, b *ncclCall) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return ncclCalls{calls, r.groups(p, calls), sizes}
}

// giveMessages gives communication kernels what NCCL was told.
func (r *ncclReader) giveMessages(t *trace.Trace, p *process) {
	calls, groups, sizes := p.nccl.calls, p.nccl.groups, p.nccl.sizes
	if len(calls) == 0 {
		return
	}
	launched := make(map[*ncclGroup][]*trace.Span)
	for i := range t.Device {
		s := &t.Device[i]
		if s.Class != trace.Comm || s.Launch == trace.NoTime {
			continue
		}
		if c, ok := around(calls, s.Launch, func(c *ncclCall) (int64, int64) { return c.start, c.end }); ok {
			r.give(t, s, c, sizes)
		} else if g, ok := around(groups, s.Launch, func(g *ncclGroup) (int64, int64) { return g.start, g.end }); ok {
			launched[g] = append(launched[g], s)
		}
	}
	for g, spans := range launched {
		if c := r.exchange(g.calls, sizes); len(spans) == 1 && c != nil {
			r.give(t, spans[0], c, sizes)
			continue
		}
		if len(spans) != len(g.calls) {
			continue
		}
		slices.SortFunc(spans, func(a, b *trace.Span) int {
			return cmp.Or(cmp.Compare(a.Launch, b.Launch), cmp.Compare(a.Start, b.Start))
		})
		for i, s := range spans {
			r.give(t, s, g.calls[i], sizes)
		}
	}
}

// give takes a call's message for a kernel, unless the two are different
// collectives: what NCCL builds of point-to-point calls runs as SendRecv.
func (r *ncclReader) give(t *trace.Trace, s *trace.Span, c *ncclCall, sizes map[string]int64) {
	called, ran := r.collectiveOf(c), t.Names.Text(t.Messages.Coll(s))
	if called != ran && ran != "Generic" && !(ran == "SendRecv" && called == "AllToAll") {
		return
	}
	p := &c.payload
	ranks := p.ranks
	if ranks == table.Null {
		ranks = max(sizes[p.comm], 0)
	}
	bytes := p.bytes
	counted := bytes == table.Null && p.count != table.Null && p.count < build.MaxTime
	if size := trace.ElementSize(p.dtype); counted && size > 0 {
		bytes = p.count * size
	}
	x := trace.Message{Bytes: callBytes(called, bytes, ranks)}
	if c.toAll {
		x.Bytes, x.Received = bytes, c.received
	}
	if ranks > 0 && ranks <= build.MaxRank {
		x.Ranks = int32(ranks)
	}
	if p.seq != table.Null && p.seq < build.MaxTime {
		x.Seq = p.seq + 1
	}
	if p.peer != table.Null && p.peer < build.MaxRank && !c.toAll {
		x.Peer = int32(p.peer) + 1
	}
	x.Sends, x.Receives = r.wayOf(c)
	if x.Bytes > 0 {
		t.Recorded |= trace.HasMessages
	}
	x.Coll, x.Comm, x.Type = t.Names.ID(called), t.Names.ID(p.comm), t.Names.ID(p.dtype)
	s.SetMessage(t.Messages.Add(x))
}

// allToAll is the name of a collective that NCCL builds from sends and receives.
const allToAll = "AllToAll"

// wayOf returns whether a call sends, and whether it receives; neither for a collective.
func (r *ncclReader) wayOf(c *ncclCall) (sends, receives bool) {
	switch {
	case c.toAll:
		return false, false
	case c.exchanges:
		return true, true
	}
	return kernelname.Direction(r.words.text[c.name])
}

// exchange returns one call that stands for several calls of one kernel: they all send to one rank or all receive from
// it, or they do both with all ranks of the communicator, which is an all-to-all; else nil. The message of the first
// kind is what goes one way. sizes holds the sizes of communicators.
func (r *ncclReader) exchange(calls []*ncclCall, sizes map[string]int64) *ncclCall {
	if len(calls) < 2 {
		return nil
	}
	one := *calls[0]
	sent, received := map[int64]int64{}, map[int64]int64{} // bytes by peer
	sum := [2]int64{}
	for _, c := range calls {
		p := &c.payload
		sends, receives := r.wayOf(c)
		if sends == receives || p.peer == table.Null || p.comm != one.payload.comm || p.bytes == table.Null || p.bytes > math.MaxInt64/build.MaxRank {
			return nil
		}
		if sends {
			sent[p.peer] += p.bytes
			sum[0] += p.bytes
		} else {
			received[p.peer] += p.bytes
			sum[1] += p.bytes
		}
	}
	one.exchanges = len(sent) > 0 && len(received) > 0
	peer := one.payload.peer
	switch n := int(sizes[one.payload.comm]); {
	case n > 1 && len(sent) == n && len(received) == n && len(calls) == 2*n: // to itself too, as PyTorch does
		one.toAll, one.payload.bytes, one.received = true, sum[0], sum[1]
	case len(sent) <= 1 && len(received) <= 1 && sent[peer]+received[peer] == sum[0]+sum[1]:
		one.payload.bytes = max(sum[0], sum[1])
	default:
		return nil
	}
	return &one
}

// around returns the interval, among several in order of start, that holds a moment; of nested ones the inner. If two
// only overlap, it is left open.
func around[T any](all []*T, at int64, of func(*T) (start, end int64)) (found *T, ok bool) {
	i, _ := slices.BinarySearchFunc(all, at, func(x *T, at int64) int {
		if start, _ := of(x); start <= at {
			return -1
		}
		return 1
	})
	const depth = 8 // as many may be under way at once
	inner := int64(0)
	for k := i - 1; k >= max(0, i-depth); k-- {
		_, end := of(all[k])
		switch {
		case end <= at:
		case found == nil:
			found, inner = all[k], end
		case end < inner:
			return nil, false
		}
	}
	return found, found != nil
}

// groups returns the groups of calls of a process, in order of the start of their ends.
func (r *ncclReader) groups(p *process, calls []*ncclCall) []*ncclGroup {
	type mark struct {
		start, end int64
		thread     int32
		opens      bool
	}
	var marks []mark
	for i := range p.ranges {
		x := &p.ranges[i]
		switch r.words.text[word(x.Name)] {
		case "ncclGroupStart":
			marks = append(marks, mark{x.Start, x.End, x.Thread, true})
		case "ncclGroupEnd":
			marks = append(marks, mark{x.Start, x.End, x.Thread, false})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	type open struct {
		depth int
		since int64
	}
	threads := make(map[int32]*open)
	var all []*ncclGroup
	for _, m := range marks {
		o := threads[m.thread]
		if o == nil {
			o = &open{}
			threads[m.thread] = o
		}
		switch {
		case m.opens:
			if o.depth == 0 {
				o.since = m.start
			}
			o.depth++
		case o.depth > 1:
			o.depth--
		case o.depth == 1:
			o.depth = 0
			if g := (&ncclGroup{m.start, m.end, between(calls, m.thread, o.since, m.start)}); len(g.calls) > 0 {
				all = append(all, g)
			}
		}
	}
	return all
}

// between returns the calls of a thread that begin in [from, to).
func between(calls []*ncclCall, thread int32, from, to int64) (inside []*ncclCall) {
	i, _ := slices.BinarySearchFunc(calls, from, func(c *ncclCall, from int64) int { return cmp.Compare(c.start, from) })
	for ; i < len(calls) && calls[i].start < to; i++ {
		if calls[i].thread == thread {
			inside = append(inside, calls[i])
		}
	}
	return inside
}
