package idle

import (
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// hostWork holds what the host did in one window of the device's time, as sets of time by cause. A rank makes millions
// of calls, of which one window holds few: the sets of one window at a time take hardly any memory.
//
// Launches count on every thread, since a framework launches from several. Other calls and ranges count on threads
// that launch and on the one that runs the steps: any other thread that waits for the device holds nothing up. The
// range around a step says nothing, even if another marker was chosen, and neither do longer ranges or what the host
// does while the device works.
type hostWork struct {
	sets       [causeCount]interval.Set // by cause: when calls or ranges of it are open, in the window
	anyNonCUDA bool                     // calls or ranges were recorded that are not CUDA's, of threads that count

	process *Process
	threads threads // whose calls count
	kinds   *callKinds

	frameworkTime interval.Set // when threads that count are in operators, modules or functions

	api, os callCursor
	ranges  callCursor // ranges that count
	room    struct{ ranges, framework, system, union interval.Set }
}

func (p *Process) newHost(steps []trace.Step) *hostWork {
	t := p.trace
	h := &hostWork{process: p, threads: p.threads, kinds: p.kinds}
	longest, markers := int64(0), []int64(nil) // when the ranges of steps begin
	for _, s := range steps {
		if s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime {
			markers = append(markers, s.HostStart)
			longest = max(longest, s.HostEnd-s.HostStart)
		}
	}
	slices.Sort(markers)
	h.api, h.os = callCursor{list: t.API, kinds: h.causesOfAPICalls()}, callCursor{list: t.OS, kinds: h.countedOSCalls()}
	h.ranges.list = h.rangesThatCount(longest, markers)
	h.frameworkTime = h.findFrameworkTime(longest)
	h.anyNonCUDA = len(h.ranges.list) > 0 || len(h.frameworkTime) > 0 || slices.ContainsFunc(t.OS, func(c trace.Call) bool { return h.os.kinds[c.By()] >= 0 }) ||
		slices.ContainsFunc(t.API, func(c trace.Call) bool { return h.api.kinds[c.By()] == int8(causeHost) })
	return h
}

// rangesThatCount returns the ranges, in order, on threads that count, if they are shorter than the longest step and do
// not mark steps: by their name, or by beginning at one of markers, which are in order.
func (h *hostWork) rangesThatCount(longest int64, markers []int64) []trace.Call {
	t, most := h.process.trace, 0
	for i := range t.Ranges {
		if h.threads.has(t.Ranges[i].Thread) {
			most++
		}
	}
	list, ofStep := make([]trace.Call, 0, most), t.Names.AskAlike(kernelname.IsStepName)
	for i := range t.Ranges {
		x := &t.Ranges[i]
		for len(markers) > 0 && markers[0] < x.Start {
			markers = markers[1:]
		}
		if h.threads.has(x.Thread) && !ofStep(x.Name) && (longest == 0 || x.End-x.Start < longest) && (len(markers) == 0 || markers[0] != x.Start) {
			list = append(list, trace.NewCall(x.Start, x.End, 0))
		}
	}
	return list
}

// window fills the sets for [lo, hi); busy is when the device works in it. Windows come in order of time and hardly
// overlap, so that all windows of a rank together take linear time.
func (h *hostWork) window(lo, hi int64, busy interval.Set) {
	for k := range h.sets {
		h.sets[k] = h.sets[k][:0]
	}
	h.sets[causeInput] = h.process.Input.Clip(h.sets[causeInput], lo, hi)
	h.api.each(lo, hi, busy, func(k int, start, end int64) { h.sets[k] = h.sets[k].Add(start, end) })
	ranges := h.room.ranges[:0]
	h.ranges.each(lo, hi, busy, func(_ int, start, end int64) { ranges = ranges.Add(start, end) })
	h.room.ranges = ranges
	system := h.room.system[:0]
	h.os.each(lo, hi, busy, func(_ int, start, end int64) { system = system.Add(start, end) })
	h.room.system = system
	h.addTo(causeHost, ranges)
	h.room.framework = h.frameworkTime.Clip(h.room.framework[:0], lo, hi)
	h.addTo(causeHost, h.room.framework)
	h.addTo(causeHost, system)
}

// addTo adds s to the set of a cause.
func (h *hostWork) addTo(k cause, s interval.Set) {
	if len(s) > 0 {
		h.room.union = interval.Union(h.room.union[:0], h.sets[k], s)
		h.sets[k], h.room.union = h.room.union, h.sets[k]
	}
}

// countedOSCalls returns by caller 0 for calls of the operating system on threads that count, else -1.
func (h *hostWork) countedOSCalls() []int8 {
	return trace.CallersOf(&h.process.trace.Names.Callers, func(x trace.Caller) int8 {
		if h.threads.has(x.Thread) {
			return 0
		}
		return -1
	})
}

// causesOfAPICalls returns by caller the causes of calls of CUDA, -1 where the thread does not count.
func (h *hostWork) causesOfAPICalls() []int8 {
	return trace.CallersOf(&h.process.trace.Names.Callers, func(x trace.Caller) int8 {
		if h.threads.has(x.Thread) {
			return int8(h.kinds.of(x.Name))
		}
		return -1
	})
}
