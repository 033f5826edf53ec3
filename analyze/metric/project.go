package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// mostProjected is in how many steps ranges are projected: evenly taken, since what a
// range launches hardly differs from step to step and there can be millions.
// The steps together hold so many spans of the device at most, or are one.
const (
	mostProjected     = 64
	mostProjectedWork = 50_000
)

// Projected are the ranges, and the operators and modules of a framework, as the device
// saw them: from the start of the first to the end of the last work that was launched
// within one on its thread (nsys' nvtx_gpu_proj_sum), and in how many steps they were
// looked at.
func (r *Rank) Projected(steps []trace.Step) (stats []run.Stat, looked int) {
	t := r.Trace
	if len(t.Ranges)+len(t.Ops) == 0 || !t.Recorded.Has(trace.HasLaunches) {
		return nil, 0
	}
	var kept []trace.Step
	for _, s := range steps {
		if s.Dropped == "" && s.Start != trace.NoTime && s.End > s.Start && s.HostStart != trace.NoTime && s.HostEnd > s.HostStart {
			kept = append(kept, s)
		}
	}
	g := newGroups(t.Names, r.ordinary)
	every := max(1, (len(kept)+mostProjected-1)/mostProjected, len(t.Device)/mostProjectedWork)
	for i := 0; i < len(kept); i += every {
		r.project(kept[i], g)
		looked++
	}
	return run.Most(g.stats(run.ProjectedTable)), looked
}

// launched is a span by the call that launched it.
type launched struct{ at, start, end int64 }

// project adds the ranges and operators of one step.
func (r *Rank) project(st trace.Step, g *groups) {
	byThread := map[int32][]launched{}
	for _, s := range startingIn(r.Trace.Device, st.Start, st.End) {
		if s.Launch == trace.NoTime {
			continue
		}
		thread := r.launcher(s.Launch)
		byThread[thread] = append(byThread[thread], launched{s.Launch, s.Start, s.End})
	}
	for _, list := range byThread {
		slices.SortFunc(list, func(a, b launched) int { return cmp.Compare(a.at, b.at) })
	}
	for _, ranges := range [][]trace.Range{r.Trace.Ranges, r.Trace.Ops} {
		projectEach(ranges, st, byThread, g)
	}
}

// projectEach adds those of ranges that start in the host's period of a step.
func projectEach(ranges []trace.Range, st trace.Step, byThread map[int32][]launched, g *groups) {
	from, _ := slices.BinarySearchFunc(ranges, st.HostStart, func(x trace.Range, t int64) int {
		if x.Start < t {
			return -1
		}
		return 1
	})
	at := func(x launched, t int64) int {
		if x.at < t {
			return -1
		}
		return 1
	}
	for _, x := range ranges[from:] {
		if x.Start >= st.HostEnd {
			return
		}
		list := byThread[x.Thread]
		lo, _ := slices.BinarySearchFunc(list, x.Start, at)
		hi, _ := slices.BinarySearchFunc(list, x.End, at)
		if lo >= hi {
			continue
		}
		first, last := list[lo].start, list[lo].end
		for _, s := range list[lo:hi] {
			first, last = min(first, s.start), max(last, s.end)
		}
		g.add(x.Name, last-first)
	}
}

// launcher is the thread that made the call at a time; 0 if none is there.
func (r *Rank) launcher(launch int64) int32 {
	i, ok := slices.BinarySearchFunc(r.Trace.API, launch, func(c trace.Call, t int64) int { return cmp.Compare(c.Start, t) })
	if !ok {
		return 0
	}
	return r.Trace.API[i].Thread
}
