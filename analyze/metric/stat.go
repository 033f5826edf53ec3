package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Stats returns the tables that people know from nsys stats, for what starts within the kept steps:
// on the device within their windows, on the host within their periods. The steps must have
// been measured.
func (r *Rank) Stats(steps []trace.Step) []run.Stat {
	return r.statsBeside(steps, inTurn)
}

// StatsAndProjected returns the results of Stats and Projected. together does tasks that do not depend on each other,
// perhaps at once.
func (r *Rank) StatsAndProjected(steps []trace.Step, together func(tasks ...func())) (stats, projected []run.Stat, looked int) {
	stats = r.statsBeside(steps, together, func() { projected, looked = r.Projected(steps) })
	return stats, projected, looked
}

// statsBeside computes Stats, and does other tasks together with those for the host. Host tasks only read Names; one
// of the others may use what they compute and remember, such as Alike. Each task makes the tables of what it adds up,
// since nobody has anything else to do when the last of them is done.
func (r *Rank) statsBeside(steps []trace.Step, together func(tasks ...func()), others ...func()) []run.Stat {
	h, t := newHostSums(r, steps), r.Trace
	ofDriver := func() { // which takes longest
		h.api.addCalls(t.API)
		h.api.sumUp(run.APITable)
	}
	ofRanges := func() {
		h.addRanges(t)
		h.sumUpRanges()
	}
	ofSystem := func() {
		h.os.addCalls(t.OS)
		h.os.sumUp(run.OSTable)
	}
	together(slices.Concat([]func(){ofDriver}, others, []func(){ofRanges, ofSystem})...)
	r.host = h
	return run.TopStats(append(r.keptDeviceStats(), h.keptStats()...))
}

// inTurn does tasks one after the other.
func inTurn(tasks ...func()) {
	for _, task := range tasks {
		task()
	}
}

// keptDeviceStats returns the rows of kernels, copies and sets within the kept steps.
func (r *Rank) keptDeviceStats() []run.Stat {
	var out []run.Stat
	if !r.lacks(kindOfWork) {
		out = r.kernels.stats()
	}
	if !r.lacks(trace.Copies) {
		out = append(out, r.copies.stats((*run.Durations).Stat)...)
	}
	return out
}

// hostSums are the calls, ranges and operators of the host by name, each within the periods of
// the kept steps and outside of them.
type hostSums struct {
	api, os     callSums
	ranges, ops *nameGroups
	periods     []trace.Interval // of the kept steps
	spread      trace.Interval   // from the first to the last range, operator or access to a file
}

// newHostSums returns empty sums.
func newHostSums(r *Rank, steps []trace.Step) *hostSums {
	t, periods := r.Trace, keptPeriods(steps)
	h := &hostSums{periods: periods, ranges: newNameGroups(t.Names, r.rangeName), ops: newNameGroups(t.Names, r.rangeName)}
	for _, c := range []*callSums{&h.api, &h.os} {
		*c = callSums{nameGroups: newNameGroups(t.Names, nil), periods: periods, groupOfCaller: make([]int32, t.Names.Callers.Len())}
	}
	return h
}

// addRanges adds up ranges and operators, all at once.
func (h *hostSums) addRanges(t *trace.Trace) {
	h.spread = spreadOf(t)
	for _, x := range []struct {
		into    *nameGroups
		list    []trace.Range
		periods []trace.Interval
	}{{h.ranges, t.Ranges, h.periods}, {h.ops, t.Ops, nil}} {
		splitByPeriod(x.list, x.periods, rangeStart, func(list []trace.Range, in scope) {
			for i := range list {
				if !list[i].Open { // how long it took is not recorded
					x.into.add(list[i].Name, list[i].End-list[i].Start, in)
				}
			}
		})
	}
}

// sumUp makes all tables, once all was added.
func (h *hostSums) sumUp() {
	h.api.sumUp(run.APITable)
	h.os.sumUp(run.OSTable)
	h.sumUpRanges()
}

// sumUpRanges makes the tables of ranges and operators.
func (h *hostSums) sumUpRanges() {
	h.ranges.sumUp(run.RangeTable)
	h.ops.sumUp(run.OperatorTable)
}

// keptStats returns the tables for the kept steps.
func (h *hostSums) keptStats() []run.Stat {
	return slices.Concat(h.api.kept, h.os.kept, h.ranges.kept)
}

// captureStats returns the tables for the whole capture.
func (h *hostSums) captureStats() []run.Stat {
	return slices.Concat(h.api.whole, h.os.whole, h.ranges.whole, h.ops.whole)
}

// callSums adds up the calls of one table by name, in order of start, and keeps the time from the first to the last of
// them.
type callSums struct {
	*nameGroups
	periods   []trace.Interval // those that no call has reached the end of
	from, to  int64
	any       bool
	durations durationBuffer

	groupOfCaller []int32 // 1 + group; 0 not asked
}

func (c *callSums) addCalls(list []trace.Call) {
	if len(list) == 0 {
		return
	}
	if !c.any {
		c.from, c.to, c.any = list[0].Start, list[0].Start, true
	}
	splitByPeriod(list, c.periods, callStart, func(list []trace.Call, in scope) {
		for len(list) > 0 {
			n := min(len(list), durationBufferSize)
			c.buffer(list[:n])
			list = list[n:]
			c.durations.flush(func(group int32, ns []int64) { c.addAllToGroup(group, ns, in) })
		}
	})
}

func (c *callSums) buffer(list []trace.Call) {
	to, of := c.to, c.groupOfCaller
	for i := range list {
		x := &list[i]
		if of[x.By()] == 0 {
			of[x.By()] = c.group(c.names.Caller(*x).Name)
		}
		length := x.Length()
		to = max(to, x.Start+length)
		c.durations.put(of[x.By()]-1, length)
	}
	c.to = max(to, list[len(list)-1].Start)
}

// splitByPeriod cuts a list, which is in order of start, into stretches that start within the
// periods and outside of them, and calls do with each, in order.
func splitByPeriod[T any](list []T, periods []trace.Interval, start func(*T) int64, do func(list []T, in scope)) {
	for _, p := range periods {
		before := startingAt(list, p.Start, start)
		do(list[:before], outsideSteps)
		list = list[before:]
		within := startingAt(list, p.End, start)
		do(list[:within], keptSteps)
		list = list[within:]
	}
	do(list, outsideSteps)
}

// makeStat makes a row of a table from durations.
type makeStat func(*run.Durations, run.Table, string) run.Stat

// rangeName returns a range's name without the numbers that count its occurrences.
func (r *Rank) rangeName(id trace.NameID) string {
	return kernelname.Ordinary(kernelname.CanonicalRange(r.Trace.Names.Text(id)))
}

// keptPeriods returns the periods of the kept steps on the host, in order of time. Time that two of them share counts
// for the first.
func keptPeriods(steps []trace.Step) (out []trace.Interval) {
	for _, s := range steps {
		if s.Dropped == "" && s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime && s.HostEnd > s.HostStart {
			out = append(out, trace.Interval{Start: s.HostStart, End: s.HostEnd})
		}
	}
	slices.SortFunc(out, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(out); i++ {
		out[i].Start = max(out[i].Start, out[i-1].End)
		out[i].End = max(out[i].Start, out[i].End)
	}
	return out
}

// copySums are copies and sets of memory, by direction.
type copySums []copySum

type copySum struct {
	name      string // of the direction; "" of sets
	durations run.Durations
	bytes     int64
}

// add counts a copy or a set.
func (c *copySums) add(s *trace.Span) {
	name := ""
	if s.Kind == trace.Memcpy {
		name = s.Copy.String()
	}
	at := slices.IndexFunc(*c, func(x copySum) bool { return x.name == name })
	if at < 0 {
		at = len(*c)
		*c = append(*c, copySum{name: name})
	}
	x := &(*c)[at]
	x.durations.Add(s.End - s.Start)
	x.bytes += s.Bytes()
}

func (c copySums) stats(sum makeStat) []run.Stat {
	var out []run.Stat
	for i := range c {
		name := setName
		if c[i].name != "" {
			name = copyName + c[i].name
		}
		s := sum(&c[i].durations, run.MemoryTable, name)
		s.Bytes = c[i].bytes
		out = append(out, s)
	}
	return out
}
