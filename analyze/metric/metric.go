// Package metric is what is measured in a step: one file for each group of
// metrics, and the list of them all. A metric is added by writing its function
// and one line in All.
//
// Functions see one step of one rank and emit numbers in base units: seconds,
// bytes, bytes per second, counts, fractions. What a capture cannot answer is
// not emitted and becomes NaN, never zero.
package metric

import (
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Metric is one thing that is measured.
type Metric struct {
	run.Metric
	// Requires is what a capture must hold; without it the metric is absent.
	Requires trace.Recorded
	// Measure emits the metric's value of a step, or one value per part.
	Measure func(s *Step, emit Emit)
	// Absent is the value of a part in a step in which it does not occur.
	Absent float64
	// Source names where the value comes from, for metrics with several
	// sources; nil for all others.
	Source func(r *Rank) string
}

// Emit takes the value of a part; part is "" for the metric itself.
type Emit func(part string, value float64)

// Rank is one capture of a rank, prepared for measuring: its device activity
// as sets, in time of the device's clock.
type Rank struct {
	Trace   *trace.Trace
	Compute interval.Set // kernels that are not communication, and graph replays
	Comm    interval.Set
	Memory  interval.Set            // copies and sets
	Busy    interval.Set            // anything
	Graphs  interval.Set            // replays of unknown kind; part of Compute
	MPI     interval.Set            // host: a thread is inside MPI or UCX
	Gloo    map[string]interval.Set // host: a collective of Gloo is under way, by its name; "" of any
	Input   interval.Set            // host: the step's thread waits for input
	Longest []run.Gap               // of kept steps, once they were measured
	Gaps    run.Histogram           // likewise: of all lengths
	Places  []run.Place             // likewise: where the host is in gaps, added up over Placed steps
	Placed  int
	Bars    int       // that a cut has at most, set before steps are measured; 0: nothing is cut
	Cuts    []run.Cut // the steps that the rank proposes for excerpts, once they were measured

	thread        int32 // that runs the steps; 0 unknown
	longestAccess int64 // ns, of the file accesses
	commSpans     int   // communication kernels
	inputKnown    bool
	toDevice      bool  // bytes were copied from host to device
	anyComm       bool  // there is communication in the capture
	lastLaunch    int64 // the end of the last launch of another thread than the steps', before the calls of the trace; or NoTime

	calls    *callKinds
	launches map[int32]bool // threads that launch, and the one that runs the steps

	kernels kernels
	copies  copySums                // of kept steps
	called  map[trace.NameID]string // canonical names of kernels that were asked for
}

// Step is one step of a rank, with the sets clipped to it.
type Step struct {
	trace.Window
	Rank                       *Rank
	Compute, Comm              interval.Set
	Memory, Busy, Gaps         interval.Set
	Time                       int64 // ns, of the device's window
	ExposedComm, ExposedMemory int64 // ns
	Idle                       int64 // ns

	graphs     bool    // a replay of unknown kind touches the step
	gapLengths []int64 // ns, of the gaps that count, in any order

	sums stepSums // see summed
}

// seconds turns nanoseconds into seconds. The product is rounded by itself, on
// every processor: some would add to it at once.
func seconds(ns int64) float64 { return float64(float64(ns) * 1e-9) }

// size counts the intervals of a set before it is made: sets have millions,
// and growing them would leave as much garbage again.
type size struct {
	n    int
	last int64
}

func (s *size) add(start, end int64) {
	if end > start && (s.n == 0 || start > s.last) {
		s.n++
	}
	if end > start {
		s.last = max(s.last, end)
	}
}

// set is an empty set with room for the intervals, in the place of one that is used up.
func (s *size) set(used interval.Set) interval.Set {
	if cap(used) >= s.n {
		return used[:0]
	}
	return make(interval.Set, 0, s.n)
}

// Prepare builds the sets of t; t must be sorted. thread is the host thread
// that runs the steps, 0 when it is not known.
func Prepare(t *trace.Trace, thread int32) *Rank {
	r := &Rank{Trace: t, thread: thread, kernels: newKernels(t.Names), lastLaunch: trace.NoTime}
	r.makeSets()
	r.anyComm = len(r.Comm) > 0
	r.MPI, r.Gloo, r.longestAccess = mpiCalls(t), glooCalls(t), longestAccess(t.Access)
	r.calls = kindsOf(t.Names)
	r.launches = launchThreads(t, thread, r.calls)
	r.Input, r.inputKnown = r.findInput()
	return r
}

// makeSets builds the sets of the device's work that the trace holds.
func (r *Rank) makeSets() {
	t := r.Trace
	var busy, compute, comm, memory, graphs size
	for i := range t.Device {
		sp := &t.Device[i]
		busy.add(sp.Start, sp.End)
		switch sp.Class {
		case trace.ClassUnknown:
			graphs.add(sp.Start, sp.End)
			compute.add(sp.Start, sp.End)
		case trace.Compute:
			compute.add(sp.Start, sp.End)
		case trace.Comm:
			comm.add(sp.Start, sp.End)
		case trace.Memory:
			memory.add(sp.Start, sp.End)
		}
	}
	r.Busy, r.Compute, r.Comm = busy.set(r.Busy), compute.set(r.Compute), comm.set(r.Comm)
	r.Memory, r.Graphs = memory.set(r.Memory), graphs.set(r.Graphs)
	for i := range t.Device {
		sp := &t.Device[i]
		r.Busy = r.Busy.Add(sp.Start, sp.End)
		switch sp.Class {
		case trace.ClassUnknown:
			r.Graphs = r.Graphs.Add(sp.Start, sp.End)
			r.Compute = r.Compute.Add(sp.Start, sp.End)
		case trace.Compute:
			r.Compute = r.Compute.Add(sp.Start, sp.End)
		case trace.Comm:
			r.commSpans++
			r.Comm = r.Comm.Add(sp.Start, sp.End)
		case trace.Memory:
			r.Memory = r.Memory.Add(sp.Start, sp.End)
			r.toDevice = r.toDevice || sp.Bytes > 0 && sp.Kind == trace.Memcpy && sp.Copy.String() == "h2d" && t.Recorded.Has(trace.HasMemcpyBytes)
		}
	}
	r.toDevice = r.toDevice && !r.lacks(trace.Copies)
}

// step clips the sets of r to a window; scratch is reused between steps.
func (r *Rank) step(w trace.Window, scratch *Step) *Step {
	s := scratch
	s.Window, s.Rank = w, r
	lo, hi := w.Step.Start, w.Step.End
	s.Time = hi - lo
	s.Compute = r.Compute.Clip(s.Compute[:0], lo, hi)
	s.Comm = r.Comm.Clip(s.Comm[:0], lo, hi)
	s.Memory = r.Memory.Clip(s.Memory[:0], lo, hi)
	s.Busy = r.Busy.Clip(s.Busy[:0], lo, hi)
	s.Gaps = s.Busy.Gaps(s.Gaps[:0], lo, hi)
	s.gapLengths = gapLengths(s.gapLengths[:0], s.Gaps)
	s.Idle = s.Gaps.Total()
	s.ExposedComm = s.Comm.Total() - interval.Overlap(s.Comm, s.Compute)
	// What remains of the busy time is memory with neither above it, so that
	// the four parts add up to the step to the nanosecond.
	s.ExposedMemory = s.Time - s.Idle - s.Compute.Total() - s.ExposedComm
	s.graphs = len(r.Graphs.Touching(lo, hi)) > 0
	s.sums.made = false
	return s
}
