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
	maxWaitsBroken = 0.5    // of the waits for a stream or the device, by whose end what was launched before has to end
	leastWaits     = 3      // with fewer nothing is told from waits
	maxNoLength    = 0.25   // of the kernels; older PyTorch traces hold whole microseconds, and of resnet50's kernels 7 % take none
)

// check warns, once all work is counted, if work lies where the host's clock says it cannot, and notes what cannot be
// measured then. Kernels that lie long after the steps that launched them leave these empty, and having no work would
// be measured as zero. It reports whether anything is lost.
func (w *clockedWork) check(t *trace.Trace) bool {
	lost := w.checkLengths(t)
	return w.checkPlaces(t) || lost
}

// checkLengths looks for kernels that take no time, which is impossible: an export wrote the start twice, or times in
// a unit that is too coarse for kernels. All time would be measured as idle.
func (w *clockedWork) checkLengths(t *trace.Trace) bool {
	if !(float64(w.noLength) > maxNoLength*float64(w.kernels)) {
		return false
	}
	why := fmt.Sprintf("durations of kernels: %d of %d have none (export or record again)", w.noLength, w.kernels)
	t.Lose(trace.Kernels, why)
	t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "lacks " + why})
	return true
}

func (w *clockedWork) checkPlaces(t *trace.Trace) bool {
	if float64(w.inside) < minInsideSteps*float64(w.ofSteps) {
		why := fmt.Sprintf("the kernels of its steps: %d were launched in steps, of which %d start in theirs, as the clocks of host and device disagree (record again)", w.ofSteps, w.inside)
		t.Lose(trace.Kernels|trace.Copies|trace.Kinds|trace.Clocks, why)
		t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "what the device does in a step is not measured, which needs " + why})
		return true
	}
	if float64(w.early) > maxBeforeCalls*float64(w.launched) {
		why := fmt.Sprintf("clocks of host and device that agree: %d of %d kernels start before the call that launched them (record again)", w.early, w.launched)
		t.Lose(trace.Clocks, why)
		return noClocks(t, why)
	}
	if asked, broken := w.waits.count(); asked >= leastWaits && float64(broken) > maxWaitsBroken*float64(asked) {
		why := fmt.Sprintf("clocks of host and device that agree: %d of %d waits of the host return before the work ends that they wait for (record again)", broken, asked)
		return noClocks(t, why)
	}
	return false
}

// noClocks notes that nothing can be told from both clocks together.
func noClocks(t *trace.Trace, why string) bool {
	t.Lose(trace.Clocks, why)
	t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: "causes of idle time and the critical path are not measured, which need " + why})
	return true
}

// clockedWork counts kernels and replays whose launch is known.
type clockedWork struct {
	launched int // all of them
	early    int // that start before their own launch
	ofSteps  int // launched in a step that has a window
	inside   int // of ofSteps: that start in that window or in the one before or behind it

	kernels, noLength int64 // all kernels, launched or not, and those that end where they start

	calls, work places // the host's stretches of the steps, and their windows
	waits       hostWaits
}

// newClockedWork starts to count for a capture with these steps and waits. The last step's window ends only with its
// work, however late that is, so it cannot show work that comes late.
func newClockedWork(steps []trace.Step, syncs []trace.Sync) *clockedWork {
	w := &clockedWork{waits: newHostWaits(syncs)}
	for i := range steps {
		if s := &steps[i]; s.HasWindow() && s.HostStart != trace.NoTime && s.HostEnd > s.HostStart {
			w.calls.list = append(w.calls.list, trace.Interval{Start: s.HostStart, End: s.HostEnd})
			w.work.list = append(w.work.list, trace.Interval{Start: s.Start, End: s.End})
		}
	}
	sortIntervals(w.calls.list)
	sortIntervals(w.work.list)
	return w
}

// add counts device work, in any order. Work that a step launches early or leaves for later is the step's own, and
// counts as inside.
func (w *clockedWork) add(s *trace.Span) {
	if s.Kind == trace.Kernel {
		w.kernels++
		if s.End <= s.Start {
			w.noLength++
		}
	}
	if !isLaunchedWork(s) {
		return
	}
	w.launched++
	w.waits.add(s)
	if s.Start+clockError < s.Launch {
		w.early++
	}
	by := w.calls.of(s.Launch)
	if by < 0 {
		return
	}
	w.ofSteps++
	if in := w.work.of(s.Start); in >= 0 && in >= by-1 && in <= by+1 {
		w.inside++
	}
}

// isLaunchedWork reports whether a span is a kernel or a replay with a known launch.
func isLaunchedWork(s *trace.Span) bool {
	return (s.Kind == trace.Kernel || s.Kind == trace.Graph) && s.Launch != trace.NoTime
}

func sortIntervals(list []trace.Interval) {
	slices.SortFunc(list, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
}

// places holds intervals in order of start, which do not overlap, and the one that was found last: work comes nearly
// in order, so the next is mostly in the same interval, and is searched for otherwise.
type places struct {
	list  []trace.Interval
	last  int
	found trace.Interval // list[last], once one was found
}

// of returns which of the intervals a time lies in, -1 if in none.
func (p *places) of(at int64) int {
	if at >= p.found.Start && at < p.found.End {
		return p.last
	}
	return p.search(at)
}

func (p *places) search(at int64) int {
	i, found := slices.BinarySearchFunc(p.list, at, func(x trace.Interval, at int64) int { return cmp.Compare(x.Start, at) })
	if !found {
		i--
	}
	if i < 0 || at >= p.list[i].End {
		return -1
	}
	p.last, p.found = i, p.list[i]
	return i
}

// hostWaits holds the waits of the host for a stream. Each returns when the work launched on the stream before it has
// ended: by the device's clock as well, unless that is late.
type hostWaits struct{ of map[int32]*streamWaits }

type streamWaits struct {
	list []trace.Sync // in order
	last []int64      // ns, by wait: the end of the last work that it waits for; 0 none
	at   int          // the wait that was found last: work comes nearly in order
}

// syncOfStream is a wait for a stream, as CUPTI numbers the kinds.
const syncOfStream = 3

// newHostWaits holds the waits for streams. Those for a whole context are left out: they wait for
// one of several devices.
func newHostWaits(syncs []trace.Sync) hostWaits {
	w := hostWaits{map[int32]*streamWaits{}}
	for _, s := range syncs {
		if s.Type != syncOfStream {
			continue
		}
		if w.of[s.Stream] == nil {
			w.of[s.Stream] = new(streamWaits)
		}
		of := w.of[s.Stream]
		of.list, of.last = append(of.list, s), append(of.last, 0)
	}
	return w
}

// add takes work with a known launch, in any order.
func (w *hostWaits) add(s *trace.Span) {
	of := w.of[s.Stream]
	if of == nil {
		return
	}
	if !(of.at < len(of.list) && s.Launch <= of.list[of.at].Start && (of.at == 0 || s.Launch > of.list[of.at-1].Start)) {
		of.at, _ = slices.BinarySearchFunc(of.list, s.Launch, func(x trace.Sync, at int64) int { return cmp.Compare(x.Start, at) })
	}
	if of.at < len(of.list) {
		of.last[of.at] = max(of.last[of.at], s.End)
	}
}

// count returns how many waits had work to wait for, and how many return before it ends.
func (w *hostWaits) count() (asked, broken int) {
	for _, of := range w.of {
		for i, end := range of.last {
			if end > 0 {
				asked++
			}
			if end > of.list[i].End+clockError {
				broken++
			}
		}
	}
	return asked, broken
}
