package metric

import (
	"cmp"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Ranges are projected in evenly spaced steps only, since what a range launches hardly
// differs from step to step and there can be millions of ranges: in at most
// maxProjectedSteps steps, which together hold at most maxProjectedSpans spans of the
// device, or in one.
const (
	maxProjectedSteps = 64
	maxProjectedSpans = 50_000
)

// Projected returns ranges, and a framework's operators and modules, as the device saw them: from the start of the
// first to the end of the last work that was launched within one on its thread (nsys' nvtx_gpu_proj_sum). looked is
// the number of steps that were searched.
func (r *Rank) Projected(steps []trace.Step) (stats []run.Stat, looked int) {
	return r.projectRanges(r.stepsToProject(steps, len(r.Trace.Device)))
}

// projectRanges projects the ranges in the given steps, which stepsToProject chose.
func (r *Rank) projectRanges(steps []trace.Step) (stats []run.Stat, looked int) {
	g, p := newNameGroups(r.Trace.Names, r.rangeName), projector{byThread: map[int32]*byLaunch{}}
	places := newLaunchPlaces(r)
	for _, s := range steps {
		p.project(r, s, g)
		places.addStep(s, p.byThread)
	}
	r.launched = places.done()
	if len(steps) == 0 {
		return nil, 0
	}
	return run.TopStats(g.keptStats(run.ProjectedTable)), len(steps)
}

// stepsToProject returns the steps in which ranges are projected, of a capture with that many spans
// of the device.
func (r *Rank) stepsToProject(steps []trace.Step, spans int) (chosen []trace.Step) {
	t := r.Trace
	if len(t.Ranges)+len(t.Ops) == 0 || !t.Recorded.Has(trace.HasLaunches) {
		return nil
	}
	kept := make([]int, 0, len(steps))
	for i, s := range steps {
		if s.Dropped == "" && s.HasWindow() && s.HostStart != trace.NoTime && s.HostEnd > s.HostStart {
			kept = append(kept, i)
		}
	}
	every := max(1, (len(kept)+maxProjectedSteps-1)/maxProjectedSteps, spans/maxProjectedSpans)
	if len(kept) > 0 {
		chosen = make([]trace.Step, 0, (len(kept)+every-1)/every)
	}
	for i := 0; i < len(kept); i += every {
		chosen = append(chosen, steps[kept[i]])
	}
	return chosen
}

// launchedSpan is a span with the time of the call that launched it.
type launchedSpan struct {
	at, start, end int64
	span           int32 // index in the trace's
	thread         int32 // that launched it; 0 unknown
}

// projector projects the ranges of one step after the other.
type projector struct {
	work     []launchedSpan // of the step, in order of launch
	byThread map[int32]*byLaunch
	room     []launchedSpan // of the lists of the threads
}

// project adds the ranges and operators of one step to g.
func (p *projector) project(r *Rank, st trace.Step, g *nameGroups) {
	first := startingAt(r.Trace.Device, st.Start, spanStart)
	device := startingIn(r.Trace.Device, st.Start, st.End, spanStart)
	p.work = slices.Grow(p.work[:0], len(device))
	for i := range device {
		if s := &device[i]; s.Launch != trace.NoTime {
			p.work = append(p.work, launchedSpan{at: s.Launch, start: s.Start, end: s.End, span: int32(first + i)})
		}
	}
	trace.SortNearly(p.work, func(w *launchedSpan) int64 { return w.at }, compareLaunches)
	calls := r.Trace.API
	for i := range p.work { // as calls are in order of start, each is looked for behind the one before
		w := &p.work[i]
		if calls = calls[nextCall(calls, w.at):]; len(calls) > 0 && calls[0].Start == w.at {
			w.thread = r.Trace.Names.Caller(calls[0]).Thread
		}
	}
	p.divide()
	for _, ranges := range [][]trace.Range{r.Trace.Ranges, r.Trace.Ops} {
		for _, list := range p.byThread {
			list.next = 0
		}
		projectStarting(ranges, st, p.byThread, g)
	}
}

// divide puts the work of each thread into a list of its own, which all have their room in one.
func (p *projector) divide() {
	for _, list := range p.byThread {
		list.all, list.next = nil, 0
	}
	p.room = slices.Grow(p.room[:0], len(p.work))[:len(p.work)]
	p.eachRun(func(list *byLaunch, run []launchedSpan) { list.next += len(run) })
	room := p.room
	for _, list := range p.byThread {
		list.all, room, list.next = room[:0:list.next], room[list.next:], 0
	}
	p.eachRun(func(list *byLaunch, run []launchedSpan) { list.all = append(list.all, run...) })
}

// eachRun calls do with the work that a thread launched in a row, one thread after the other.
func (p *projector) eachRun(do func(list *byLaunch, run []launchedSpan)) {
	for from := 0; from < len(p.work); {
		thread, to := p.work[from].thread, from+1
		for to < len(p.work) && p.work[to].thread == thread {
			to++
		}
		if p.byThread[thread] == nil {
			p.byThread[thread] = &byLaunch{}
		}
		do(p.byThread[thread], p.work[from:to])
		from = to
	}
}

// nextCall returns the index of the first call that starts at a time or later, which is mostly near.
func nextCall(calls []trace.Call, at int64) int {
	reach := 1
	for reach < len(calls) && calls[reach].Start < at {
		reach *= 2
	}
	from := reach / 2
	return from + startingAt(calls[from:min(reach+1, len(calls))], at, callStart)
}

func compareLaunches(a, b launchedSpan) int {
	if a.at != b.at {
		return cmp.Compare(a.at, b.at)
	}
	return cmp.Compare(a.span, b.span)
}

// byLaunch holds the work that one thread launched, in order of the launches.
type byLaunch struct {
	all  []launchedSpan
	next int // the first that was launched in the last range that was asked for, or behind its start; while work is divided, how much there is
}

// projectStarting projects the ranges that start in the host's period of a step.
func projectStarting(ranges []trace.Range, st trace.Step, byThread map[int32]*byLaunch, g *nameGroups) {
	for _, x := range startingIn(ranges, st.HostStart, st.HostEnd, rangeStart) {
		list := byThread[x.Thread]
		if list == nil || x.Open {
			continue
		}
		for list.next < len(list.all) && list.all[list.next].at < x.Start {
			list.next++
		}
		in := list.all[list.next:]
		if in = in[:sort.Search(len(in), func(i int) bool { return in[i].at >= x.End })]; len(in) == 0 {
			continue
		}
		first, last := in[0].start, in[0].end
		for _, s := range in {
			first, last = min(first, s.start), max(last, s.end)
		}
		g.add(x.Name, last-first, keptSteps)
	}
}
