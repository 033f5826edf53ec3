package kineto

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/trace"
)

// linkLaunches finds for every device span the call that launched it, sets its launch time, and returns its process.
// Device events do not name a process: if several calls have the span's correlation, the latest one before the work
// counts.
func (c *collector) linkLaunches() []int32 {
	slices.SortFunc(c.launchCalls, func(a, b launchCall) int {
		if a.correlation != b.correlation {
			return cmp.Compare(a.correlation, b.correlation)
		}
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.process, b.process))
	})
	owner, next, orphans := make([]int32, len(c.device)), 0, false
	for i := range c.device {
		behind := c.launchCalls.findLaunch(&c.device[i], c.links[i], next)
		if behind == 0 {
			owner[i], orphans = -1, true
			continue
		}
		owner[i], next = c.launchCalls[behind-1].process, behind
	}
	if orphans {
		c.assignUnlaunched(owner)
	}
	return owner
}

// findLaunch finds the call that launched s and returns its index plus one; 0 if there is none. Among the calls with
// the correlation it is the latest that is not after the work, else the earliest. The search starts at next: the call
// is mostly there or a few places later. Otherwise it takes two binary searches, however many calls share the
// correlation.
func (calls launchCalls) findLaunch(s *trace.Span, correlation uint64, next int) (behind int) {
	if correlation == 0 {
		return 0
	}
	for most := next + maxLookAhead; next < min(most, len(calls)) && calls[next].correlation < correlation; {
		next++
	}
	first := next
	if !calls.onlyCallWith(next, correlation) {
		first = calls.firstCall(correlation, math.MinInt64)
		if behind := calls.firstCall(correlation, s.Start+1); behind > first {
			first = calls.firstCall(correlation, calls[behind-1].start) // of calls at one time the lowest process
		}
		if first == len(calls) || calls[first].correlation != correlation {
			return 0
		}
	}
	s.Launch = calls[first].start
	return first + 1
}

// maxLookAhead is how many calls that launch nothing are passed over before a search.
const maxLookAhead = 16

// onlyCallWith reports whether the call at index i has the correlation and no other call has
// it.
func (calls launchCalls) onlyCallWith(i int, correlation uint64) bool {
	return i < len(calls) && calls[i].correlation == correlation &&
		(i == 0 || calls[i-1].correlation != correlation) &&
		(i+1 == len(calls) || calls[i+1].correlation != correlation)
}

// firstCall returns the index of the first call with the correlation that does not start before t, or where it would
// be.
func (calls launchCalls) firstCall(correlation uint64, t int64) int {
	return sort.Search(len(calls), func(i int) bool {
		l := &calls[i]
		return l.correlation > correlation || l.correlation == correlation && l.start >= t
	})
}

// assignUnlaunched gives work without a recorded launch to the process that launched most of
// the other work on its device, or else to the one with most calls.
func (c *collector) assignUnlaunched(owner []int32) {
	type place struct{ device, process int32 }
	count := make(map[place]int)
	for i, p := range owner {
		if p >= 0 {
			count[place{c.deviceOf[i], p}]++
		}
	}
	heir := make(map[int32]int32)
	for i, p := range owner {
		if p >= 0 {
			continue
		}
		d := c.deviceOf[i]
		if _, ok := heir[d]; !ok {
			heir[d] = c.busiest(func(p int) int { return count[place{d, int32(p)}] })
		}
		owner[i] = heir[d]
	}
}

// busiest returns the index of the process with the highest weight, then the most calls, then the
// most ranges; -1 if there is no process.
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
