package kineto

import (
	"cmp"
	"math"
	"slices"

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
	owner := make([]int32, len(c.device))
	for i := range c.device {
		owner[i] = c.launch(&c.device[i], c.links[i])
	}
	c.adopt(owner)
	return owner
}

// launch finds the call that launched s and returns its process, -1 for none: of the
// calls with its correlation the latest that is not after the work, else the earliest.
// The work is that of two searches, however many calls share a correlation.
func (c *collector) launch(s *trace.Span, correlation uint64) int32 {
	if correlation == 0 {
		return -1
	}
	first := c.search(correlation, math.MinInt64)
	if behind := c.search(correlation, s.Start+1); behind > first {
		first = c.search(correlation, c.calls[behind-1].start) // of calls at one time the lowest process
	}
	if first == len(c.calls) || c.calls[first].correlation != correlation {
		return -1
	}
	s.Launch = c.calls[first].start
	return c.calls[first].process
}

// search is the place of the first call with a correlation that does not start before t,
// or where it would be.
func (c *collector) search(correlation uint64, t int64) int {
	i, _ := slices.BinarySearchFunc(c.calls, t, func(l link, t int64) int {
		return cmp.Or(cmp.Compare(l.correlation, correlation), cmp.Compare(l.start, t))
	})
	return i
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
