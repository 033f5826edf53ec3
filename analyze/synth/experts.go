package synth

import (
	"fmt"
	"time"
)

// expertShare is how the experts of some layers are spread over neighbouring ranks. Each rank
// sends its tokens to the ranks whose experts they are routed to, in an all-to-all; these compute
// with them, and send the results back in another one.
type expertShare struct {
	Ranks    int             `yaml:"ranks"`    // that share the experts of a layer; 0: there are none
	Count    int             `yaml:"count"`    // layers with experts, in each pass
	Bytes    int64           `yaml:"bytes"`    // of the tokens of a rank
	Compute  time.Duration   `yaml:"compute"`  // with as many tokens as a rank sends
	Transfer time.Duration   `yaml:"transfer"` // of an all-to-all, once the last rank has arrived
	Tokens   map[int]float64 `yaml:"tokens"`   // that a rank receives, as a multiple of those that it sends; the others of its group share the rest
}

// expertKernel computes with all tokens that a rank has received: a GEMM for each of its experts.
var expertKernel = &kernel{"", "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::GroupProblemShape<cute::tuple<int, int, int>>, cutlass::bfloat16_t>>(T1::Params)",
	"device_kernel", forward, 0, 132, 384}

// tokenBytes is the size of one token in a message.
const tokenBytes = 4096

// tokens holds how many bytes a rank sends to each rank of its group in an all-to-all and gets from each, and how many
// are for its own experts.
type tokens struct {
	sent, got []int64
	own       int64
}

func total(list []int64) (sum int64) {
	for _, n := range list {
		sum += n
	}
	return sum
}

// expertGroups returns the groups of ranks that share experts.
func (m *simulation) expertGroups() []*rankGroup {
	return m.neighbours(m.Experts.Ranks, 3001, "EXPERT_MODEL_PARALLEL_GROUP")
}

// routed returns the share of all tokens of a group that each of its ranks receives.
func (x *expertShare) routed(g *rankGroup) []float64 {
	n := float64(len(g.ranks))
	rest, others := n, n
	for _, r := range g.ranks {
		if f, ok := x.Tokens[r]; ok {
			rest, others = rest-f, others-1
		}
	}
	out := make([]float64, len(g.ranks))
	for i, r := range g.ranks {
		if f, ok := x.Tokens[r]; ok {
			out[i] = f / n
			continue
		}
		out[i] = rest / others / n
	}
	return out
}

// routeTokens runs one layer of experts on the ranks of a group.
func (m *simulation) routeTokens(g *rankGroup) {
	share := m.Experts.routed(g)
	there, back := make([]tokens, len(g.ranks)), make([]tokens, len(g.ranks))
	for i := range g.ranks {
		for k := range g.ranks {
			to := max(1, int64(float64(m.Experts.Bytes/tokenBytes)*share[k])) * tokenBytes
			from := max(1, int64(float64(m.Experts.Bytes/tokenBytes)*share[i])) * tokenBytes
			there[i].sent, there[i].got = append(there[i].sent, to), append(there[i].got, from)
			back[i].sent, back[i].got = append(back[i].sent, from), append(back[i].got, to)
		}
	}
	for i := range g.ranks {
		there[i].own = total(there[i].got)
		back[i].own = total(back[i].sent)
	}
	exchange := func(of []tokens) {
		m.meet(g, func(i int) work { return work{bytes: total(of[i].sent), tokens: &of[i]} }, m.Experts.Transfer, 0, 0, true)
	}
	exchange(there)
	for i, k := range g.ranks {
		m.kernel(m.ranks[k], launch{expertKernel, float64(m.Experts.Compute) * share[i] * float64(len(g.ranks))})
	}
	exchange(back)
}

// check reports shares that no job could have.
func (x *expertShare) check(j *job, ranks int) error {
	if x.Ranks < 2 {
		return nil
	}
	if ranks%x.Ranks != 0 || x.Ranks > mostExpertRanks || j.Graphs || j.Serving.Batch > 0 || j.Pipeline.Stages > 1 {
		return fmt.Errorf("experts.ranks is %d: it must divide the ranks, be %d at most, and be without graphs, serving and pipeline.stages", x.Ranks, mostExpertRanks)
	}
	for _, g := range (&simulation{job: j, ranks: make([]*simulatedRank, ranks)}).expertGroups() {
		for i, share := range x.routed(g) {
			if !(share >= 0 && share <= 1) {
				return fmt.Errorf("experts.tokens: rank %d would receive %g of all tokens", g.ranks[i], share)
			}
		}
	}
	return nil
}

// mostExpertRanks bounds the ranks that share experts: the calls of an all-to-all must fit in
// front of its launch.
const mostExpertRanks = 64

// bounds returns the least and largest numbers.
func (x *expertShare) bounds(layers, ranks int) []allowedRange {
	out := []allowedRange{
		{"experts.ranks", float64(x.Ranks), 0, float64(ranks)},
		{"experts.count", float64(x.Count), 0, float64(layers)},
		{"experts.bytes", float64(x.Bytes), 0, 1e12},
		{"experts.compute, in ns,", float64(x.Compute), 1000, 10 * second},
		{"experts.transfer, in ns,", float64(x.Transfer), 1000, 10 * second},
	}
	for rank, f := range x.Tokens {
		out = append(out, allowedRange{"experts.tokens of a rank", float64(rank), 0, float64(ranks - 1)}, allowedRange{"experts.tokens", f, 0, 64})
	}
	return out
}

// groupedCall is one call of NCCL inside of a group.
type groupedCall struct {
	span
	bytes int64
	peer  int
}

// grouped returns the calls of NCCL that make up an all-to-all, inside of a group whose end launches
// the kernel.
func (c *hostCall) grouped() (start span, calls []groupedCall, end span) {
	from, launches := c.start, c.start+1_000 // as meet leaves
	n := int64(2*len(c.tokens.sent) + 2)
	at := func(i int64) int64 { return from + (launches-from)*i/n }
	start = span{"ncclGroupStart", at(0), at(1) - 1}
	for k := range c.tokens.sent {
		i := int64(2*k + 1)
		calls = append(calls, groupedCall{span{"ncclSend", at(i), at(i+1) - 1}, c.tokens.sent[k], k},
			groupedCall{span{"ncclRecv", at(i + 1), at(i+2) - 1}, c.tokens.got[k], k})
	}
	return start, calls, span{"ncclGroupEnd", at(n - 1), c.end}
}
