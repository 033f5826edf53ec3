package synth

import (
	"slices"
	"time"
)

// tensorShare is how neighbouring ranks share the layers: after each part of a layer, forward and
// backward, they add up what they computed, and wait for it. The gradients are reduced between
// the ranks with the same share.
type tensorShare struct {
	Ranks    int           `yaml:"ranks"` // that share a layer; 0: each rank has whole layers
	Count    int           `yaml:"count"` // exchanges in each pass
	Bytes    int64         `yaml:"bytes"`
	Transfer time.Duration `yaml:"transfer"` // once the last rank has arrived
}

// rankGroup is a group of ranks with a communicator of their own.
type rankGroup struct {
	id      int64  // the same on all of its ranks, from 1 on; 0: the group of all ranks
	ranks   []int  // in order
	purpose string // as Megatron-LM calls it
	stages  bool   // it spans several stages of a pipeline
}

// neighbours returns the ranks in groups of so many that follow each other, with ids from one on.
func (m *simulation) neighbours(wide int, firstID int64, purpose string) (out []*rankGroup) {
	for from := 0; from < len(m.ranks); from += wide {
		g := &rankGroup{id: firstID + int64(from), purpose: purpose}
		for k := range wide {
			g.ranks = append(g.ranks, from+k)
		}
		out = append(out, g)
	}
	return out
}

// tensorGroups returns the groups of ranks that share layers.
func (m *simulation) tensorGroups() []*rankGroup {
	return m.neighbours(m.Tensor.Ranks, 1, "TENSOR_MODEL_PARALLEL_GROUP")
}

// dataGroups returns the groups of ranks that reduce gradients: all ranks, or those with the same share of the layers.
func (m *simulation) dataGroups() (out []*rankGroup) {
	if m.Pipeline.Stages > 1 {
		return m.stageGroups()
	}
	if m.Tensor.Ranks < 2 {
		return []*rankGroup{m.allRanks()}
	}
	for first := range m.Tensor.Ranks {
		g := &rankGroup{id: int64(1001 + first), purpose: "DATA_PARALLEL_GROUP"}
		for i := first; i < len(m.ranks); i += m.Tensor.Ranks {
			g.ranks = append(g.ranks, i)
		}
		out = append(out, g)
	}
	return out
}

// stageGroups returns the groups of ranks that hold the same stage of a pipeline; none where a stage
// has one rank.
func (m *simulation) stageGroups() []*rankGroup {
	wide := len(m.ranks) / m.Pipeline.Stages
	if wide < 2 {
		return nil
	}
	return m.neighbours(wide, 1001, "DATA_PARALLEL_GROUP")
}

// allRanks returns the group of all ranks.
func (m *simulation) allRanks() *rankGroup {
	all := &rankGroup{purpose: "default_pg", stages: m.Pipeline.Stages > 1}
	for i := range m.ranks {
		all.ranks = append(all.ranks, i)
	}
	return all
}

// allReduce adds up data in a group, see meet.
func (m *simulation) allReduce(g *rankGroup, bytes int64, transfer, gap time.Duration, spread float64, waits bool) {
	m.meet(g, func(int) work { return work{bytes: bytes} }, transfer, gap, spread, waits)
}

// meet simulates a collective of a group: it starts on each rank when the rank is there, and ends on all of them,
// within microseconds, when the last has arrived and the data has been moved, in a time with at least this standard
// deviation, a share. With waits, the rank's compute goes on only then. of says what the i-th rank of the group does
// in it.
func (m *simulation) meet(g *rankGroup, of func(i int) work, transfer, gap time.Duration, spread float64, waits bool) {
	starts, kernels, paths := make([]int64, len(g.ranks)), make([]work, len(g.ranks)), make([]longestPath, len(g.ranks))
	for i, k := range g.ranks {
		r := m.ranks[k]
		m.waitFor(r, commStream, computeStream)
		w := of(i)
		w.class, w.stream, w.group = comm, commStream, g
		before := r.now
		ready := m.call(r, "cudaLaunchKernelExC_v11060", 2*callTime)
		r.collectives = append(r.collectives, hostCall{span: span{"ncclAllReduce", before - 1_000, r.now + 1_000}, group: g, bytes: w.bytes, tokens: w.tokens})
		r.now += 2_000
		computed, exchanged := r.compute+m.jitter(int64(gap)), r.comm+m.jitter(betweenWork)
		starts[i] = max(computed, exchanged, ready)
		if paths[i] = r.startOn(r.computed, starts[i], ready); starts[i] == exchanged {
			paths[i] = r.exchanged.spend(PathOther, exchanged)
		}
		kernels[i] = w
	}
	last := paths[slices.Index(starts, slices.Max(starts))]
	moved := slices.Max(starts) + int64(float64(transfer)*m.noiseFactor(max(m.Noise, spread)))
	shortest := int64(1) << 62
	for i := range kernels {
		w := &kernels[i]
		w.start, w.end = starts[i], moved+m.random.Int64N(4_000)
		shortest = min(shortest, w.end-w.start)
	}
	for i, k := range g.ranks {
		r, w := m.ranks[k], kernels[i]
		r.comm, r.exchanged = w.end, last.spend(PathComm, w.end)
		w.wait = w.end - w.start - shortest
		r.add(w)
		if waits {
			m.waitFor(r, computeStream, commStream)
			r.compute, r.computed = max(r.compute, r.comm), later(r.computed, r.exchanged)
		}
	}
}

// waitFor lets what is launched on a stream from now on wait for the work of another one, by an
// event, where these are recorded.
func (m *simulation) waitFor(r *simulatedRank, stream, on int) {
	if !m.WaitEvents {
		return
	}
	w := eventWait{stream: stream, on: on}
	m.call(r, "cudaEventRecord_v3020", callTime/4)
	w.record = r.correlation
	w.start = r.now
	m.call(r, "cudaStreamWaitEvent_v3020", callTime/4)
	w.end, w.wait = r.now, r.correlation
	r.eventWaits = append(r.eventWaits, w)
}

// normBytes and normTransfer are the message and its time for the norm of all gradients.
const (
	normBytes    = 4
	normTransfer = 20 * time.Microsecond
)

// exchange simulates an exchange between ranks, on all of them.
func (m *simulation) exchange(do verb) {
	switch do {
	case share:
		for _, g := range m.tensorGroups() {
			m.allReduce(g, m.Tensor.Bytes, m.Tensor.Transfer, 0, 0, true)
		}
	case mix:
		for _, g := range m.expertGroups() {
			m.routeTokens(g)
		}
	case pass:
		for _, g := range m.pipelineGroups() {
			m.passOn(g)
		}
	case norm:
		m.allReduce(m.allRanks(), normBytes, normTransfer, 0, 0, true)
	case reduce:
		for _, g := range m.dataGroups() {
			m.allReduce(g, m.AllReduce.Bytes, m.AllReduce.Transfer, m.AllReduce.Gap, m.AllReduce.Spread, !m.AllReduce.Overlap)
		}
		m.hostAfterReduce()
	}
}

// hostAfterReduce lets the hosts work before they go on, as all_reduce.host says.
func (m *simulation) hostAfterReduce() {
	for _, r := range m.ranks {
		if m.AllReduce.Host > 0 {
			from := r.now
			r.now += int64(m.AllReduce.Host)
			r.hostWork = append(r.hostWork, span{start: from, end: r.now})
		}
	}
}
