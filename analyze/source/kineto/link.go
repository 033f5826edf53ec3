package kineto

import (
	"cmp"
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

// launch finds the call that launched s and returns its process, -1 for none.
func (c *collector) launch(s *trace.Span, correlation uint64) int32 {
	owner := int32(-1)
	if correlation == 0 {
		return owner
	}
	i, _ := slices.BinarySearchFunc(c.calls, correlation, func(l link, id uint64) int {
		return cmp.Compare(l.correlation, id)
	})
	for ; i < len(c.calls) && c.calls[i].correlation == correlation; i++ {
		if l := c.calls[i]; owner < 0 || closer(l.start, s.Launch, s.Start) {
			owner, s.Launch = l.process, l.start
		} else if l.start > s.Start {
			break
		}
	}
	return owner
}

// closer reports whether a call at a fits work at t better than one at b: the
// latest that is not after the work, else the earliest.
func closer(a, b, t int64) bool {
	if (a <= t) != (b <= t) {
		return a <= t
	}
	if a <= t {
		return a > b
	}
	return a < b
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
