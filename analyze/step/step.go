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
// Where none is found, a capture as a whole may be a step, which is decided likewise.
package step

import (
	"cmp"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// Found are the steps of a trace.
type Found struct {
	Steps   []trace.Step // in order of time, dropped ones included
	Receipt run.Receipt
	Thread  int32 // host thread that runs the steps; 0: not known
	// Unmarked says which steps of the program no marker is around, with the remedy; "" if
	// none is known.
	Unmarked string
	// Unended says which ranges that may mark steps were begun and never ended, with the remedy;
	// "" if none were.
	Unended string
	// Workless says how many steps have no device work, with the remedy; "" if few.
	Workless string
	// Renumbered says that the numbers in the markers' names were not used, with the remedy; ""
	// if they were, or if there are none.
	Renumbered string
}

// Find finds the steps of t, which must be sorted. No steps is a finding: then
// the receipt has marker "none" and a hint. It lacks the second anchor: see NewSecondAnchor.
func Find(t *trace.Trace, opt Options) Found {
	if t.Logged != nil {
		return logged(t, opt)
	}
	if opt.Marker.Kind == run.MarkCapture && len(t.Device) > 0 {
		return wholeCapture(t, opt)
	}
	t, unended := withoutUnended(t)
	f := findMarks(t, opt, workInMemory(t))
	if len(f.marks) == 0 {
		hint := cmp.Or(unended, annotationHint(t, opt))
		return Found{Receipt: run.Receipt{File: t.File, Marker: "none", Second: "none", Hint: hint, Candidates: Candidates(t)}, Unended: unended}
	}
	steps, edges := stepsOfMarks(t, f.marks)
	own := f.ownEnds(steps)
	edges.add(t.Device)
	own.add(t.Device)
	out := f.finish(t, steps, edges, own, opt)
	out.Unended = unended
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
	rec.Hint = opt.dropOutside(steps, t.Capture.Start)
	rec.Dropped, rec.Kept = tallyDrops(steps)
	if len(t.Device) > 0 && !t.Recorded.Has(trace.HasLaunches) {
		rec.Marker += run.HostEdges
	}
	if f.profilerOff {
		rec.Marker += run.OwnEnds
	}
	return Found{Steps: steps, Receipt: rec, Thread: f.marks[0].thread, Unmarked: note,
		Workless: warnWorkless(steps), Renumbered: f.renumberedText()}
}

// renumberedText says that numbers do not rise from step to step. Otherwise whoever reads about step 7 would look for
// the range with that number, although steps are not compared by the numbers in names.
func (f *markerMarks) renumberedText() string {
	if !f.countsSteps() || !f.marks[0].renumbered {
		return ""
	}
	return "the numbers in the names of steps do not rise and are not used: steps are numbered from 0 in order of time, " +
		"and compared in that order (give each step of a run a number of its own)"
}

// annotationHint says what to annotate so that steps are found the next time, in the words of
// the profiler that wrote the trace.
func annotationHint(t *trace.Trace, opt Options) string {
	if t.Timed != nil {
		return run.CallsHint
	}
	wrap, record := remedy.Of(remedy.MarkSteps).Of(t.Profiler), remedy.Of(remedy.RecordRanges).Of(t.Profiler)
	const list = "perfdiff steps lists what repeats"
	switch {
	case opt.Range != nil:
		return "no range matches --step-range (" + list + ")"
	case opt.Kernel != nil:
		return "no kernel matches --step-kernel (" + list + ")"
	case opt.Marker != (run.Marker{}):
		return "the other captures' steps are found by " + opt.Marker.String() + ", which this one lacks: record all ranks alike"
	case !t.Recorded.Has(trace.HasRanges):
		return "no ranges were recorded: " + wrap + record + ", or name a kernel that runs once per step with --step-kernel (" + list + ")"
	}
	return "no range or kernel repeats as steps do: " + wrap + ", or name one with --step-range or --step-kernel (" + list + ")"
}
