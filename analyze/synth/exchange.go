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

// rankGroup is ranks that have a communicator of their own.
type rankGroup struct {
	id      int64  // the same on all of its ranks, from 1 on; 0: the group of all ranks
	ranks   []int  // in order
	purpose string // as Megatron-LM calls it
}

// tensorGroups are the groups of ranks that share layers.
func (m *simulation) tensorGroups() (out []*rankGroup) {
	for from := 0; from < len(m.ranks); from += m.Tensor.Ranks {
		g := &rankGroup{id: int64(1 + from), purpose: "TENSOR_MODEL_PARALLEL_GROUP"}
		for k := range m.Tensor.Ranks {
			g.ranks = append(g.ranks, from+k)
		}
		out = append(out, g)
	}
	return out
}

// dataGroups are the groups of ranks that reduce gradients: all, or those with the same share of
// the layers.
func (m *simulation) dataGroups() (out []*rankGroup) {
	if m.Tensor.Ranks < 2 {
		all := &rankGroup{purpose: "default_pg"}
		for i := range m.ranks {
			all.ranks = append(all.ranks, i)
		}
		return []*rankGroup{all}
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

// allReduce exchanges data in a group: it starts on each rank when the rank is there, and ends on
// all of them, within microseconds, when the last has arrived and the data has been moved, in a
// time that has this standard deviation, a share, or more. With waits, the rank's compute goes on
// only then.
func (m *simulation) allReduce(g *rankGroup, bytes int64, transfer, gap time.Duration, spread float64, waits bool) {
	starts := make([]int64, len(g.ranks))
	for i, k := range g.ranks {
		r := m.ranks[k]
		m.waitFor(r, commStream, computeStream)
		before := r.now
		ready := m.call(r, "cudaLaunchKernelExC_v11060", 2*callTime)
		r.collectives = append(r.collectives, hostCall{span{"ncclAllReduce", before - 1_000, r.now + 1_000}, g, bytes})
		r.now += 2_000
		starts[i] = max(r.compute+m.jitter(int64(gap)), r.comm+m.jitter(betweenWork), ready)
	}
	moved := slices.Max(starts) + int64(float64(transfer)*m.noiseFactor(max(m.Noise, spread)))
	ends := make([]int64, len(g.ranks))
	shortest := int64(1) << 62
	for i := range g.ranks {
		ends[i] = moved + m.random.Int64N(4_000)
		shortest = min(shortest, ends[i]-starts[i])
	}
	for i, k := range g.ranks {
		r := m.ranks[k]
		r.comm = ends[i]
		r.add(work{class: comm, start: starts[i], end: ends[i], stream: commStream, bytes: bytes, wait: ends[i] - starts[i] - shortest, group: g})
		if waits {
			m.waitFor(r, computeStream, commStream)
			r.compute = max(r.compute, r.comm)
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

// exchange simulates a collective on all ranks.
func (m *simulation) exchange(do verb) {
	if do == share {
		for _, g := range m.tensorGroups() {
			m.allReduce(g, m.Tensor.Bytes, m.Tensor.Transfer, 0, 0, true)
		}
		return
	}
	for _, g := range m.dataGroups() {
		m.allReduce(g, m.AllReduce.Bytes, m.AllReduce.Transfer, m.AllReduce.Gap, m.AllReduce.Spread, !m.AllReduce.Overlap)
	}
	for _, r := range m.ranks {
		if m.AllReduce.Host > 0 {
			from := r.now
			r.now += int64(m.AllReduce.Host)
			r.hostWork = append(r.hostWork, span{start: from, end: r.now})
		}
	}
}
