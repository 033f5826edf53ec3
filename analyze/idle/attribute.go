package idle

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// waitedFor says why the device could not start the work that ends a gap any earlier.
type waitedFor int

const (
	waitedForLaunch     waitedFor = iota // the launch came after the device was done
	waitedForInput                       // the same, and the host waited for input in most of the gap
	waitedForDependency                  // it was launched in time, and waited for a stream, an event or a collective
	waitedForUnknown                     // the launch is not known
	waitedForCount
)

// WaitedForNames are the parts of gap_bound_time, by the number of a waitedFor.
var WaitedForNames = [waitedForCount]string{"launch", "input", "dependency", "unknown"}

// gapAttribution finds the causes of single gaps. Steps and the gaps in them are given in order
// of time.
type gapAttribution struct {
	*hostWork
	device    []trace.Span
	next      int               // the first span that starts at the end of the last gap or later
	setPlaces [causeCount]int   // by cause: the index in its set that the last gap was at
	nonEmpty  []cause           // causes whose sets are not empty
	hostTime  interval.Set      // when the cause of the last gap is other host work
	launch    int64             // that ends the last gap, if it is known
	late      interval.Interval // from the last gap's begin to that launch
}

// beginStep begins a step that starts at a time, of whose window the sets of host work are.
func (a *gapAttribution) beginStep(lo int64) {
	a.setPlaces, a.nonEmpty = [causeCount]int{}, a.nonEmpty[:0]
	for k := range causeUnknown {
		if len(a.sets[k]) > 0 {
			a.nonEmpty = append(a.nonEmpty, k)
		}
	}
	a.next, _ = slices.BinarySearchFunc(a.device, lo, func(x trace.Span, t int64) int { return cmp.Compare(x.Start, t) })
}

// causeTimes is how much of a gap each cause accounts for, in ns. Together they are the gap's
// length.
type causeTimes [causeCount]int64

// goTo goes on to the next gap.
func (a *gapAttribution) goTo(g interval.Interval) {
	for a.next < len(a.device) && a.device[a.next].Start < g.End {
		a.next++
	}
}

// attribute puts the causes of the gap g, to which it came, into of, and returns what the device
// waited for. The gap ends where a span starts, or where the trace ends.
func (a *gapAttribution) attribute(g interval.Interval, of *causeTimes) waitedFor {
	*of, a.hostTime, a.late = causeTimes{}, a.hostTime[:0], interval.Interval{}
	launch := trace.NoTime
	if a.next < len(a.device) && a.device[a.next].Start == g.End {
		launch = a.device[a.next].Launch
	}
	if launch == trace.NoTime {
		a.hostPart(of, g)
		return waitedForUnknown
	}
	// Up to the launch the device waits for the host, then for the launch to
	// arrive, and then for what the launched work itself waits for.
	issued := min(max(launch, g.Start), g.End)
	arrived := max(issued, min(max(launch+launchLatency, a.callEnd(launch, issued, g.Start)), g.End))
	a.launch, a.late = launch, interval.Interval{Start: g.Start, End: issued}
	a.hostPart(of, a.late)
	of[causeLaunch] += arrived - issued
	of[causeDependency] += g.End - arrived
	switch {
	case 2*of[causeDependency] >= g.End-g.Start: // most of it the launch was there
		return waitedForDependency
	case 2*of[causeInput] >= g.End-g.Start:
		return waitedForInput
	}
	return waitedForLaunch
}

// addRunning adds to sum whether the thread whose launch ends the gap that was attributed last was on a processor
// before it.
func (a *gapAttribution) addRunning(sum *StepGaps) {
	t, late := a.process.trace, a.late
	if len(t.Running) == 0 || late.End <= late.Start {
		return
	}
	sum.Late += late.End - late.Start
	at, found := slices.BinarySearchFunc(t.API, a.launch, func(c trace.Call, start int64) int { return cmp.Compare(c.Start, start) })
	if !found {
		return
	}
	list := t.Running[t.Names.Caller(t.API[at]).Thread]
	if n := len(list); n == 0 || late.Start < list[0].Start || late.End > list[n-1].End {
		return
	}
	sum.LateKnown += late.End - late.Start
	i, _ := slices.BinarySearchFunc(list, late.Start, func(x trace.Interval, t int64) int { return cmp.Compare(x.End, t) })
	for ; i < len(list) && list[i].Start < late.End; i++ {
		sum.LateRunning += min(list[i].End, late.End) - max(list[i].Start, late.Start)
	}
}

// maxSpansBack is how many spans before a gap are searched for the one whose end begins it: there are few streams, so
// it is never far. Chosen, not measured.
const maxSpansBack = 8

// inReplay reports whether the gap that was attributed last lies between two kernels of one launch, as between the
// recorded nodes of a replayed graph.
func (a *gapAttribution) inReplay(g interval.Interval) bool {
	if a.next >= len(a.device) {
		return false
	}
	after := &a.device[a.next]
	if after.Start != g.End || after.Launch == trace.NoTime || after.Kind != trace.Kernel {
		return false
	}
	for i := a.next - 1; i >= 0 && i >= a.next-maxSpansBack; i-- {
		if before := &a.device[i]; before.End == g.Start {
			return before.Launch == after.Launch && before.Kind == trace.Kernel
		}
	}
	return false
}

// callEnd returns the end of the call that made a launch at that time, where it ends after t, else
// t. Later questions are never about times before from.
func (a *gapAttribution) callEnd(launch, t, from int64) int64 {
	s := a.sets[causeLaunch]
	i := a.setPlaces[causeLaunch]
	for i < len(s) && s[i].End <= from {
		i++
	}
	for a.setPlaces[causeLaunch] = i; i < len(s) && s[i].End <= t; i++ {
	}
	if i < len(s) && s[i].Start <= launch {
		return s[i].End
	}
	return t
}

// timeIn returns how many ns of iv the set of a cause covers. Gaps come in order of time, so the
// search goes on from where the last one ended.
func (a *gapAttribution) timeIn(k cause, iv interval.Interval) (sum int64) {
	s := a.sets[k]
	i := a.setPlaces[k]
	for i < len(s) && s[i].End <= iv.Start {
		i++
	}
	a.setPlaces[k] = i
	for ; i < len(s) && s[i].Start < iv.End; i++ {
		sum += min(s[i].End, iv.End) - max(s[i].Start, iv.Start)
	}
	return sum
}

// partIn appends to out where the set of a cause covers iv. timeIn must have been called for
// iv.
func (a *gapAttribution) partIn(out interval.Set, k cause, iv interval.Interval) interval.Set {
	s := a.sets[k]
	for i := a.setPlaces[k]; i < len(s) && s[i].Start < iv.End; i++ {
		out = append(out, interval.Interval{Start: max(s[i].Start, iv.Start), End: min(s[i].End, iv.End)})
	}
	return out
}

// hostPart adds to of what the host did in iv. If it did several things at once, the first of these causes in
// run.IdleCauses counts.
func (a *gapAttribution) hostPart(of *causeTimes, iv interval.Interval) {
	length := iv.End - iv.Start
	if length <= 0 {
		return
	}
	var in [causeCount]int64
	sum, kinds := int64(0), 0
	for _, k := range a.nonEmpty {
		if in[k] = a.timeIn(k, iv); in[k] > 0 {
			sum += in[k]
			kinds++
		}
	}
	if kinds <= 1 { // nothing to decide
		for _, k := range a.nonEmpty {
			of[k] += in[k]
		}
		if in[causeHost] > 0 {
			a.hostTime = a.partIn(a.hostTime, causeHost, iv)
		}
		of[causeUnknown] += length - sum
		return
	}
	rest := interval.Set{iv}
	for _, k := range a.nonEmpty {
		if in[k] > 0 {
			s := a.sets[k].Clip(nil, iv.Start, iv.End)
			of[k] += interval.Overlap(rest, s)
			if k == causeHost {
				a.hostTime = interval.Intersect(a.hostTime, rest, s)
			}
			rest = interval.Subtract(nil, rest, s)
		}
	}
	of[causeUnknown] += rest.Total()
}

// mainCause returns the cause of the longest part of a gap; of equal parts unknown, then the first.
func (of *causeTimes) mainCause() cause {
	most := causeUnknown
	for k := range of {
		if of[k] > of[most] {
			most = cause(k)
		}
	}
	return most
}

// asCauses returns the causes with any time, in order of priority.
func (of *causeTimes) asCauses() (out []run.Cause) {
	n := 0
	for _, ns := range of {
		if ns > 0 {
			n++
		}
	}
	if n > 0 {
		out = make([]run.Cause, 0, n)
	}
	for k, ns := range of {
		if ns > 0 {
			out = append(out, run.Cause{Name: run.IdleCauses[k], Time: ns})
		}
	}
	return out
}
