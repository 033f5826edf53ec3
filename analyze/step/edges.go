package step

import (
	"math"

	"perfdiff/analyze/trace"
)

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

// minPeriodCovered is the share of the time to the next marker that a marker must cover for its own end to be the
// step's end. Chosen, not measured: a marker that covers less leaves room for a part of the step after it.
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

// deviceEdges sets the edges of steps to the first device work that was launched in each. tail is the end of the last
// marker on the host: work launched after it ends the last step. With NoTime nothing ends it.
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
	from, to := e.period(e.latest)
	for i := range spans {
		sp := &spans[i]
		if sp.Launch < from || sp.Launch >= to {
			if sp.Launch == trace.NoTime || sp.Launch < e.steps[0].HostStart {
				continue
			}
			e.latest = stepAt(e.steps, sp.Launch, e.latest, e.tail)
			from, to = e.period(e.latest)
		}
		if e.first[e.latest] == trace.NoTime || sp.Start < e.first[e.latest] {
			e.first[e.latest] = sp.Start
		}
		if e.latest == len(e.steps)-1 {
			e.last = max(e.last, sp.End)
		}
	}
}

// period returns the time on the host for which stepAt gives a step, [from, to): it is asked once a
// step, and not for each of its spans.
func (e *deviceEdges) period(step int) (from, to int64) {
	n := len(e.steps)
	if step == n {
		return e.tail, math.MaxInt64
	}
	to = math.MaxInt64
	if step+1 < n {
		to = e.steps[step+1].HostStart
	}
	if e.tail != trace.NoTime {
		to = min(to, e.tail)
	}
	return e.steps[step].HostStart, to
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
