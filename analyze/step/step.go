// Package step finds the training steps of a trace and writes the receipt of
// how they were found.
//
// A step begins where the device begins work that the host launched in it:
// host ranges run ahead of the device, so their own edges are not the step's.
// Markers are looked for in this order: what the user names, ProfilerStep#N, steps of
// an inference engine, numbered ranges, a range that repeats and covers most of the capture, a
// kernel or graph replay that repeats regularly, Optimizer.step. Which of them
// is taken is decided over all captures that are compared: Usable lists them,
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
	// Marker is the only one that steps are found by, where the user names none; the
	// zero value: the best that the capture has.
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

// mark is one occurrence of a marker.
type mark struct {
	number     int64
	start, end int64 // of the marker itself, host clock; end may be NoTime
	device     int64 // first device work, where the marker is device work
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
	f := findMarks(t, opt, workOf(t))
	if len(f.marks) == 0 {
		return Found{Receipt: run.Receipt{File: t.File, Marker: "none", Second: "none", Hint: hint(t, opt), Candidates: Candidates(t)}}
	}
	steps, edges := windows(t, f.marks)
	own := f.ownEnds(steps)
	edges.add(t.Device)
	own.add(t.Device)
	out := f.found(t, steps, edges, own, opt)
	second := NewSecond(t, out.Steps, f.by)
	second.Add(t.Device)
	out.Receipt.Second = second.Text()
	return out
}

// found are the steps that were made of marks, with their receipt, once edges and ends saw
// all work.
func (f *found) found(t *trace.Trace, steps []trace.Step, edges *edges, own *ownEnds, opt Options) Found {
	rec := run.Receipt{File: t.File, Marker: cmp.Or(f.label, f.by.String()), By: f.by, Found: len(f.marks), Second: "none"}
	note := ""
	edges.set()
	switch {
	case f.off:
		own.set()
	case f.countsSteps():
		note = warnUnmarked(unmarked(f.marks, steps))
	}
	giveLoads(t, steps)
	drop(steps, opt.SkipFirst)
	rec.Dropped, rec.Kept = tally(steps)
	if len(t.Device) > 0 && !t.Recorded.Has(trace.HasLaunches) {
		rec.Marker += ", host edges: launches were not recorded"
	}
	if f.off {
		rec.Marker += run.OwnEnds
	}
	return Found{Steps: steps, Receipt: rec, Thread: f.marks[0].thread, Unmarked: note}
}

// hint says what to annotate so that steps are found the next time, in the words of the
// profiler that wrote the trace.
func hint(t *trace.Trace, opt Options) string {
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

// windows turns marks into steps with their edges on both clocks. Where those on the
// device's are found by what was launched, they are set by the edges that are returned; nil
// else.
func windows(t *trace.Trace, marks []mark) ([]trace.Step, *edges) {
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
		if !covering(marks) {
			tail = trace.NoTime
		}
		return steps, newEdges(steps, tail)
	}
	return steps, nil
}

// minOwn is the share of its period that a marker must cover for its own end to be the
// step's. Chosen, not measured: what covers less leaves room for a part of the step
// behind it.
const minOwn = 0.8

// covering reports whether marks last as long as their periods. A range around
// the forward pass alone does not: what is launched behind the last one is its
// own step's backward pass, and no next step's.
func covering(marks []mark) bool {
	short := 0
	for i := 0; i+1 < len(marks); i++ {
		if float64(marks[i].end-marks[i].start) < minOwn*float64(marks[i+1].start-marks[i].start) {
			short++
		}
	}
	return 2*short < max(1, len(marks)-1)
}

// edges moves the edges of host steps to the first device work launched
// in each; tail is where the last marker itself ends. Device work launched
// behind it ends the last step; NoTime: nothing ends it.
type edges struct {
	steps []trace.Step
	tail  int64
	first []int64 // start of the first work of each step; the last is what comes behind all steps
	last  int64   // end of the last work of the last step
	at    int     // where the one before was found
}

func newEdges(steps []trace.Step, tail int64) *edges {
	e := &edges{steps: steps, tail: tail, first: make([]int64, len(steps)+1), last: trace.NoTime}
	for i := range e.first {
		e.first[i] = trace.NoTime
	}
	return e
}

// add takes device work, in any order.
func (e *edges) add(spans []trace.Span) {
	if e == nil {
		return
	}
	for i := range spans {
		sp := &spans[i]
		if sp.Launch == trace.NoTime || sp.Launch < e.steps[0].HostStart {
			continue
		}
		e.at = stepAt(e.steps, sp.Launch, e.at, e.tail)
		if e.first[e.at] == trace.NoTime || sp.Start < e.first[e.at] {
			e.first[e.at] = sp.Start
		}
		if e.at == len(e.steps)-1 {
			e.last = max(e.last, sp.End)
		}
	}
}

// set moves the edges, once all work was seen.
func (e *edges) set() {
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

// stepAt returns the index of the host step that holds time ts, n for a time
// behind the last; guess is where the one before was found.
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

// drop marks the steps that are left out of measurement.
func drop(steps []trace.Step, skip int) {
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

// tally counts the kept steps and lists the dropped ones by reason, in the
// order in which the reasons first occur.
func tally(steps []trace.Step) (drops []run.Drop, kept int) {
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
