package synth

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// Times of the host and the device that no story varies, in ns.
const (
	callTime    = 4_000  // of a launch
	copyCall    = 7_000  // of cudaMemcpyAsync
	graphCall   = 28_000 // of cudaGraphLaunch
	syncReturn  = 6_000  // from the device's end to the host's return
	latency     = 2_000  // from a launch's return to the earliest start
	betweenWork = 1_400  // on a stream that has work queued
	betweenStep = 30_000 // host, from the end of a step to the next
	leadIn      = 600 * int64(time.Millisecond)
	clockError  = 2_700_000 // of the UTC clock, from node to node
)

// simulation is one run of one side.
type simulation struct {
	*job
	doc     *document
	random  *rand.Rand
	ranks   []*simulatedRank
	program []action
	factor  float64        // of the run's compute, from run to run
	loads   []Load         // of the steps, and of the one after the last
	memory  []deviceMemory // of the steps
}

// simulatedRank is a rank during the simulation.
type simulatedRank struct {
	recording
	now           int64 // host
	compute, comm int64 // ns at which each stream is next free
	step          int
	correlation   int64
	factor        float64 // of this rank's compute in this step
	opened        [phases]int64

	host, computed, exchanged longestPath // to now, compute and comm
}

// simulate runs one side's job once.
func (s *Story) simulate(side, nth int) []*recording {
	m := &simulation{job: &s.sides[side], doc: &s.doc, program: s.sides[side].program(),
		random: rand.New(rand.NewPCG(s.doc.Seed, uint64(side)<<32|uint64(nth)))}
	m.factor = m.noiseFactor(m.RunNoise)
	at := int64(side)*int64(s.doc.Runs) + int64(nth)
	epoch := int64(1_694_128_200_000_000_000) + at*int64(20*time.Minute)
	m.loads = m.Serving.stepLoads(s.doc.Steps+1, s.doc.Seed, uint64(side)<<32|uint64(nth))
	perNode := s.doc.Ranks / s.doc.Nodes
	for i := range s.doc.Ranks {
		r := &simulatedRank{recording: recording{rank: i, node: i / perNode, local: i % perNode}}
		r.run = at
		r.origin = m.random.Int64N(leadIn / 3)
		r.epoch = epoch + r.origin + int64(r.node)*int64(m.ClockSkew)
		r.gpu, r.window, r.nodes = m.GPU, int64(m.Window), m.GraphTrace == "node"
		r.loads, r.sizes = m.loads[:s.doc.Steps], m.Sizes
		r.now = leadIn + m.random.Int64N(200_000)
		r.compute, r.comm = r.now, r.now
		r.host.at, r.computed.at, r.exchanged.at = r.now, r.now, r.now
		r.correlation = 1000 + int64(i)*7
		m.ranks = append(m.ranks, r)
	}
	for i := range s.doc.Steps {
		m.run(i)
	}
	return m.finish()
}

// noiseFactor returns a random factor around 1 with the given standard deviation, cut at three of
// these.
func (m *simulation) noiseFactor(deviation float64) float64 {
	return max(0.05, 1+float64(deviation*min(3, max(-3, m.random.NormFloat64()))))
}

// jitter returns ns, changed at random by up to a tenth.
func (m *simulation) jitter(ns int64) int64 {
	return ns + int64((float64(m.random.Float64())-0.5)*0.2*float64(ns))
}

// run simulates step i on all ranks.
func (m *simulation) run(i int) {
	if m.changed != nil && m.doc.FirstStep+int64(i) == m.Later.Step {
		m.job = m.changed
		m.program = m.job.program()
	}
	m.memory = append(m.memory, m.Memory)
	common := m.noiseFactor(m.Noise) * m.factor * m.Serving.computeFactor(m.loads[i])
	for _, r := range m.ranks {
		r.factor = common
		if f, ok := m.Slow[r.rank]; ok {
			r.factor *= f
		}
		if f, ok := m.ClockOf[r.rank]; ok {
			r.factor /= f
		}
		if r.rank == i%len(m.ranks) {
			r.factor *= m.Rotate
		}
		m.beginStep(r, i)
	}
	for _, a := range m.program {
		switch a.do {
		case reduce, share, mix, pass, norm:
			m.exchange(a.do)
			continue
		}
		for _, r := range m.ranks {
			m.perform(r, a)
		}
	}
	for _, r := range m.ranks {
		m.synchronize(r)
		if m.Pause.Every > 0 && i%m.Pause.Every == m.Pause.Every-1 {
			saved := r.now
			r.now += m.jitter(int64(m.Pause.Time))
			r.phases = append(r.phases, span{"save_checkpoint", saved, r.now})
		}
		r.markerEnds = append(r.markerEnds, r.now)
		r.now += m.jitter(betweenStep)
	}
}

// beginStep begins step i: the wait for input, and its copy to the device.
func (m *simulation) beginStep(r *simulatedRank, i int) {
	r.step = i
	r.hostStarts = append(r.hostStarts, r.now)
	r.deviceStarts = append(r.deviceStarts, 0)
	for _, name := range slices.Sorted(maps.Keys(m.Ranges)) {
		began := r.now
		r.now += int64(float64(m.Ranges[name]) * m.noiseFactor(m.Noise))
		r.programRanges = append(r.programRanges, span{name, began, r.now})
	}
	wait := int64(float64(m.inputAt(i)) * m.noiseFactor(m.Input.Spread))
	in := span{start: r.now + m.jitter(5_000)}
	in.end = in.start + wait
	r.inputs = append(r.inputs, in)
	r.waits = append(r.waits, call{name: "pthread_cond_timedwait", start: in.start + wait/50, end: in.end - wait/50})
	r.now = in.start
	r.host = r.hostPath().spend(PathInput, in.end)
	r.now = in.end + m.jitter(8_000)
	if m.Copy.Bytes == 0 || m.Pipeline.Stages > 1 && r.rank >= len(m.ranks)/m.Pipeline.Stages { // later stages get theirs from the one before
		return
	}
	ready := m.call(r, "cudaMemcpyAsync_v3020", copyCall)
	start := max(r.compute+m.jitter(betweenWork), ready)
	r.computed = r.startOn(r.computed, start, ready)
	r.compute = start + int64(float64(m.Copy.Bytes)/m.Copy.Rate*1e9*m.noiseFactor(m.Noise))
	r.began(r.computed)
	r.computed = r.computed.spend(PathCopies, r.compute)
	r.add(work{class: memory, start: start, end: r.compute, stream: computeStream, bytes: m.Copy.Bytes})
	if m.Copy.Pageable {
		r.now = r.compute + copyCall
		r.calls[len(r.calls)-1].end = r.now
	}
}

// inputAt returns the wait for the input of step i in ns, without noise.
func (m *simulation) inputAt(i int) int64 {
	from, to := int64(m.Input.From), int64(m.Input.To)
	if to == 0 || m.doc.Steps == 1 {
		return from
	}
	return from + (to-from)*int64(min(i, m.doc.Steps-1))/int64(m.doc.Steps-1)
}

// call simulates a call of the CUDA runtime that takes about ns. It returns the earliest time
// at which the work that it launched can start.
func (m *simulation) call(r *simulatedRank, name string, ns int64) int64 {
	r.correlation += 1 + r.correlation%3 // ids are also given to calls that are not recorded
	c := call{name: name, start: r.now, end: r.now + m.jitter(ns), correlation: r.correlation}
	r.calls = append(r.calls, c)
	r.now = c.end
	return c.end + m.jitter(latency)
}

// began notes the path to the start of the step's first work.
func (r *simulatedRank) began(p longestPath) {
	if r.deviceStarts[r.step] == 0 {
		r.paths = append(r.paths, p.PathSums)
	}
}

// add records work that the last call launched.
func (r *simulatedRank) add(w work) {
	w.correlation, w.step = r.correlation, r.step
	if r.deviceStarts[r.step] == 0 {
		r.deviceStarts[r.step] = w.start
	}
	r.work = append(r.work, w)
}

// perform simulates an action that does not depend on other ranks.
func (m *simulation) perform(r *simulatedRank, a action) {
	switch a.do {
	case begin:
		r.opened[a.phase] = r.now
		r.now += m.jitter(2_000)
		if a.phase == optimizer { // it needs all gradients
			m.waitFor(r, computeStream, commStream)
			r.compute, r.computed = max(r.compute, r.comm), later(r.computed, r.exchanged)
		}
	case end:
		r.phases = append(r.phases, span{phaseNames[a.phase], r.opened[a.phase], r.now})
		r.now += m.jitter(2_000)
	case run:
		m.kernel(r, a.kernels[0])
	case replay:
		m.graph(r, a.kernels)
	case allocate:
		m.allocate(r)
	case route:
		from := r.now
		r.now += m.jitter(int64(m.Route))
		r.hostWork = append(r.hostWork, span{start: from, end: r.now})
	}
}

func (m *simulation) kernel(r *simulatedRank, k launch) {
	before := r.now
	ready := m.call(r, "cudaLaunchKernel_v7000", callTime)
	start := max(r.compute+m.jitter(betweenWork), ready)
	r.computed = r.startOn(r.computed, start, ready)
	r.began(r.computed)
	r.compute = start + m.duration(r, k)
	r.computed = r.computed.spend(PathCompute, r.compute)
	r.add(work{class: compute, kernel: k.kernel, start: start, end: r.compute, stream: computeStream})
	r.now = max(r.now, before+m.jitter(int64(m.Launch)))
}

// allocate frees and allocates device memory. Freeing waits for all work, and nothing is
// launched meanwhile.
func (m *simulation) allocate(r *simulatedRank) {
	for i, name := range []string{"cudaFree_v3020", "cudaMalloc_v3020"} {
		r.correlation++
		c := call{name: name, start: r.now, correlation: r.correlation}
		if i == 0 {
			r.host = later(r.hostPath(), later(r.computed, r.exchanged))
			r.now = max(r.now, r.compute, r.comm)
		}
		r.now += m.jitter(int64(m.Allocate) / 2)
		c.end = r.now
		r.calls = append(r.calls, c)
	}
}

func (m *simulation) duration(r *simulatedRank, k launch) int64 {
	return max(1000, int64(k.duration/m.Clock*r.factor*m.noiseFactor(m.Noise)))
}

// graph replays kernels with one launch; its nodes follow each other closely.
func (m *simulation) graph(r *simulatedRank, nodes []launch) {
	ready := m.call(r, "cudaGraphLaunch_v10000", graphCall)
	w := work{class: graph, start: max(r.compute+m.jitter(betweenWork), ready), stream: computeStream}
	at := w.start
	for i, k := range nodes {
		if i > 0 {
			at += m.jitter(betweenWork) / 2
		}
		n := work{class: compute, kernel: k.kernel, start: at, stream: computeStream, correlation: r.correlation, step: r.step}
		at += m.duration(r, k)
		n.end = at
		w.nodes = append(w.nodes, n)
	}
	r.computed = r.startOn(r.computed, w.start, ready)
	r.began(r.computed)
	w.end, r.compute = at, at
	r.computed = r.computed.spend(PathCompute, at)
	r.add(w)
}

// synchronize lets the host wait for the device.
func (m *simulation) synchronize(r *simulatedRank) {
	r.correlation++
	c := call{name: "cudaStreamSynchronize_v3020", start: r.now, correlation: r.correlation}
	host, device := r.hostPath(), later(r.computed, r.exchanged)
	r.now = max(r.now+m.jitter(callTime), max(r.compute, r.comm)+m.jitter(syncReturn))
	if r.host = host; device.at > c.start {
		r.host = device
	}
	c.end = r.now
	r.calls = append(r.calls, c)
	r.syncs = append(r.syncs, span{start: c.start + 500, end: c.end - 500})
	r.sync = append(r.sync, c.correlation)
}

// finish adds the first work of the step after the last, which ends the last one, and what was
// read. It returns the recordings on the profilers' clocks.
func (m *simulation) finish() []*recording {
	var out []*recording
	for _, r := range m.ranks {
		r.factor = m.factor
		m.beginStep(r, m.doc.Steps)
		first := slices.IndexFunc(m.program, func(a action) bool { return a.do == run || a.do == replay })
		m.perform(r, m.program[first])
	}
	for _, r := range m.ranks {
		m.readAll(r)
	}
	m.sampleVolumes()
	for _, r := range m.ranks {
		r.holdMemory(m.memory, m.Layers)
		if m.AllReduce.Captured {
			r.capture()
		}
		r.shift()
		r.cut()
		out = append(out, &r.recording)
	}
	return out
}
