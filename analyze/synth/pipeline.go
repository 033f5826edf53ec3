package synth

import (
	"fmt"
	"time"
)

// pipelineStages says how the layers are spread over stages, each of which passes its results for a micro-batch on to
// the next one, and gradients back. A stage goes forward and backward in turns as soon as it can (1F1B), as in
// Megatron-LM's schedule without interleaving. The stages are simulated call by call: how long they idle follows from
// who waits for whom.
type pipelineStages struct {
	Stages       int           `yaml:"stages"`        // 0: each rank has all layers
	MicroBatches int           `yaml:"micro_batches"` // that a step is cut into
	Bytes        int64         `yaml:"bytes"`         // that a stage sends to the next one in a step
	Transfer     time.Duration `yaml:"transfer"`      // of all of it, once both ranks have arrived
	Unnamed      bool          `yaml:"unnamed"`       // no range is around the work of a micro-batch
	Order        string        `yaml:"order"`         // in which a stage takes them: see orders; "" in turns
}

// orders are the schedules by which a stage processes its micro-batches: forward and backward in turns; all forward
// and then all backward; forward alone, as without training; and none, where each rank computes all by itself and its
// neighbours exchange something every time.
var orders = map[string]func(stage, stages, batches int) []stageCall{
	"": inTurns, "all-forward": allForward, "forward-only": forwardOnly, "neighbours": neighbours,
}

// forwardOnly returns the calls of a stage for forward passes alone.
func forwardOnly(stage, stages, batches int) (calls []stageCall) {
	for i := range batches {
		calls = appendCall(calls, stages, receiveBatch, forward, i, stage-1)
		calls = append(calls, stageCall{computeBatch, forward, i, stage})
		calls = appendCall(calls, stages, sendBatch, forward, i, stage+1)
	}
	return calls
}

// allForward returns the calls of a stage that goes backward when all micro-batches have gone forward.
func allForward(stage, stages, batches int) []stageCall {
	calls := forwardOnly(stage, stages, batches)
	for i := range batches {
		calls = appendCall(calls, stages, receiveBatch, backward, i, stage+1)
		calls = append(calls, stageCall{computeBatch, backward, i, stage})
		calls = appendCall(calls, stages, sendBatch, backward, i, stage-1)
	}
	return calls
}

// neighbours returns the calls of a rank that computes all by itself, and exchanges something with the
// ranks on both sides each time.
func neighbours(stage, stages, batches int) (calls []stageCall) {
	for i := range batches {
		calls = append(calls, stageCall{computeBatch, forward, i, stage})
		for _, low := range [2]int{stage - stage%2, stage - 1 + stage%2} { // first those of even ranks with the next
			first, last := sendBatch, receiveBatch
			other := low + 1
			if low != stage {
				first, last, other = receiveBatch, sendBatch, low
			}
			calls = appendCall(calls, stages, first, forward, i, other)
			calls = appendCall(calls, stages, last, backward, i, other)
		}
		calls = append(calls, stageCall{computeBatch, backward, i, stage})
	}
	return calls
}

// appendCall appends a call with a peer that exists.
func appendCall(calls []stageCall, stages int, do stageVerb, ph phase, batch, peer int) []stageCall {
	if peer < 0 || peer >= stages {
		return calls
	}
	return append(calls, stageCall{do, ph, batch, peer})
}

// stageCall is one thing that a stage does: it computes a micro-batch, or passes one on.
type stageCall struct {
	do    stageVerb
	phase phase // forward or backward
	batch int
	peer  int // stage that it sends to or receives from
}

type stageVerb int

const (
	computeBatch stageVerb = iota
	sendBatch
	receiveBatch
)

// turns holds when a stage begins its first backward and its last forward pass of a step.
type turns struct{ firstBackward, lastForward int64 }

// inTurns returns the calls of one of several stages for so many micro-batches, in order: forward calls that fill the
// pipeline, then forward and backward in turns, then the remaining backward calls. Where two stages send to each
// other, forward messages go first.
func inTurns(stage, stages, batches int) (calls []stageCall) {
	first, last := stage == 0, stage == stages-1
	add := func(do stageVerb, ph phase, batch, peer int) { calls = appendCall(calls, stages, do, ph, batch, peer) }
	filling := min(stages-1-stage, batches)
	for i := range filling {
		add(receiveBatch, forward, i, stage-1)
		add(computeBatch, forward, i, stage)
		add(sendBatch, forward, i, stage+1)
	}
	if filling < batches {
		add(receiveBatch, forward, filling, stage-1)
	}
	for i := range batches - filling {
		add(computeBatch, forward, filling+i, stage)
		if !last {
			add(sendBatch, forward, filling+i, stage+1)
			add(receiveBatch, backward, i, stage+1)
		}
		add(computeBatch, backward, i, stage)
		if !first && filling+i+1 < batches {
			add(receiveBatch, forward, filling+i+1, stage-1)
		}
		add(sendBatch, backward, i, stage-1)
	}
	for i := batches - filling; i < batches; i++ {
		add(receiveBatch, backward, i, stage+1)
		add(computeBatch, backward, i, stage)
		add(sendBatch, backward, i, stage-1)
	}
	return calls
}

// pipelineGroups returns the groups of ranks that pass micro-batches on, in order of stage. The ranks
// of a stage are neighbours.
func (m *simulation) pipelineGroups() (out []*rankGroup) {
	wide := len(m.ranks) / m.Pipeline.Stages
	for k := range wide {
		g := &rankGroup{id: int64(2001 + k), purpose: "PIPELINE_MODEL_PARALLEL_GROUP", stages: true}
		if m.Pipeline.Order == "neighbours" {
			g.purpose = "undefined"
		}
		for s := range m.Pipeline.Stages {
			g.ranks = append(g.ranks, s*wide+k)
		}
		out = append(out, g)
	}
	return out
}

// passOn runs the micro-batches of a step through the stages. Two stages exchange something when
// both have come to it.
func (m *simulation) passOn(g *rankGroup) {
	n := m.Pipeline.Stages
	calls, at := make([][]stageCall, n), make([]int, n)
	for s := range calls {
		calls[s] = orders[m.Pipeline.Order](s, n, m.Pipeline.MicroBatches)
		m.ranks[g.ranks[s]].turns = append(m.ranks[g.ranks[s]].turns, turns{})
	}
	for moved := true; moved; {
		moved = false
		for s := range calls {
			for at[s] < len(calls[s]) {
				c := &calls[s][at[s]]
				if c.do == computeBatch {
					m.computeBatch(m.ranks[g.ranks[s]], c)
				} else if k := at[c.peer]; k < len(calls[c.peer]) && c.meets(&calls[c.peer][k], s) {
					m.exchangeBatch(g, c, s)
					at[c.peer]++
				} else {
					break
				}
				at[s]++
				moved = true
			}
		}
	}
}

// meets reports whether a call of a stage and one of its peer are the two ends of one message.
func (c *stageCall) meets(other *stageCall, stage int) bool {
	return other.do != computeBatch && other.do != c.do && other.peer == stage && other.phase == c.phase && other.batch == c.batch
}

// computeBatch computes one micro-batch on a rank, forward or backward.
func (m *simulation) computeBatch(r *simulatedRank, c *stageCall) {
	total := float64(m.Forward)
	if c.phase == backward {
		total = float64(m.Backward)
	}
	opened, before := r.now, len(r.work)
	for range m.Layers {
		for _, k := range m.layerKernels(c.phase, total/float64(m.Pipeline.MicroBatches*m.Layers)) {
			m.kernel(r, k)
		}
	}
	if !m.Pipeline.Unnamed {
		r.phases = append(r.phases, span{fmt.Sprintf("%s microbatch %d", phaseNames[c.phase], c.batch), opened, r.now})
	}
	t := &r.turns[len(r.turns)-1]
	if began := r.work[before].start; c.phase == forward {
		t.lastForward = began
	} else if t.firstBackward == 0 {
		t.firstBackward = began
	}
}

// exchangeBatch passes a stage's results for one micro-batch to another stage, or takes them from there. Each of the
// two computes on once the message has been moved.
func (m *simulation) exchangeBatch(g *rankGroup, c *stageCall, stage int) {
	sender, receiver := stage, c.peer
	if c.do == receiveBatch {
		sender, receiver = c.peer, stage
	}
	n := int64(m.Pipeline.MicroBatches)
	bytes := m.Pipeline.Bytes / n
	pair := [2]int{sender, receiver}
	var starts, ends [2]int64
	for i, s := range pair {
		r := m.ranks[g.ranks[s]]
		before := r.now
		ready := m.call(r, "cudaLaunchKernelExC_v11060", 2*callTime)
		r.collectives = append(r.collectives, hostCall{span: span{[]string{"ncclSend", "ncclRecv"}[i], before - 1_000, r.now + 1_000},
			group: g, bytes: bytes, pair: true, peer: pair[1-i]})
		r.now += 2_000
		starts[i] = max(r.compute+m.jitter(betweenWork), r.comm+m.jitter(betweenWork), ready)
	}
	moved := max(starts[0], starts[1]) + int64(float64(int64(m.Pipeline.Transfer)/n)*m.noiseFactor(m.Noise))
	for i := range ends {
		ends[i] = moved + m.random.Int64N(1_000)
	}
	shortest := min(ends[0]-starts[0], ends[1]-starts[1])
	for i, s := range pair {
		r := m.ranks[g.ranks[s]]
		r.comm = ends[i]
		r.compute = max(r.compute, r.comm)
		r.add(work{class: comm, start: starts[i], end: ends[i], stream: commStream, bytes: bytes, wait: ends[i] - starts[i] - shortest,
			group: g, pair: true, sends: i == 0, peer: pair[1-i]})
	}
}

// Bubble is the time, in ns, in which a stage of a pipeline neither computes nor moves data in a step: it idles, or
// waits for another stage. WarmUp is the part before its first backward pass, and Drain the part after its last
// forward pass began; see Step.
type Bubble struct{ Time, WarmUp, Drain int64 }

// bubbleOf returns the bubble of a step, from the work of the device in order of start.
func (r *recording) bubbleOf(i int, device []work) (b Bubble) {
	at, end, t := r.deviceStarts[i], r.deviceStarts[i+1], r.turns[i]
	add := func(from, to int64) {
		if to <= from {
			return
		}
		b.Time += to - from
		b.WarmUp += max(0, min(to, t.firstBackward)-from)
		b.Drain += max(0, to-max(from, t.firstBackward, t.lastForward))
	}
	for _, w := range device {
		if w.step != i {
			continue
		}
		busy := w.start
		if w.class == comm && w.group.stages {
			busy += w.wait
		}
		add(at, min(busy, end))
		at = max(at, w.end)
	}
	add(at, end)
	return b
}
