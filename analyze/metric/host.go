package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// host is what the host did in one window of the device, as sets, for the attribution
// of the gaps in it. A rank makes millions of calls, of which a window holds few: sets
// of one window at a time take no memory to speak of.
//
// Launches count on whatever thread they are made, since a framework launches from
// several; what else the host does counts on those threads and on the one that runs the
// steps: a thread that waits for the device beside them holds nothing up. The range of a
// step, also where another marker was taken, and longer ones say nothing, and neither does what the host does while the
// device works.
type host struct {
	sets [causes]interval.Set // of causes that are calls or ranges, in the window
	seen bool                 // calls or ranges were recorded that are not CUDA's

	rank    *Rank
	threads threads        // whose calls count
	markers map[int64]bool // when the ranges of steps begin
	kinds   *callKinds

	framework interval.Set // operators, modules and functions

	api, os passing
	ranges  passing // those that count
	room    struct{ ranges, framework, system, union interval.Set }
}

// launchThreads are the threads that launch, and the one that runs the steps.
func launchThreads(t *trace.Trace, thread int32, kinds *callKinds) (out threads) {
	if thread != 0 {
		out.add(thread)
	}
	last, found := int32(0), false
	for i := range t.API {
		if c := &t.API[i]; (c.Thread != last || !found) && kinds.of(c.Name) == causeLaunch {
			out.add(c.Thread)
			last, found = c.Thread, true
		}
	}
	return out
}

func (r *Rank) newHost(steps []trace.Step) *host {
	t := r.Trace
	h := &host{rank: r, threads: r.launches, markers: map[int64]bool{}, kinds: r.calls}
	longest := int64(0)
	for _, s := range steps {
		if s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime {
			h.markers[s.HostStart] = true
			longest = max(longest, s.HostEnd-s.HostStart)
		}
	}
	h.api, h.os = passing{list: t.API, kind: h.apiKind()}, passing{list: t.OS, kind: h.osKind}
	h.ranges.list = make([]trace.Call, 0, len(t.Ranges))
	ofStep := t.Names.AskAlike(kernelname.IsStepName)
	for _, x := range t.Ranges {
		if h.threads.has(x.Thread) && !ofStep(x.Name) && (longest == 0 || x.End-x.Start < longest) && !h.markers[x.Start] {
			h.ranges.list = append(h.ranges.list, trace.Call{Start: x.Start, End: x.End})
		}
	}
	h.framework = h.frameworkTime(longest)
	h.seen = len(h.ranges.list) > 0 || len(h.framework) > 0 || slices.ContainsFunc(t.OS, func(c trace.Call) bool { return h.threads.has(c.Thread) }) ||
		slices.ContainsFunc(t.API, func(c trace.Call) bool { return h.kinds.of(c.Name) == causeHost && h.threads.has(c.Thread) })
	return h
}

// window makes the sets those of [lo, hi), in which the device was busy as busy says.
// All windows of a rank together take linear time, as they come in order of time and
// hardly overlap.
func (h *host) window(lo, hi int64, busy interval.Set) {
	for k := range h.sets {
		h.sets[k] = h.sets[k][:0]
	}
	h.sets[causeInput] = h.rank.Input.Clip(h.sets[causeInput], lo, hi)
	h.api.each(lo, hi, busy, func(k int, start, end int64) { h.sets[k] = h.sets[k].Add(start, end) })
	ranges := h.room.ranges[:0]
	h.ranges.each(lo, hi, busy, func(_ int, start, end int64) { ranges = ranges.Add(start, end) })
	h.room.ranges = ranges
	system := h.room.system[:0]
	h.os.each(lo, hi, busy, func(_ int, start, end int64) { system = system.Add(start, end) })
	h.room.system = system
	h.join(causeHost, ranges)
	h.room.framework = h.framework.Clip(h.room.framework[:0], lo, hi)
	h.join(causeHost, h.room.framework)
	h.join(causeHost, system)
}

// join adds a set to that of a cause.
func (h *host) join(k cause, s interval.Set) {
	if len(s) > 0 {
		h.room.union = interval.Union(h.room.union[:0], h.sets[k], s)
		h.sets[k], h.room.union = h.room.union, h.sets[k]
	}
}

// osKind is 0 for a call of the operating system that counts, -1 where its thread says
// nothing.
func (h *host) osKind(c *trace.Call) int {
	if h.threads.has(c.Thread) {
		return 0
	}
	return -1
}

// apiKind is the cause that a call of CUDA is, -1 where its thread does not count.
func (h *host) apiKind() func(*trace.Call) int {
	last, counts, asked := int32(0), false, false
	return func(c *trace.Call) int {
		if c.Thread != last || !asked {
			last, counts, asked = c.Thread, h.threads.has(c.Thread), true
		}
		if !counts {
			return -1
		}
		return int(h.kinds.of(c.Name))
	}
}

// passing walks through calls in order of start, window after window.
type passing struct {
	list []trace.Call
	kind func(*trace.Call) int // nil: all alike; -1: of no interest
	lo   int64                 // where the last window began
	place
	before place // what it was before the last window
}

// place is how far a walk has come.
type place struct {
	until int64  // the last window's end
	next  int    // the first call that no window has reached
	open  []call // of those before, what lasts beyond the last window: one for each kind
}

// call is a call, or several of a kind that touch each other.
type call struct {
	kind       int
	start, end int64
}

// each calls do for the calls that are in [lo, hi) at least partly, in order of start, but
// for those beside the device's work, which is busy. Windows come in order of lo; where they
// overlap, what both hold is passed again.
func (p *passing) each(lo, hi int64, busy interval.Set, do func(kind int, start, end int64)) {
	if lo < p.until {
		p.place = p.before
		if lo < p.lo {
			p.place = place{}
		}
	}
	p.before, p.lo = p.place, lo
	idle := idler{busy: busy, from: lo, to: hi}
	var open []call // hardly ever any
	for _, c := range p.open {
		if c.end > lo {
			if idle.sees(c.start, c.end) {
				do(c.kind, c.start, c.end)
			}
			if c.end > hi {
				open = append(open, c)
			}
		}
	}
	list, next := p.list, p.next
	for next < len(list) && list[next].Start < hi {
		c := &list[next]
		next++
		if work := min(idle.workTo(c.Start), hi); c.End <= work { // as most are, and those behind it
			for next < len(list) && list[next].Start < work && list[next].End <= work {
				next++
			}
			continue
		}
		if c.End <= lo {
			continue
		}
		seen, kind := idle.sees(c.Start, c.End), 0
		if p.kind != nil {
			if kind = p.kind(c); kind < 0 {
				continue
			}
		}
		if seen {
			do(kind, c.Start, c.End)
		}
		if c.End > hi {
			open = carry(open, call{kind, c.Start, c.End})
		}
	}
	p.next, p.open, p.until = next, open, hi
}

// carry adds a call to those that are open. Those of a kind are open at the same time and
// are carried as one, so that a window has few to look at, however many never end.
func carry(open []call, c call) []call {
	for i := range open {
		if o := &open[i]; o.kind == c.kind {
			o.start, o.end = min(o.start, c.start), max(o.end, c.end)
			return open
		}
	}
	return append(open, c)
}

// idler tells what the host does while the device idles from what it does beside its
// work, which is most of it and explains no gap. It is asked in order of start.
type idler struct {
	busy     interval.Set // in the window [from, to)
	from, to int64
	at       int // of the first busy stretch that ends behind the last start
}

// workTo is the end of the busy stretch that a call begins in; if it begins in none, a time
// before all calls.
func (x *idler) workTo(start int64) int64 {
	start = max(start, x.from)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	if x.at < len(x.busy) && x.busy[x.at].Start <= start {
		return x.busy[x.at].End
	}
	return math.MinInt64
}

// sees reports whether any of a call's time in the window is idle.
func (x *idler) sees(start, end int64) bool {
	start, end = max(start, x.from), min(end, x.to)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	return x.at == len(x.busy) || start < x.busy[x.at].Start || end > x.busy[x.at].End
}
