package idle

import (
	"math"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// callCursor finds the calls of one window after the other, from a list in order of start.
type callCursor struct {
	list        []trace.Call
	kinds       []int8 // the kind of a call by its caller, -1 if it is left out; nil: all are one kind
	windowStart int64  // where the last window began
	position
	beforeWindow position // the position before the last window
}

// position is how far a callCursor has come.
type position struct {
	until int64  // the last window's end
	next  int    // the first call that no window has reached
	open  []call // earlier calls that last beyond the last window: one for each kind
}

// call is one call, or several of one kind that touch each other.
type call struct {
	kind       int
	start, end int64
}

// each calls do for the calls that are at least partly in [lo, hi), in order of start. Calls
// that lie wholly within busy, when the device works, are left out. Windows come in order of
// lo; where two overlap, calls in both are given twice.
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
		if work := min(idle.busyUntil(c.Start), hi); c.End() <= work { // as most are, and those behind it
			for next < len(list) && list[next].Start < work && list[next].End() <= work {
				next++
			}
			continue
		}
		end := c.End()
		if end <= lo {
			continue
		}
		seen, kind := idle.anyIdle(c.Start, end), 0
		if p.kinds != nil {
			if kind = int(p.kinds[c.By()]); kind < 0 {
				continue
			}
		}
		if seen {
			do(kind, c.Start, end)
		}
		if end > hi {
			open = addOpen(open, call{kind, c.Start, end})
		}
	}
	p.next, p.open, p.until = next, open, hi
}

// addOpen adds a call that lasts beyond the window. Calls of one kind that are open at once are kept as one, so that a
// window has few to look at, even if many never end.
func addOpen(open []call, c call) []call {
	for i := range open {
		if o := &open[i]; o.kind == c.kind {
			o.start, o.end = min(o.start, c.start), max(o.end, c.end)
			return open
		}
	}
	return append(open, c)
}

// idleFilter separates calls during which the device idles from those during which it works.
// Most do the latter and explain no gap. Calls must come in order of start.
type idleFilter struct {
	busy     interval.Set // in the window [from, to)
	from, to int64
	at       int // index of the first busy stretch that ends after the last start
}

// busyUntil returns the end of the busy stretch in which a call begins; a time before all calls if
// it begins in none.
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

// anyIdle reports whether the device idles in any of the call's time in the window.
func (x *idleFilter) anyIdle(start, end int64) bool {
	start, end = max(start, x.from), min(end, x.to)
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	return x.at == len(x.busy) || start < x.busy[x.at].Start || end > x.busy[x.at].End
}
