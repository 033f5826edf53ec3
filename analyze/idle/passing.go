package idle

import (
	"math"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

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
