package metric

import (
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// host is what the host did in one window of the device, as sets, for the attribution
// of the gaps in it. A rank makes millions of calls, of which a window holds few: sets
// of one window at a time take no memory to speak of.
//
// Launches count on whatever thread they are made, since a framework launches from
// several; what else the host does counts on those threads and on the one that runs the
// steps: a thread that waits for the device beside them holds nothing up. The range of a
// step itself and longer ones say nothing, and neither does what the host does while the
// device works.
type host struct {
	sets [causes]interval.Set // of causes that are calls or ranges, in the window
	seen bool                 // calls or ranges were recorded that are not CUDA's

	rank    *Rank
	threads map[int32]bool // whose calls count
	markers map[int64]bool // when the ranges of steps begin
	kinds   *callKinds
	waits   func(trace.NameID) bool // the call waits, as for a queue that loaders fill
	reads   func(trace.NameID) bool

	api, os  passing
	ranges   passing // those that count
	accesses passing // file accesses of other threads that read
	room     struct{ ranges, system, waits, reads, accesses, union, both interval.Set }
}

func (r *Rank) newHost(steps []trace.Step) *host {
	t := r.Trace
	h := &host{
		rank: r, threads: map[int32]bool{}, markers: map[int64]bool{}, kinds: kindsOf(t.Names),
		waits: matcher(t.Names, waitCall.MatchString), reads: matcher(t.Names, trace.ReadCall),
	}
	if r.thread != 0 {
		h.threads[r.thread] = true
	}
	last := int32(-1)
	for i := range t.API {
		if c := &t.API[i]; c.Thread != last && h.kinds.of(c.Name) == causeLaunch {
			h.threads[c.Thread], last = true, c.Thread
		}
	}
	longest := int64(0)
	for _, s := range steps {
		if s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime {
			h.markers[s.HostStart] = true
			longest = max(longest, s.HostEnd-s.HostStart)
		}
	}
	h.api.list, h.os.list = t.API, t.OS
	h.ranges.list = make([]trace.Call, 0, len(t.Ranges))
	for _, x := range t.Ranges {
		if h.threads[x.Thread] && (longest == 0 || x.End-x.Start < longest) && !h.markers[x.Start] {
			h.ranges.list = append(h.ranges.list, trace.Call{Start: x.Start, End: x.End})
		}
	}
	for _, a := range t.Access {
		if a.Op == trace.OpRead && a.Thread != r.thread {
			h.accesses.list = append(h.accesses.list, trace.Call{Start: a.Start, End: a.End})
		}
	}
	h.seen = len(h.ranges.list) > 0 || slices.ContainsFunc(t.OS, func(c trace.Call) bool { return h.threads[c.Thread] })
	return h
}

// window makes the sets those of [lo, hi), in which the device was busy as busy says.
// All windows of a rank together take linear time if they come in order of time.
func (h *host) window(lo, hi int64, busy interval.Set) {
	for k := range h.sets {
		h.sets[k] = h.sets[k][:0]
	}
	h.sets[causeInput] = h.rank.Input.Clip(h.sets[causeInput], lo, hi)
	idle := idler{busy: busy, from: lo}
	known, counts := int32(-1), false // of the last thread asked for
	h.api.each(lo, hi, func(c *trace.Call) {
		if c.Thread != known {
			known, counts = c.Thread, h.threads[c.Thread]
		}
		if counts && idle.sees(c) {
			k := h.kinds.of(c.Name)
			h.sets[k] = h.sets[k].Add(c.Start, c.End)
		}
	})
	h.seen = h.seen || len(h.sets[causeHost]) > 0
	idle = idler{busy: busy, from: lo}
	ranges := h.room.ranges[:0]
	h.ranges.each(lo, hi, func(c *trace.Call) {
		if idle.sees(c) {
			ranges = ranges.Add(c.Start, c.End)
		}
	})
	h.room.ranges = ranges
	h.system(lo, hi, busy)
	h.join(causeHost, ranges)
	h.join(causeHost, h.room.system)
}

// join adds a set to that of a cause.
func (h *host) join(k cause, s interval.Set) {
	if len(s) > 0 {
		h.room.union = interval.Union(h.room.union[:0], h.sets[k], s)
		h.sets[k], h.room.union = h.room.union, h.sets[k]
	}
}

// system finds what counts of the calls of the operating system. What the step's thread
// waits for there, outside of CUDA's calls, while other threads of the process or helper
// processes read, is input: a queue that loaders fill.
func (h *host) system(lo, hi int64, busy interval.Set) {
	calls, waits, reads, accesses := h.room.system[:0], h.room.waits[:0], h.room.reads[:0], h.room.accesses[:0]
	idle, thread := idler{busy: busy, from: lo}, h.rank.thread
	h.os.each(lo, hi, func(c *trace.Call) {
		if !idle.sees(c) {
			return
		}
		if h.threads[c.Thread] {
			calls = calls.Add(c.Start, c.End)
		}
		switch {
		case thread == 0:
		case c.Thread == thread && h.waits(c.Name):
			waits = waits.Add(c.Start, c.End)
		case c.Thread != thread && h.reads(c.Name):
			reads = reads.Add(c.Start, c.End)
		}
	})
	h.accesses.each(lo, hi, func(c *trace.Call) { accesses = accesses.Add(c.Start, c.End) })
	h.room.system, h.room.waits, h.room.reads, h.room.accesses = calls, waits, reads, accesses
	if len(waits) == 0 || len(reads)+len(accesses) == 0 {
		return
	}
	for _, k := range []cause{causeAllocator, causeSync, causeLaunch} {
		waits = interval.Subtract(nil, waits, h.sets[k])
	}
	h.room.both = interval.Union(h.room.both[:0], reads, accesses)
	h.join(causeInput, interval.Intersect(nil, waits, h.room.both))
}

// passing walks through calls in order of start, window after window.
type passing struct {
	list  []trace.Call
	next  int     // the first that no window has reached
	open  []int32 // of those before, the ones that last beyond the last window
	until int64   // the last window's end
}

// each calls do for the calls that are in [lo, hi) at least partly, in order of start.
func (p *passing) each(lo, hi int64, do func(*trace.Call)) {
	list := p.list
	if lo < p.until {
		*p = passing{list: list} // windows that overlap begin anew
	}
	open := p.open[:0]
	for _, i := range p.open {
		if c := &list[i]; c.End > lo {
			do(c)
			if c.End > hi {
				open = append(open, i)
			}
		}
	}
	for ; p.next < len(list) && list[p.next].Start < hi; p.next++ {
		if c := &list[p.next]; c.End > lo {
			do(c)
			if c.End > hi {
				open = append(open, int32(p.next))
			}
		}
	}
	p.open, p.until = open, hi
}

// idler tells what the host does while the device idles from what it does beside its
// work, which is most of it and explains no gap. It is asked in order of start.
type idler struct {
	busy interval.Set // in a window that begins at from
	from int64
	at   int // of the first busy stretch that ends behind the last start
}

// sees reports whether any of a call's time in the window is idle.
func (x *idler) sees(c *trace.Call) bool {
	start := max(c.Start, x.from)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	return x.at == len(x.busy) || start < x.busy[x.at].Start || c.End > x.busy[x.at].End
}
