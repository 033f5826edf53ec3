package html

import (
	"fmt"

	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// The second tree of the icicle is where the program launches the kernels of a step: phases, operators
// or modules, families, kernels. Its times are sums of durations, as in the kernel table, so
// that all widths are times and nothing is narrowed; it leaves out what is no kernel.

// launchedNote says how it is to be read.
const launchedNote = "By phase or operator, widths are sums of the durations of kernels. A node has a colour where it changed by 3 % or more and kernels beyond noise make more than half of that. "

// launchedTree returns the tree by place of launch; nil where captures do not tell. Kernels that the other tree, all,
// has take their name from there.
func (s *sheet) launchedTree(all *icicleData) *icicleData {
	from := s.r.Launched.Nodes
	if len(from) == 0 || !(from[0].Base.Time > 0) || !(from[0].Cand.Time > 0) {
		return nil
	}
	within := make([][]int, len(from))
	for i := 1; i < len(from); i++ {
		within[from[i].In] = append(within[from[i].In], i)
	}
	b := launchedBuilder{sheet: s, tree: &icicleData{Unit: s.ms.Name}, from: from, within: within, same: map[int]int{}}
	for i := range all.Nodes {
		if k := all.Nodes[i].Kernel; k != nil {
			b.same[*k] = i + 1
		}
	}
	b.add(-1, 0)
	return b.tree
}

type launchedBuilder struct {
	*sheet
	tree   *icicleData
	from   []cause.LaunchedNode
	within [][]int     // by node, what lies in it
	same   map[int]int // by kernel: 1 + index of its node in the other tree
}

// add adds a node and its children. Children that are too narrow on both sides are added up.
func (b *launchedBuilder) add(in, i int) {
	at := b.tree.add(b.node(in, &b.from[i]))
	var rest cause.LaunchedNode
	left := 0
	for _, k := range b.within[i] {
		n := &b.from[k]
		if max(n.Base.Time/b.from[0].Base.Time, n.Cand.Time/b.from[0].Cand.Time) >= leastDrawn {
			b.add(at, k)
			continue
		}
		left++
		rest.Base.Time, rest.Cand.Time = rest.Base.Time+n.Base.Time, rest.Cand.Time+n.Cand.Time
	}
	if left > 0 && rest.Base.Time+rest.Cand.Time > 0 {
		change := coarseSigned((rest.Cand.Time - rest.Base.Time) * b.ms.Factor)
		b.tree.add(icicleNode{Name: number.Counted(left, "smaller one"), In: at, Change: change, inTable: change,
			Width: [2]float64{rest.Base.Time * b.ms.Factor, rest.Cand.Time * b.ms.Factor}})
	}
}

// node returns a node in the page's unit.
func (b *launchedBuilder) node(in int, n *cause.LaunchedNode) icicleNode {
	f := b.ms.Factor
	out := icicleNode{Name: shortenTo(words.LaunchedName(n), longestNode), In: in, Width: [2]float64{n.Base.Time * f, n.Cand.Time * f}, inTable: coarseSigned(n.Delta * f)}
	out.Change = out.inTable
	if b.judged {
		out.Class = n.Class().String()
	}
	if n.Kernel >= 0 {
		out.Kernel, out.KernelID, out.same = &n.Kernel, kernelID(n.Name), b.same[n.Kernel]
		out.Change, out.ChangeIn = number.Signed(n.Delta*1e6), "\u00b5s"
		out.of = kernelColourPrefix + n.Name
	}
	if n.Level == cause.LaunchedKernel {
		if out.Calls = numberOrDash(n.Base.Calls); out.Calls != numberOrDash(n.Cand.Calls) {
			out.Calls += " \u2192 " + numberOrDash(n.Cand.Calls)
		}
	}
	return out
}

// forPage returns the nodes without what the other tree holds.
func (d *icicleData) forPage() []icicleNode {
	out := make([]icicleNode, len(d.Nodes))
	for i, n := range d.Nodes {
		if out[i] = n; n.same > 0 {
			out[i].Name, out[i].KernelID, out[i].Same = "", "", n.same
		}
	}
	return out
}

// launchedReading says in which phase, or operator, most of the kernels' time is launched.
func (s *sheet) launchedReading(d *icicleData) string {
	all, at := d.Nodes[0].Width[1], largestIn(d, 0)
	text := fmt.Sprintf("%s has %s of the time of the candidate's kernels", d.Nodes[at].Name, number.Share(d.Nodes[at].Width[1]/all))
	if in := largestIn(d, at); in > 0 && d.Nodes[in].Width[1] > 0 {
		text += fmt.Sprintf(", the most in %s (%s)", shorten(d.Nodes[in].Name), number.Share(d.Nodes[in].Width[1]/all))
	}
	return text
}
