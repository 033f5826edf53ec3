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
	launched, inside := workOfSteps(t.Device, steps)
	if float64(inside) < minInsideSteps*float64(launched) {
		why := fmt.Sprintf("the kernels of its steps: %d were launched in steps, of which %d start in theirs, as the clocks of host and device disagree (record again)", launched, inside)
		t.Lose(trace.Kernels|trace.Copies|trace.Kinds|trace.Clocks, why)
		t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "what the device does in a step is not measured, which needs " + why})
		return
	}
	if early, all := workBeforeCalls(t.Device); float64(early) > maxBeforeCalls*float64(all) {
		why := fmt.Sprintf("clocks of host and device that agree: %d of %d kernels start before the call that launched them (record again)", early, all)
		t.Lose(trace.Clocks, why)
		t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "causes of idle time and the critical path are not measured, which need " + why})
	}
}

// workOfSteps is how many kernels and replays were launched in a step that has a window, and how
// many of those start in that window or in the one before or behind it: what a step launches
// early or leaves behind is its own. The last window alone ends with its work, however late that
// is, and would hold all.
func workOfSteps(device []trace.Span, steps []trace.Step) (launched, inside int) {
	var periods, windows []trace.Interval
	for i := range steps {
		if s := &steps[i]; s.HasWindow() && s.HostStart != trace.NoTime && s.HostEnd > s.HostStart {
			periods = append(periods, trace.Interval{Start: s.HostStart, End: s.HostEnd})
			windows = append(windows, trace.Interval{Start: s.Start, End: s.End})
		}
	}
	sortIntervals(periods)
	sortIntervals(windows)
	for i := range device {
		s := &device[i]
		if !isLaunchedWork(s) {
			continue
		}
		by := indexOf(periods, s.Launch)
		if by < 0 {
			continue
		}
		launched++
		if in := indexOf(windows, s.Start); in >= 0 && in >= by-1 && in <= by+1 {
			inside++
		}
	}
	return launched, inside
}

// workBeforeCalls is how many kernels and replays start before their own launch, and of how many
// the launch is known.
func workBeforeCalls(device []trace.Span) (early, all int) {
	for i := range device {
		if s := &device[i]; isLaunchedWork(s) {
			all++
			if s.Start+clockError < s.Launch {
				early++
			}
		}
	}
	return early, all
}

// isLaunchedWork reports whether a span is a kernel or a replay with a known launch.
func isLaunchedWork(s *trace.Span) bool {
	return (s.Kind == trace.Kernel || s.Kind == trace.Graph) && s.Launch != trace.NoTime
}

func sortIntervals(list []trace.Interval) {
	slices.SortFunc(list, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
}

// indexOf is which of the intervals a time lies in, -1 if in none. They come in order of start and
// do not overlap.
func indexOf(list []trace.Interval, at int64) int {
	i, found := slices.BinarySearchFunc(list, at, func(x trace.Interval, at int64) int { return cmp.Compare(x.Start, at) })
	if !found {
		i--
	}
	if i < 0 || at >= list[i].End {
		return -1
	}
	return i
}
