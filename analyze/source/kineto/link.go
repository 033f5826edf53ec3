package kineto

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/trace"
)

// connect gives every device span the start of the call that launched it and
// returns the process of each. Device events carry no process: a correlation
// that several processes used belongs to the latest call before the work.
func (c *collector) connect() []int32 {
	slices.SortFunc(c.calls, func(a, b link) int {
		if a.correlation != b.correlation {
			return cmp.Compare(a.correlation, b.correlation)
		}
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.process, b.process))
	})
	owner, next, orphans := make([]int32, len(c.device)), 0, false
	for i := range c.device {
		behind := c.launch(&c.device[i], c.links[i], next)
		if behind == 0 {
			owner[i], orphans = -1, true
			continue
		}
		owner[i], next = c.calls[behind-1].process, behind
	}
	if orphans {
		c.adopt(owner)
	}
	return owner
}

// launch finds the call that launched s and returns the place behind it, 0 for none: of
// the calls with its correlation the latest that is not after the work, else the earliest.
// The work is that of two searches, however many calls share a correlation, and mostly of
// none: the call that launched it is next, or a few behind.
func (c *collector) launch(s *trace.Span, correlation uint64, next int) (behind int) {
	if correlation == 0 {
		return 0
	}
	for most := next + lookAhead; next < min(most, len(c.calls)) && c.calls[next].correlation < correlation; {
		next++
	}
	first := next
	if !c.alone(next, correlation) {
		first = c.search(correlation, math.MinInt64)
		if behind := c.search(correlation, s.Start+1); behind > first {
			first = c.search(correlation, c.calls[behind-1].start) // of calls at one time the lowest process
		}
		if first == len(c.calls) || c.calls[first].correlation != correlation {
			return 0
		}
	}
	s.Launch = c.calls[first].start
	return first + 1
}

// lookAhead is how many calls that launch nothing are passed over before it is searched.
const lookAhead = 16

// alone reports whether the call at a place has a correlation, and no other one has.
func (c *collector) alone(i int, correlation uint64) bool {
	return i < len(c.calls) && c.calls[i].correlation == correlation &&
		(i == 0 || c.calls[i-1].correlation != correlation) &&
		(i+1 == len(c.calls) || c.calls[i+1].correlation != correlation)
}

// search is the place of the first call with a correlation that does not start before t,
// or where it would be.
func (c *collector) search(correlation uint64, t int64) int {
	return sort.Search(len(c.calls), func(i int) bool {
		l := &c.calls[i]
		return l.correlation > correlation || l.correlation == correlation && l.start >= t
	})
}

// adopt gives work without a recorded launch to the process that launched most
// of what ran on its device, or to the one that called CUDA most.
func (c *collector) adopt(owner []int32) {
	type place struct{ device, process int32 }
	count := make(map[place]int)
	for i, p := range owner {
		if p >= 0 {
			count[place{c.where[i], p}]++
		}
	}
	heir := make(map[int32]int32)
	for i, p := range owner {
		if p >= 0 {
			continue
		}
		d := c.where[i]
		if _, ok := heir[d]; !ok {
			heir[d] = c.busiest(func(p int) int { return count[place{d, int32(p)}] })
		}
		owner[i] = heir[d]
	}
}

// busiest is the process with the highest weight, then the most calls, then
// the most ranges; -1 where there is no process.
func (c *collector) busiest(weight func(int) int) int32 {
	best := -1
	for i, p := range c.procs {
		if best < 0 {
			best = i
			continue
		}
		q := c.procs[best]
		if cmp.Or(cmp.Compare(weight(i), weight(best)), cmp.Compare(len(p.api), len(q.api)),
			cmp.Compare(len(p.ranges), len(q.ranges)), cmp.Compare(q.pid, p.pid)) > 0 {
			best = i
		}
	}
	return int32(best)
}
