// Package metric is what is measured in a step: one file for each group of
// metrics, and the list of them all. A metric is added by writing its function
// and one line in All.
//
// Functions see one step of one rank and emit numbers in base units: seconds,
// bytes, bytes per second, counts, fractions. What a capture cannot answer is
// not emitted and becomes NaN, never zero.
package metric

import (
	"perfdiff/analyze/idle"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Metric is one thing that is measured.
type Metric struct {
	run.Metric
	// Requires is what a capture must hold; without it the metric is absent.
	Requires trace.Recorded
	// MadeOf is what it is measured from, as far as that can be lost: where a capture does
	// not hold all of it, the metric is not recorded.
	MadeOf trace.Content
	// When is when its values are known: they come from the function of that time. With is
	// the metric whose function brings this one's values too, and "" where it has its own.
	When When
	With string
	// Measure emits the value of a step, or one value per part: InStep.
	Measure func(s *Step, emit Emit)
	// OnHost emits those of the period of a step on the host: InPeriod.
	OnHost func(p *period, emit Emit)
	// Finish takes those of all steps: InCapture. A metric of another time may have parts
	// that are known only then.
	Finish func(m *measurer, into *seriesBuilder)
	// OfRanks adds the values of all ranks of a run: InRun. OfKernels does so from their
	// single communication kernels, which summaries do not hold.
	OfRanks   func(ranks []run.Rank)
	OfKernels func(ranks []run.Rank, comms []Communication) (run.Clocks, run.Communication)
	// OfNode: every rank of a node that samples it sees the same.
	OfNode bool
	// Absent is the value of a part in a step in which it does not occur.
	Absent float64
	// Source names where the value comes from, for metrics of samplers; nil for all others.
	Source func(r *Rank) string
	// Sources are what a metric of InStep can be measured from in place of Measure, the best
	// first: a rank has a series of each that its capture holds. nil: of one thing only.
	Sources []Source

	from string // the source of a metric that has several, where it stands for one: see bySource
}

// Source is one of several things that a metric can be measured from.
type Source struct {
	Name     string
	Requires trace.Recorded
	MadeOf   trace.Content // as far as that can be lost
	Measure  func(s *Step, emit Emit)
}

// derivedFrom returns the metric with what its values are made of.
func (m Metric) derivedFrom(by run.DerivedBy, of, with string) Metric {
	m.Derivation = run.Derivation{By: by, Of: of, With: with}
	return m
}

// When is when a metric's values are known.
type When int

// The times at which metrics are measured, in order: each sees what the earlier ones see, and more.
const (
	// InStep: in the window of a step of the device, by Measure.
	InStep When = iota
	// InPeriod: in the period of a step on the host, which is known also where the device's
	// window is not.
	InPeriod
	// InCapture: once all steps of a capture were walked in order of time, as for gaps that
	// belong to their neighbours, and for the kernels that are kept by name.
	InCapture
	// InRun: once all ranks of a run were measured.
	InRun
)

// Emit takes the value of a part; part is "" for the metric itself.
type Emit func(part string, value float64)

// Rank is one capture of a rank, prepared for measuring. Its sets hold the device's activity in one window at a time,
// in time of the device's clock.
type Rank struct {
	Trace   *trace.Trace
	Compute interval.Set // kernels that are not communication, and graph replays
	Comm    interval.Set
	Hidden  interval.Set            // what these two have in common
	Memory  interval.Set            // copies and sets
	Busy    interval.Set            // anything
	Graphs  interval.Set            // replays of unknown kind; part of Compute
	MPI     interval.Set            // host: a thread is inside MPI or UCX
	Gloo    map[string]interval.Set // host: a collective of Gloo is under way, by its name; "" of any
	Longest []run.Gap               // of kept steps, once they were measured
	Gaps    run.Histogram           // likewise: of all lengths
	Reads   *run.Reads              // likewise: single reads
	Places  []run.HostPlace         // likewise: where the host is in gaps, added up over Placed steps
	Placed  int
	Bars    int           // that a cut has at most, set before steps are measured; 0: nothing is cut
	Cuts    []picture.Cut // the steps that the rank proposes for excerpts, once they were measured

	thread        int32 // that runs the steps; 0 unknown
	longestAccess int64 // ns, of the file accesses
	// sampledVolumes are the samples of the node's volumes, once they were asked for.
	sampledVolumes map[trace.Op][]trace.Sample
	commSpans      int            // communication kernels
	extent         trace.Interval // from the first to the last work of the device
	busy           trace.Interval // the same of work that takes time; the zero value without any
	toDevice       bool           // bytes were copied from host to device
	anyComm        bool           // there is communication in the capture

	process   *idle.Process
	readCalls readCalls

	runningWork runningWork // behind the window whose sets are made
	covered     coverage    // by the device's work, in the windows so far
	comm        *commCollector
	path        *pathMeasurer // nil: paths are not recorded

	operations      *operations // nil: sizes of their arguments were not recorded
	kernels         kernelSums
	copies          copySums      // of kept steps
	calls           callDurations // of collectives, likewise
	device          deviceSums    // of the whole capture
	host            *hostSums     // once they were asked for
	launched        *run.Launched // where kernels were launched, once ranges were projected; nil: not known
	kernelNames     []string      // canonical names of kernels that were asked for, by id
	manyKernelNames trace.Texts   // of many of them
}

// Step is one step of a rank, with the sets clipped to it.
type Step struct {
	trace.Window
	Rank                       *Rank
	Compute, Comm              interval.Set
	Busy, Gaps                 interval.Set
	Time                       int64 // ns, of the device's window
	ExposedComm, ExposedMemory int64 // ns
	Idle                       int64 // ns

	graphs       bool          // a replay of unknown kind touches the step
	comms        []*trace.Span // communication kernels that start in the step, in order of start
	copied       []*trace.Span // likewise copies
	room         [4]interval.Set
	gapLengths   []int64  // ns, of the gaps that count, in any order
	gapQuantiles [3]int64 // ns, of these: p50, p90, p99
	sums         stepSums // see summed
	reads        flows    // see sampled, accessed and requests
}

// seconds turns nanoseconds into seconds. The product is rounded by itself, on
// every processor: some would add to it at once.
func seconds(ns int64) float64 { return float64(float64(ns) * 1e-9) }

// Prepare looks at t for what steps are measured by; t must be sorted. thread is the host
// thread that runs the steps, 0 when it is not known.
func Prepare(t *trace.Trace, thread int32) *Rank {
	r := newRank(t, thread)
	r.lookAtDevice()
	r.MPI, r.Gloo, r.longestAccess = mpiCalls(t), glooCalls(t), longestAccess(t.Access)
	r.process, r.operations = idle.NewProcess(t, thread, r.busy), newOperations(r)
	return r
}

func newRank(t *trace.Trace, thread int32) *Rank {
	r := &Rank{Trace: t, thread: thread, covered: coverage{lastEnd: trace.NoTime}}
	r.kernels = kernelSums{nameGroups: newNameGroups(r.Trace.Names, r.kernelName), replays: map[int32]kernelSum{}}
	return r
}

// step clips the sets of r to a window; scratch is reused between steps.
func (r *Rank) step(w trace.Window, scratch *Step) *Step {
	s := scratch
	s.Window, s.Rank = w, r
	lo, hi := w.Step.Start, w.Step.End
	s.Time = hi - lo
	s.comms, s.copied = s.comms[:0], s.copied[:0]
	for i := range w.Device {
		sp := &w.Device[i]
		if sp.Class == trace.Comm {
			s.comms = append(s.comms, sp)
		}
		if sp.Kind == trace.Memcpy {
			s.copied = append(s.copied, sp)
		}
	}
	s.Compute = r.Compute.Within(&s.room[0], lo, hi)
	s.Comm = r.Comm.Within(&s.room[1], lo, hi)
	s.Busy = r.Busy.Within(&s.room[2], lo, hi)
	s.Gaps = s.Busy.Gaps(s.Gaps[:0], lo, hi)
	s.gapLengths = gapLengths(s.gapLengths, s.Gaps)
	s.gapQuantiles = gapQuantiles(s.gapLengths)
	s.Idle = s.Gaps.Total()
	s.ExposedComm = s.Comm.Total() - r.Hidden.Within(&s.room[3], lo, hi).Total()
	// What remains of the busy time is memory with neither above it, so that
	// the four parts add up to the step to the nanosecond.
	s.ExposedMemory = s.Time - s.Idle - s.Compute.Total() - s.ExposedComm
	s.graphs = len(r.Graphs.Touching(lo, hi)) > 0
	s.sums.made = false
	s.reads = flows{times: s.reads.times}
	return s
}
