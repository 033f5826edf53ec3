package synth

import (
	"slices"
	"strings"
)

// class is a kind of device work.
type class int

const (
	compute class = iota
	comm
	memory
	graph
)

// The streams of a rank: PyTorch's current stream and NCCL's own.
const (
	computeStream = 7
	commStream    = 20
)

// gpuName is the model that every rank has.
const gpuName = "NVIDIA H100 80GB HBM3"

// work is one activity of the device.
type work struct {
	class       class
	kernel      *kernel // of compute
	start, end  int64
	stream      int
	correlation int64
	bytes       int64      // of a copy or a collective
	group       *rankGroup // of a collective, or a message
	pair        bool       // a message from one rank to another
	sends       bool       // of a message: this rank sends it
	peer        int        // of a message: the other rank, by its number in the group
	wait        int64      // of both: its duration less the shortest one over all ranks
	tokens      *tokens    // of an all-to-all; else nil
	nodes       []work     // of a graph
	step        int        // step in which it was launched
}

// call is a call on the host. With a correlation it is of the CUDA runtime, else of the
// operating system.
type call struct {
	name        string
	start, end  int64
	correlation int64
}

// name and short return what the work of class comm is called on the device.
func (w *work) name() string {
	if w.pair || w.tokens != nil { // NCCL builds all-to-alls of messages
		return pairKernel
	}
	return ncclKernel
}

func (w *work) short() string {
	name, _, _ := strings.Cut(w.name(), "(")
	return name
}

// eventWait says that a stream waits for an event of another one, with the correlations of the calls that recorded the
// event and made the stream wait.
type eventWait struct {
	span       // of the call that made it wait
	stream, on int
	record     int64
	wait       int64
}

// hostCall is the host's side of a collective, or of a message to a peer.
type hostCall struct {
	span
	group  *rankGroup
	bytes  int64
	pair   bool
	peer   int     // by its number in the group
	tokens *tokens // of an all-to-all; else nil
}

// span is a named stretch of time on the host.
type span struct {
	name       string
	start, end int64
}

// read is one call that read from a file.
type read struct {
	start, end, bytes int64
	thread            int // of the loader threads
	file              int // number of the step whose sample is in the file
}

// sample holds how much was read since the sample before.
type sample struct{ at, bytes int64 }

// recording holds what one rank did. Times are in ns of the job's clock.
type recording struct {
	rank, node, local int
	work              []work
	calls             []call // CUDA runtime, main thread
	waits             []call // operating system, main thread
	syncs             []span // waits for the compute stream
	sync              []int64
	phases            []span
	turns             []turns // of each step, of a stage of a pipeline
	eventWaits        []eventWait
	hostWork          []span // the host works while the device idles
	collectives       []hostCall
	programRanges     []span // ranges of the program
	inputs            []span // of each step, and of the one after the last
	reads             []read
	volume            []sample       // of what the node reads; nil: it is not sampled here
	memory            []memoryChange // in order of time

	sizes        operatorSizes
	loads        []Load     // of each step
	hostStarts   []int64    // start of each step on the host, and of the one after the last
	markerEnds   []int64    // end of each step's annotation
	paths        []PathSums // to these starts
	deviceStarts []int64    // start of each step's first device work, and of the step after the last

	nodes  bool  // Nsight Systems records the kernels of replays
	window int64 // ns of the profiler's clock at which it stops; 0: with the job
	gpu    string
	origin int64 // ns of the job's clock at the profiler's time 0
	run    int64 // number of the run in the story
	epoch  int64 // UTC ns of the profiler's time 0, with the error of the node's clock
}

// shift turns all times into times of the profiler's clock, which begins at origin.
func (r *recording) shift() {
	move := func(times ...*int64) {
		for _, t := range times {
			*t -= r.origin
		}
	}
	for i := range r.work {
		w := &r.work[i]
		move(&w.start, &w.end)
		for k := range w.nodes {
			move(&w.nodes[k].start, &w.nodes[k].end)
		}
	}
	for _, calls := range [][]call{r.calls, r.waits} {
		for i := range calls {
			move(&calls[i].start, &calls[i].end)
		}
	}
	for _, spans := range [][]span{r.syncs, r.phases, r.hostWork, r.programRanges, r.inputs} {
		for i := range spans {
			move(&spans[i].start, &spans[i].end)
		}
	}
	for i := range r.eventWaits {
		move(&r.eventWaits[i].start, &r.eventWaits[i].end)
	}
	for i := range r.collectives {
		move(&r.collectives[i].start, &r.collectives[i].end)
	}
	for i := range r.reads {
		move(&r.reads[i].start, &r.reads[i].end)
	}
	for i := range r.volume {
		move(&r.volume[i].at)
	}
	for i := range r.memory {
		move(&r.memory[i].at)
	}
	for i := range r.turns {
		move(&r.turns[i].firstBackward, &r.turns[i].lastForward)
	}
	for _, times := range [][]int64{r.hostStarts, r.markerEnds, r.deviceStarts} {
		for i := range times {
			move(&times[i])
		}
	}
}

// last returns the time at which the recording ends.
func (r *recording) last() int64 {
	var t int64
	for _, w := range r.work {
		t = max(t, w.end)
	}
	for _, x := range r.reads {
		t = max(t, x.end)
	}
	if r.window > 0 {
		return r.window
	}
	return max(t, r.inputs[len(r.inputs)-1].end) + 1_000_000
}

// cut keeps what ended before the profiler stopped.
func (r *recording) cut() {
	if r.window == 0 {
		return
	}
	late := func(end int64) bool { return end > r.window }
	r.work = slices.DeleteFunc(r.work, func(w work) bool { return late(w.end) })
	r.calls = slices.DeleteFunc(r.calls, func(c call) bool { return late(c.end) })
	r.waits = slices.DeleteFunc(r.waits, func(c call) bool { return late(c.end) })
	r.reads = slices.DeleteFunc(r.reads, func(x read) bool { return late(x.end) })
	r.volume = slices.DeleteFunc(r.volume, func(x sample) bool { return late(x.at) })
	r.memory = slices.DeleteFunc(r.memory, func(c memoryChange) bool { return late(c.at) })
	for _, spans := range []*[]span{&r.syncs, &r.phases, &r.hostWork, &r.programRanges, &r.inputs} {
		*spans = slices.DeleteFunc(*spans, func(s span) bool { return late(s.end) })
	}
	r.collectives = slices.DeleteFunc(r.collectives, func(c hostCall) bool { return late(c.end) })
	r.sync = r.sync[:len(r.syncs)]
	r.eventWaits = slices.DeleteFunc(r.eventWaits, func(w eventWait) bool { return late(w.end) })
}

// capture turns the work from the kernels before a step's first collective up to its last collective into one graph
// replay. One call launches all of it.
func (r *recording) capture() {
	var out []work
	inGraph := map[int64]bool{} // calls that a replay makes no more
	for i := 0; i < len(r.work); {
		end := i + 1
		for end < len(r.work) && r.work[end].step == r.work[i].step {
			end++
		}
		out = append(out, captureStep(r.work[i:end], inGraph)...)
		i = end
	}
	r.work, r.collectives = out, nil
	r.calls = slices.DeleteFunc(r.calls, func(c call) bool { return inGraph[c.correlation] })
}

func captureStep(step []work, inGraph map[int64]bool) []work {
	isComm := func(w work) bool { return w.class == comm }
	first := slices.IndexFunc(step, isComm) - 1
	if first < 0 || step[first].class != graph {
		return step
	}
	last := first
	for i := range step {
		if isComm(step[i]) {
			last = i
		}
	}
	whole := step[first]
	whole.nodes = nil
	for _, w := range step[first : last+1] {
		whole.start, whole.end = min(whole.start, w.start), max(whole.end, w.end)
		inGraph[w.correlation] = w.correlation != whole.correlation
		nodes := w.nodes
		if isComm(w) {
			w.bytes = 0 // no call says how large its message is
			nodes = []work{w}
		}
		for _, n := range nodes {
			n.correlation = whole.correlation
			whole.nodes = append(whole.nodes, n)
		}
	}
	return slices.Concat(step[:first], []work{whole}, step[last+1:])
}

// nsightWork returns what Nsight Systems records of the device.
func (r *recording) nsightWork() []work {
	if r.nodes {
		return r.kernelWork()
	}
	return r.work
}

// kernelWork returns the kernels of the rank as Kineto records them: the nodes of a
// graph in place of its replay.
func (r *recording) kernelWork() []work {
	var out []work
	for _, w := range r.work {
		if w.class == graph {
			out = append(out, w.nodes...)
			continue
		}
		out = append(out, w)
	}
	return out
}
