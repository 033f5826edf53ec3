package step

import "perfdiff/analyze/trace"

// ownEnds ends each step with the last device work that was launched in it, though not before
// its range ends. It is used where the profiler was off from there to the next range.
type ownEnds struct {
	marks  []mark
	steps  []trace.Step
	ends   []int64 // ns, end of the last work of each step; 0 without any
	latest int     // index of the step that the last span belonged to
}

// ownEnds returns nil where the profiler was on between the steps.
func (f *markerMarks) ownEnds(steps []trace.Step) *ownEnds {
	if !f.profilerOff {
		return nil
	}
	return &ownEnds{marks: f.marks, steps: steps, ends: make([]int64, len(steps))}
}

// add takes device work, in any order.
func (e *ownEnds) add(spans []trace.Span) {
	if e == nil {
		return
	}
	for i := range spans {
		if launch := launchTime(&spans[i]); launch >= e.steps[0].HostStart {
			e.latest = stepAt(e.steps, launch, e.latest, trace.NoTime)
			e.ends[e.latest] = max(e.ends[e.latest], spans[i].End)
		}
	}
}

// set gives the steps their ends, once all work was added and the steps have their other edges.
func (e *ownEnds) set() {
	for i := range e.steps {
		s := &e.steps[i]
		if s.HostEnd = e.marks[i].end; s.Start == trace.NoTime {
			continue
		}
		if s.End = max(e.ends[i], s.HostEnd); s.Dropped == DropLast || s.Dropped == DropNoNext {
			s.Dropped = ""
		}
	}
}

// launchTime returns when the host launched a span, or its start where that was not recorded.
func launchTime(sp *trace.Span) int64 {
	if sp.Launch == trace.NoTime {
		return sp.Start
	}
	return sp.Launch
}
