package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"perfdiff/analyze/trace"
)

// What the clocks of host and device may differ by before nothing is told from both. Chosen, not
// measured: profilers convert the device's clock with an error of a few microseconds at most.
const (
	clockError     = 20_000 // ns, by which work may start before the call that launched it
	maxBeforeCalls = 0.1    // of the launched work
	minInsideSteps = 0.5    // of the work launched in steps, which has to start in their windows
)

// checkClocks warns of work that lies where the host's clock says it cannot, and notes what cannot
// be measured then. Kernels far behind the steps that launched them leave these empty, and no
// work at all would be measured as zero.
func checkClocks(t *trace.Trace, steps []trace.Step) {
	w := workByClocks(t.Device, steps)
	if float64(w.inside) < minInsideSteps*float64(w.ofSteps) {
		why := fmt.Sprintf("the kernels of its steps: %d were launched in steps, of which %d start in theirs, as the clocks of host and device disagree (record again)", w.ofSteps, w.inside)
		t.Lose(trace.Kernels|trace.Copies|trace.Kinds|trace.Clocks, why)
		t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "what the device does in a step is not measured, which needs " + why})
		return
	}
	if float64(w.early) > maxBeforeCalls*float64(w.launched) {
		why := fmt.Sprintf("clocks of host and device that agree: %d of %d kernels start before the call that launched them (record again)", w.early, w.launched)
		t.Lose(trace.Clocks, why)
		t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "causes of idle time and the critical path are not measured, which need " + why})
	}
}

// clockedWork counts kernels and replays whose launch is known.
type clockedWork struct {
	launched int // all of them
	early    int // that start before their own launch
	ofSteps  int // launched in a step that has a window
	inside   int // of ofSteps: that start in that window or in the one before or behind it
}

// workByClocks counts the work of a device in one pass, for there are millions. What a step launches
// early or leaves behind is its own, and is inside. The last window alone ends with its work, however
// late that is, and would hold all.
func workByClocks(device []trace.Span, steps []trace.Step) (w clockedWork) {
	var calls, work places
	for i := range steps {
		if s := &steps[i]; s.HasWindow() && s.HostStart != trace.NoTime && s.HostEnd > s.HostStart {
			calls.list = append(calls.list, trace.Interval{Start: s.HostStart, End: s.HostEnd})
			work.list = append(work.list, trace.Interval{Start: s.Start, End: s.End})
		}
	}
	sortIntervals(calls.list)
	sortIntervals(work.list)
	for i := range device {
		s := &device[i]
		if !isLaunchedWork(s) {
			continue
		}
		w.launched++
		if s.Start+clockError < s.Launch {
			w.early++
		}
		by := calls.of(s.Launch)
		if by < 0 {
			continue
		}
		w.ofSteps++
		if in := work.of(s.Start); in >= 0 && in >= by-1 && in <= by+1 {
			w.inside++
		}
	}
	return w
}

// isLaunchedWork reports whether a span is a kernel or a replay with a known launch.
func isLaunchedWork(s *trace.Span) bool {
	return (s.Kind == trace.Kernel || s.Kind == trace.Graph) && s.Launch != trace.NoTime
}

func sortIntervals(list []trace.Interval) {
	slices.SortFunc(list, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
}

// places are intervals in order of start, which do not overlap, and the one that was found last:
// work comes nearly in order, so that it is mostly the next one's, too, and is searched for else.
type places struct {
	list []trace.Interval
	last int
}

// of is which of the intervals a time lies in, -1 if in none.
func (p *places) of(at int64) int {
	if p.last < len(p.list) && p.list[p.last].Start <= at && at < p.list[p.last].End {
		return p.last
	}
	i, found := slices.BinarySearchFunc(p.list, at, func(x trace.Interval, at int64) int { return cmp.Compare(x.Start, at) })
	if !found {
		i--
	}
	if i < 0 || at >= p.list[i].End {
		return -1
	}
	p.last = i
	return i
}
