// Package step finds the training steps of a trace and writes the receipt of
// how they were found.
//
// A step begins where the device begins work that the host launched in it:
// host ranges run ahead of the device, so their own edges are not the step's.
// Markers are looked for in this order: what the user names, ProfilerStep#N, steps of
// an inference engine, numbered ranges, a range that repeats and covers most of the capture, a
// kernel or graph replay that repeats regularly, Optimizer.step. Which of them
// is taken is decided over all captures that are compared: Markers lists them,
// and Options.Marker names the one that was chosen.
package step

import (
	"cmp"
	"regexp"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Options are what a user may decide about steps.
type Options struct {
	Range     *regexp.Regexp // ranges that are steps; nil: found by the order above
	Kernel    *regexp.Regexp // kernels with which a step begins; nil likewise
	SkipFirst int            // steps to leave out at the start; -1: the first, where enough others remain
	// Marker is the marker to find steps by, where the user names neither; the zero value
	// takes the best marker of the capture.
	Marker run.Marker
}

// The first step, into which profiler start-up falls, is left out when at least this many
// others remain. Chosen, not measured: as many as are compared, and one.
const enoughWithoutFirst = 4

// Reasons for which a step is left out. They are shown to people.
const (
	DropFirst  = "first step: the profiler starts in it"
	DropSkip   = "left out by --skip-first"
	DropLast   = "last step: nothing in the capture ends it"
	DropNoWork = "no device work was launched in it"
	DropNoNext = "the next step launched no device work that would end it"
	// Work of a later step can start before that of an earlier one only when
	// streams run far apart; such steps have no device edges.
	DropOutOfOrder = "the next step's device work began before its own"
)

// mark is one occurrence of a marker: it begins a step. Times are in ns.
type mark struct {
	number     int64
	start, end int64 // of the marker itself, host clock; end may be NoTime
	device     int64 // start of the first device work, where the marker is device work itself; else NoTime
	thread     int32 // 0 where the marker is device work
}

// Found are the steps of a trace.
type Found struct {
	Steps   []trace.Step // in order of time, dropped ones included
	Receipt run.Receipt
	Thread  int32 // host thread that runs the steps; 0: not known
	// Unmarked says which steps of the program no marker is around, with the remedy; "" if
	// none is known.
	Unmarked string
}

// Find finds the steps of t, which must be sorted. No steps is a finding: then
// the receipt has marker "none" and a hint.
func Find(t *trace.Trace, opt Options) Found {
	f := findMarks(t, opt, workInMemory(t))
	if len(f.marks) == 0 {
		return Found{Receipt: run.Receipt{File: t.File, Marker: "none", Second: "none", Hint: annotationHint(t, opt), Candidates: Candidates(t)}}
	}
	steps, edges := stepsOfMarks(t, f.marks)
	own := f.ownEnds(steps)
	edges.add(t.Device)
	own.add(t.Device)
	out := f.finish(t, steps, edges, own, opt)
	second := NewSecondAnchor(t, out.Steps, f.marker)
	second.Add(t.Device)
	out.Receipt.Second = second.Text()
	return out
}

// finish makes the result of Find from the steps of the marks, once edges and own have seen all
// of the device's work.
func (f *markerMarks) finish(t *trace.Trace, steps []trace.Step, edges *deviceEdges, own *ownEnds, opt Options) Found {
	rec := run.Receipt{File: t.File, Marker: cmp.Or(f.label, f.marker.String()), By: f.marker, Found: len(f.marks), Second: "none"}
	note := ""
	edges.set()
	switch {
	case f.profilerOff:
		own.set()
	case f.countsSteps():
		note = warnUnmarked(dropStepsSpanningSeveral(f.marks, steps))
	}
	giveLoads(t, steps)
	markDropped(steps, opt.SkipFirst)
	rec.Dropped, rec.Kept = tallyDrops(steps)
	if len(t.Device) > 0 && !t.Recorded.Has(trace.HasLaunches) {
		rec.Marker += ", host edges: launches were not recorded"
	}
	if f.profilerOff {
		rec.Marker += run.OwnEnds
	}
	return Found{Steps: steps, Receipt: rec, Thread: f.marks[0].thread, Unmarked: note}
}

// annotationHint says what to annotate so that steps are found the next time, in the words of
// the profiler that wrote the trace.
func annotationHint(t *trace.Trace, opt Options) string {
	wrap, record := `wrap each step in torch.cuda.nvtx.range("step N")`, " and record with --trace=cuda,nvtx"
	if strings.HasPrefix(t.Format, "kineto") {
		wrap, record = `call prof.step() after each step, or wrap each in torch.profiler.record_function("step N")`, ""
	}
	const list = "perfdiff steps lists what repeats"
	switch {
	case opt.Range != nil:
		return "no range matches --step-range (" + list + ")"
	case opt.Kernel != nil:
		return "no kernel matches --step-kernel (" + list + ")"
	case opt.Marker != (run.Marker{}):
		return "the other captures' steps are found by " + opt.Marker.String() + ", which this one lacks: record all ranks alike"
	case !t.Recorded.Has(trace.HasRanges):
		return "no ranges were recorded: " + wrap + record + ", or name a kernel that runs once a step with --step-kernel (" + list + ")"
	}
	return "no range or kernel repeats as steps do: " + wrap + ", or name one with --step-range or --step-kernel (" + list + ")"
}

// stepsOfMarks makes a step of each mark. Edges on the device's clock are set where marks are
// device work themselves, or are copied from the host's where launches were not recorded. Else
// they depend on the work that each step launched: then the second result collects it, and is
// nil otherwise.
func stepsOfMarks(t *trace.Trace, marks []mark) ([]trace.Step, *deviceEdges) {
	steps := make([]trace.Step, len(marks))
	for i, m := range marks {
		s := trace.Step{Number: m.number, Start: m.device, End: trace.NoTime, HostStart: m.start, HostEnd: m.end}
		if i+1 < len(marks) {
			s.HostEnd = marks[i+1].start
			s.End = marks[i+1].device
		}
		steps[i] = s
	}
	switch {
	case marks[0].device != trace.NoTime: // the marker is device work itself
	case len(t.Device) == 0 || !t.Recorded.Has(trace.HasLaunches):
		for i := range steps {
			steps[i].Start, steps[i].End = steps[i].HostStart, steps[i].HostEnd
		}
	default:
		tail := marks[len(marks)-1].end
		if !coverPeriods(marks) {
			tail = trace.NoTime
		}
		return steps, newDeviceEdges(steps, tail)
	}
	return steps, nil
}

// minPeriodCovered is the share of the time to the next marker that a marker must cover for its
// own end to be the step's end. Chosen, not measured: what covers less leaves room for a part
// of the step behind it.
const minPeriodCovered = 0.8

// coverPeriods reports whether most marks last until the next one. A range around the forward
// pass alone does not: what is launched after the last such range is the same step's backward
// pass, not the next step.
func coverPeriods(marks []mark) bool {
	short := 0
	for i := 0; i+1 < len(marks); i++ {
		if float64(marks[i].end-marks[i].start) < minPeriodCovered*float64(marks[i+1].start-marks[i].start) {
			short++
		}
	}
	return 2*short < max(1, len(marks)-1)
}

// deviceEdges sets the edges of steps to the first device work that was launched in each. tail
// is the end of the last marker on the host: work launched after it ends the last step. With
// NoTime nothing ends it.
type deviceEdges struct {
	steps  []trace.Step
	tail   int64
	first  []int64 // ns, start of the first work of each step; behind the last step, of what follows it
	last   int64   // ns, end of the last work of the last step
	latest int     // index of the step that the last span belonged to, where the next search begins
}

func newDeviceEdges(steps []trace.Step, tail int64) *deviceEdges {
	e := &deviceEdges{steps: steps, tail: tail, first: make([]int64, len(steps)+1), last: trace.NoTime}
	for i := range e.first {
		e.first[i] = trace.NoTime
	}
	return e
}

// add takes device work, in any order.
func (e *deviceEdges) add(spans []trace.Span) {
	if e == nil {
		return
	}
	for i := range spans {
		sp := &spans[i]
		if sp.Launch == trace.NoTime || sp.Launch < e.steps[0].HostStart {
			continue
		}
		e.latest = stepAt(e.steps, sp.Launch, e.latest, e.tail)
		if e.first[e.latest] == trace.NoTime || sp.Start < e.first[e.latest] {
			e.first[e.latest] = sp.Start
		}
		if e.latest == len(e.steps)-1 {
			e.last = max(e.last, sp.End)
		}
	}
}

// set gives the steps their edges, once all work was added.
func (e *deviceEdges) set() {
	if e == nil {
		return
	}
	steps, first, n := e.steps, e.first, len(e.steps)
	for i := range steps {
		steps[i].Start, steps[i].End = first[i], first[i+1]
		switch {
		case first[i] == trace.NoTime:
			steps[i].Start, steps[i].End, steps[i].Dropped = trace.NoTime, trace.NoTime, DropNoWork
		case i < n-1 && first[i+1] == trace.NoTime:
			steps[i].Dropped = DropNoNext
		case i < n-1 && first[i+1] <= first[i]:
			steps[i].End, steps[i].Dropped = trace.NoTime, DropOutOfOrder
		}
	}
	if end := &steps[n-1]; end.Dropped == "" && end.End == trace.NoTime {
		end.End, end.Dropped = max(e.last, end.HostEnd), DropLast
	}
}

// stepAt returns the index of the step whose time on the host holds ts, len(steps) after the
// last one. The search begins at guess, since spans come nearly in order.
func stepAt(steps []trace.Step, ts int64, guess int, tail int64) int {
	n := len(steps)
	if tail != trace.NoTime && ts >= tail {
		return n
	}
	if guess >= n {
		guess = n - 1
	}
	for guess > 0 && ts < steps[guess].HostStart {
		guess--
	}
	for guess+1 < n && ts >= steps[guess+1].HostStart {
		guess++
	}
	return guess
}

// markDropped marks the steps that are left out of measurement. skip is how many at the start
// the user leaves out; -1 leaves out the first, where enough others remain.
func markDropped(steps []trace.Step, skip int) {
	if n := len(steps); steps[n-1].Dropped == "" && steps[n-1].End == trace.NoTime {
		steps[n-1].Dropped = DropLast
	}
	if len(steps) == 1 && steps[0].Dropped == DropLast && steps[0].End != trace.NoTime {
		steps[0].Dropped = "" // the only one: it is measured up to the end of its work
	}
	kept := 0
	for _, s := range steps {
		if s.Dropped == "" {
			kept++
		}
	}
	reason := DropSkip
	if skip < 0 {
		skip, reason = 0, DropFirst
		if kept > enoughWithoutFirst { // the first counts among the kept
			skip = 1
		}
	}
	for i := 0; i < skip && i < len(steps); i++ {
		steps[i].Dropped = reason
	}
}

// tallyDrops counts the kept steps and lists the dropped ones by reason, in the order in which
// the reasons first occur.
func tallyDrops(steps []trace.Step) (drops []run.Drop, kept int) {
	for _, s := range steps {
		if s.Dropped == "" {
			kept++
			continue
		}
		i := 0
		for i < len(drops) && drops[i].Reason != s.Dropped {
			i++
		}
		if i == len(drops) {
			drops = append(drops, run.Drop{Reason: s.Dropped})
		}
		drops[i].Steps = append(drops[i].Steps, s.Number)
	}
	return drops, kept
}
