package synth

import (
	"cmp"
	"slices"
)

// Truth is what the profiles of a story hold, added up from the story's timeline. Times are in ns.
type Truth struct {
	Baseline, Candidate []Run
}

// Run is one run of a side, in order of name.
type Run struct {
	Name  string // of its directory; "" where the side has one run
	Ranks []Rank // those that have a file, in order of number
}

// Rank is one rank and its file.
type Rank struct {
	Rank      int
	Host      string
	File      string // base name
	Truncated bool   // the file was cut in half
	NoFiles   bool   // no single file access was recorded
	Steps     []Step // none where the story does not annotate its steps
}

// Step is one step of a rank.
type Step struct {
	Number int64
	// Time is the device's window, from the first work launched in the step to
	// the first launched in the next. Compute, ExposedComm, ExposedMemory and
	// Idle add up to it; a graph replay of which no nodes are recorded is
	// compute.
	Time, Compute, ExposedComm, ExposedMemory, Idle int64
	Whole                                           bool  // all ranks of the job have a file
	Comm                                            int64 // union of the collectives
	HostTime                                        int64 // from the step's annotation to the next, or to its own end for the last
	InputWait                                       int64 // host
	Gaps                                            []int64
	Collectives                                     []Collective         // in order of start
	Messages                                        []Collective         // from one rank to another, likewise
	AllToAlls                                       []Collective         // likewise
	Routed                                          int64                // bytes of the tokens for the experts of the rank, there and back
	Bubble                                          Bubble               // of a stage of a pipeline; else zero
	Kernels                                         map[string]KernelSum // by recorded name, those that start in the window
	CopyTime, CopyBytes                             int64                // to the device
	// ReadBytes are the bytes of the reads in the step. A read across an edge of the step
	// counts by the share of its time inside.
	ReadBytes float64
	// Graphs is the number of replays of which no nodes are recorded.
	Graphs int
	Load   Load // of an inference engine's step
	Memory MemoryUse
	// Path is the critical path through the step, over all ranks, as the simulation went.
	Path  PathSums
	Clock int64   // Hz, as sampled; 0: it is not
	FLOPs float64 // of the operators whose sizes are recorded
}

// Collective is one collective as one rank saw it.
type Collective struct {
	Time  int64
	Wait  int64 // Time less the shortest of all ranks: the wait for the last to arrive
	Bytes int64 // of the message
	Ranks int   // of the communicator
	Gap   int64 // ns without device work before it, in the step
}

// KernelSum is how long a kernel ran in a step, and how often.
type KernelSum struct {
	Time     int64
	Launches int
}

// truth adds up the steps of a recording, as a format shows them. first is the number of
// the first step.
func (r *recording) truth(first int64, format Format) []Step {
	device := r.nsightWork()
	if !format.Nsight() {
		device = r.kernelWork()
	}
	n := len(r.markerEnds)
	steps := make([]Step, n)
	for i := range steps {
		s := &steps[i]
		s.Number, s.Load = first+int64(i), r.loads[i]
		s.Time = r.deviceStarts[i+1] - r.deviceStarts[i]
		s.HostTime = r.hostStarts[i+1] - r.hostStarts[i]
		if i == n-1 {
			s.HostTime = r.markerEnds[i] - r.hostStarts[i]
		}
		if i+1 < len(r.paths) {
			s.Path = r.paths[i+1].minus(r.paths[i])
		}
		s.InputWait = r.inputs[i].end - r.inputs[i].start
		s.Memory = r.memoryWithin(r.hostStarts[i], r.hostStarts[i]+s.HostTime)
		s.Kernels = map[string]KernelSum{}
		for _, x := range r.reads {
			if inside := min(x.end, r.deviceStarts[i+1]) - max(x.start, r.deviceStarts[i]); inside > 0 {
				s.ReadBytes += float64(x.bytes) * float64(inside) / float64(x.end-x.start)
			}
		}
	}
	for _, w := range device {
		if w.step < n {
			steps[w.step].count(w)
			if !format.Nsight() && w.class == compute {
				steps[w.step].countOperator(&r.sizes, w.kernel)
			}
		}
	}
	r.sweep(steps, device)
	for i := range r.turns[:min(n, len(r.turns))] {
		steps[i].Bubble = r.bubbleOf(i, device)
	}
	return steps
}

// count adds work to the sums of its step.
func (s *Step) count(w work) {
	switch w.class {
	case memory:
		s.CopyTime += w.end - w.start
		s.CopyBytes += w.bytes
	case comm:
		list := &s.Collectives
		switch {
		case w.pair:
			list = &s.Messages
		case w.tokens != nil:
			list = &s.AllToAlls
			s.Routed += w.tokens.own
		}
		*list = append(*list, Collective{Time: w.end - w.start, Wait: w.wait, Bytes: w.bytes, Ranks: len(w.group.ranks)})
		s.Kernels[w.name()] = s.Kernels[w.name()].plus(w)
	case compute:
		s.Kernels[w.kernel.name] = s.Kernels[w.kernel.name].plus(w)
	case graph:
		s.Graphs++
	}
}

func (k KernelSum) plus(w work) KernelSum {
	return KernelSum{k.Time + w.end - w.start, k.Launches + 1}
}

// activityEdge is a time at which work of a class begins (by 1) or ends (by -1), or a step
// begins (by 0).
type activityEdge struct {
	at    int64
	class class
	by    int
	pair  bool // of a message from one rank to another, or an all-to-all
}

// sweep goes through the edges of all work and of the steps in order of time, and adds up what
// runs between them. All work of a step lies in its window, because the host waits for the
// device at the end of each step.
func (r *recording) sweep(steps []Step, device []work) {
	var edges []activityEdge
	for _, w := range device {
		edges = append(edges, activityEdge{w.start, w.class, 1, w.pair || w.tokens != nil}, activityEdge{w.end, w.class, -1, w.pair || w.tokens != nil})
	}
	for _, t := range r.deviceStarts { // nothing begins; it only cuts
		edges = append(edges, activityEdge{at: t, class: compute})
	}
	slices.SortFunc(edges, func(a, b activityEdge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	var running [graph + 1]int
	at, gap, starts := -1, int64(0), 0 // step, idle so far, collectives begun in it
	for i, e := range edges {
		if at+1 < len(r.deviceStarts) && e.at >= r.deviceStarts[at+1] {
			if at >= 0 && gap > 0 {
				steps[at].Gaps = append(steps[at].Gaps, gap)
			}
			at, gap, starts = at+1, 0, 0
		}
		if at >= len(steps) {
			return
		}
		if at >= 0 && e.by > 0 && gap > 0 { // a gap ends here
			steps[at].Gaps = append(steps[at].Gaps, gap)
		}
		if at >= 0 && e.by > 0 && e.class == comm && !e.pair {
			steps[at].Collectives[starts].Gap = gap
			starts++
		}
		if e.by > 0 {
			gap = 0
		}
		running[e.class] += e.by
		if at >= 0 && i+1 < len(edges) {
			gap += steps[at].addStretch(running, edges[i+1].at-e.at)
		}
	}
}

// addStretch adds a stretch in which nothing changes, and returns how much of it is idle, in ns.
func (s *Step) addStretch(running [graph + 1]int, ns int64) (idle int64) {
	if running[comm] > 0 {
		s.Comm += ns
	}
	switch {
	case running[compute] > 0 || running[graph] > 0:
		s.Compute += ns
	case running[comm] > 0:
		s.ExposedComm += ns
	case running[memory] > 0:
		s.ExposedMemory += ns
	default:
		s.Idle += ns
		return ns
	}
	return 0
}
