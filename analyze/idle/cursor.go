package idle

import (
	"math"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// callCursor walks through calls in order of start, window after window.
type callCursor struct {
	list        []trace.Call
	kind        func(*trace.Call) int // nil: all alike; -1: of no interest
	windowStart int64                 // where the last window began
	position
	beforeWindow position // what it was before the last window
}

// position is how far a walk has come.
type position struct {
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
func (p *callCursor) each(lo, hi int64, busy interval.Set, do func(kind int, start, end int64)) {
	if lo < p.until {
		p.position = p.beforeWindow
		if lo < p.windowStart {
			p.position = position{}
		}
	}
	p.beforeWindow, p.windowStart = p.position, lo
	idle := idleFilter{busy: busy, from: lo, to: hi}
	var open []call // hardly ever any
	for _, c := range p.open {
		if c.end > lo {
			if idle.anyIdle(c.start, c.end) {
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
		if work := min(idle.busyUntil(c.Start), hi); c.End <= work { // as most are, and those behind it
			for next < len(list) && list[next].Start < work && list[next].End <= work {
				next++
			}
			continue
		}
		if c.End <= lo {
			continue
		}
		seen, kind := idle.anyIdle(c.Start, c.End), 0
		if p.kind != nil {
			if kind = p.kind(c); kind < 0 {
				continue
			}
		}
		if seen {
			do(kind, c.Start, c.End)
		}
		if c.End > hi {
			open = addOpen(open, call{kind, c.Start, c.End})
		}
	}
	p.next, p.open, p.until = next, open, hi
}

// addOpen adds a call to those that are open. Those of a kind are open at the same time and
// are carried as one, so that a window has few to look at, however many never end.
func addOpen(open []call, c call) []call {
	for i := range open {
		if o := &open[i]; o.kind == c.kind {
			o.start, o.end = min(o.start, c.start), max(o.end, c.end)
			return open
		}
	}
	return append(open, c)
}

// idleFilter tells what the host does while the device idles from what it does beside its
// work, which is most of it and explains no gap. It is asked in order of start.
type idleFilter struct {
	busy     interval.Set // in the window [from, to)
	from, to int64
	at       int // of the first busy stretch that ends behind the last start
}

// busyUntil is the end of the busy stretch that a call begins in; if it begins in none, a time
// before all calls.
func (x *idleFilter) busyUntil(start int64) int64 {
	start = max(start, x.from)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	if x.at < len(x.busy) && x.busy[x.at].Start <= start {
		return x.busy[x.at].End
	}
	return math.MinInt64
}

// anyIdle reports whether any of a call's time in the window is idle.
func (x *idleFilter) anyIdle(start, end int64) bool {
	start, end = max(start, x.from), min(end, x.to)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	return x.at == len(x.busy) || start < x.busy[x.at].Start || end > x.busy[x.at].End
}
