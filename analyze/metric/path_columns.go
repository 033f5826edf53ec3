package metric

import (
	"slices"

	"perfdiff/analyze/critical"
	"perfdiff/analyze/run"
)

// pathsRead are paths as they are read: of each step how many nodes, and the nodes and parts of all
// steps.
type pathsRead struct {
	counts  []int64 // 1 + number of nodes; 0: no path is known
	nodes   []critical.Node
	perNode []int64
	parts   []pathPart
}

// flat are the paths as they are written.
func (p *paths) flat() pathsRead {
	x := pathsRead{counts: make([]int64, len(p.steps))}
	for i, s := range p.steps {
		if s.nodes != nil {
			x.counts[i] = 1 + int64(len(s.nodes))
		}
		x.nodes, x.parts = append(x.nodes, s.nodes...), append(x.parts, s.parts...)
		for k := range s.nodes {
			x.perNode = append(x.perNode, int64(s.from[k+1]-s.from[k]))
		}
	}
	return x
}

// columns writes or reads the paths of a rank.
func (p *paths) columns(v Columns, k known) {
	source, input := []string{p.source}, []bool{p.input}
	v.Texts(&p.families)
	v.Texts(&source)
	flags(v, input, func(x *bool) *bool { return x })
	if v.OK() && len(source) == 1 {
		p.source, p.input = source[0], input[0]
	}
	number := func(x *int64) *int64 { return x }
	x := p.flat()
	x.counts = resized(v, x.counts)
	fields(v, x.counts, number)
	x.nodes = resized(v, x.nodes)
	fields(v, x.nodes, func(x *critical.Node) *int32 { return &x.Parent })
	x.perNode = resized(v, x.perNode)
	fields(v, x.perNode, number)
	x.parts = resized(v, x.parts)
	numbers(v, x.parts, func(x *pathPart) int64 { return int64(x.what()) }, func(x *pathPart, n int64) { *x = pathPart(n) })
	if !v.OK() {
		return
	}
	if v.Reading() && (len(x.counts) > len(k.rank.Steps) || !x.fit(k, len(p.families))) {
		v.Fail("the critical paths do not fit together")
		return
	}
	k.nodeTimes(v, &x)
	k.partTimes(v, &x, p.families)
	if v.Reading() && v.OK() {
		p.take(&x)
	}
}

// fit reports whether what was read fits together, but for times, which come next.
func (x *pathsRead) fit(k known, families int) bool {
	for _, part := range x.parts {
		if part.what() >= len(run.PathParts)+families || part < 0 || part.ns() != 0 {
			return false
		}
	}
	nodes, parts := 0, int64(0)
	for _, n := range x.counts {
		if n--; n < 0 {
			continue
		}
		if n > int64(min(len(x.nodes), len(x.perNode))-nodes) {
			return false
		}
		for range n {
			if p := x.nodes[nodes].Parent; int64(p) >= n || p < critical.ThroughComm(len(k.spans)) {
				return false
			}
			if n := x.perNode[nodes]; n < 0 || n > int64(len(x.parts)) {
				return false
			}
			parts += x.perNode[nodes]
			nodes++
		}
	}
	return nodes == len(x.nodes) && nodes == len(x.perNode) && parts == int64(len(x.parts))
}

// each calls a function with each node, in order: of its step, the index of the step's first node, its
// index among all, and where its parts begin.
func (x *pathsRead) each(visit func(step, first, node, part int)) {
	node, part := 0, 0
	for step, n := range x.counts {
		first := node
		for range n - 1 {
			visit(step, first, node, part)
			part += int(x.perNode[node])
			node++
		}
	}
}

// nodeTimes writes or reads when nodes are: the first at the end of its step, then one at the start of
// each communication kernel, and the others where paths meet, a little before the first that meets.
func (k known) nodeTimes(v Columns, x *pathsRead) {
	steps, firsts := make([]int, len(x.nodes)), make([]int, len(x.nodes))
	child := make([]int, len(x.nodes)) // the first node whose parent it is
	x.each(func(step, first, node, _ int) {
		steps[node], firsts[node], child[node] = step, first, -1
	})
	for i := len(x.nodes) - 1; i >= 0; i-- {
		if p := x.nodes[i].Parent; p >= 0 {
			child[firsts[i]+int(p)] = i
		}
	}
	foretold(v, x.nodes, func(n *critical.Node) *int64 { return &n.At }, func(i int) int64 {
		kernels, at := k.of(steps[i]), i-firsts[i]
		switch {
		case at > 0 && at <= len(kernels):
			return kernels[at-1].Start
		case at > 0 && child[i] >= 0 && child[i] < i:
			return x.nodes[child[i]].At
		}
		return k.rank.Steps[steps[i]].End
	})
}

// from is when the path of a node comes from where it goes on.
func (k known) from(x *pathsRead, step, first, node int) int64 {
	at := &x.nodes[node]
	if at.Parent >= 0 {
		return x.nodes[first+int(at.Parent)].At
	}
	if n, through := at.Comm(); through {
		if kernels := k.of(step); n < len(kernels) {
			return kernels[n].End
		}
	}
	return k.rank.Steps[step].Start
}

// ofSeries is the series that says how long the steps of a rank did what a part of their paths does;
// the zero value if none does.
func ofSeries(what int, families []string) run.Key {
	switch {
	case what >= len(run.PathParts):
		return run.Key{Metric: run.ComputeTime, Part: families[what-len(run.PathParts)]}
	case what == copiesPart:
		return run.Key{Metric: run.ExposedMemoryTime}
	}
	for cause, part := range partOfCause {
		if part == what {
			return run.Key{Metric: run.IdleTime, Part: cause}
		}
	}
	return run.Key{}
}

// partsKnown foretells how long the parts of paths are: those of a node fill the time from its parent,
// and where nothing is hidden those of a step are what a series says.
type partsKnown struct {
	total  [][]int64 // by what it is, of each step
	trusts []bool    // by what it is
	last   []bool    // by part: no other of its step is of this kind
}

func (k known) partsOf(x *pathsRead, families []string) partsKnown {
	n := len(run.PathParts) + len(families)
	out := partsKnown{make([][]int64, n), make([]bool, n), make([]bool, len(x.parts))}
	for what := range out.total {
		if key := ofSeries(what, families); key != (run.Key{}) {
			out.total[what] = k.nanosecondsOf(key)
		}
	}
	at, in := slices.Repeat([]int{-1}, n), slices.Repeat([]int{-1}, n)
	x.each(func(step, _, node, part int) {
		for i := range int(x.perNode[node]) {
			what := x.parts[part+i].what()
			if in[what] == step {
				out.last[at[what]] = false
			}
			at[what], in[what], out.last[part+i] = part+i, step, true
		}
	})
	return out
}

// By what the length of a part is foretold.
const (
	byNode  = iota // what is left of the time of its node, of which it is the last part
	byTotal        // what is left of the total of its kind
	byGap          // the compute between two stretches of exposed communication
	byNothing
	waysToForetell
)

// walk calls a function with each part, by what it is foretold, and how long it should be. The
// function returns its length.
func (k known) walk(x *pathsRead, known partsKnown, visit func(part, by int, expected int64) int64) {
	spent := make([]int64, len(known.total))
	step, first := -1, 0
	var gaps []int64   // of the step
	var seen []seenGap // by place in the step
	x.each(func(s, node0, node, part int) {
		if s != step {
			step, first, gaps = s, part, k.gapsOf(gaps[:0], s)
			clear(spent)
		}
		left := x.nodes[node].At - k.from(x, s, node0, node)
		for i := range int(x.perNode[node]) {
			at := part + i
			if at-first >= len(seen) {
				seen = append(seen, seenGap{})
			}
			what, gap := x.parts[at].what(), &seen[at-first]
			by, expected := byNothing, int64(0)
			switch {
			case i+1 == int(x.perNode[node]):
				by, expected = byNode, left
			case known.trusts[what] && known.last[at]:
				by, expected = byTotal, known.total[what][s]-spent[what]
			case gap.times >= believedGap && gap.at < len(gaps):
				by, expected = byGap, gaps[gap.at]
			}
			n := visit(at, by, expected)
			left -= n
			spent[what] += n
			gap.note(slices.Index(gaps, n))
		}
	})
}

// seenGap is which gap the part at a place of the step before was, and in how many steps on end; -1
// none.
type seenGap struct{ at, times int }

// believedGap is in how many steps on end a part must have been a gap: of 1 to 8, the parts of stories
// were shortest with this.
const believedGap = 2

func (x *seenGap) note(at int) {
	switch {
	case at < 0:
		x.times = 0
	case at == x.at:
		x.times++
	default:
		*x = seenGap{at, 1}
	}
}

// gapsOf appends the times between stretches of exposed communication in a step.
func (k known) gapsOf(to []int64, step int) []int64 {
	if step >= len(k.exposed) {
		return to
	}
	set := k.exposed[step].Unpack(nil)
	for i := 1; i < len(set); i++ {
		to = append(to, set[i].Start-set[i-1].End)
	}
	return to
}

// trust finds the kinds of parts of which the total tells how long the last of a step is.
func (k known) trust(x *pathsRead, known partsKnown) []bool {
	counts, out := make([]better, len(known.total)), make([]bool, len(known.total))
	for what := range out {
		known.trusts[what] = known.total[what] != nil
	}
	k.walk(x, known, func(part, by int, expected int64) int64 {
		n := x.parts[part].ns()
		if by == byTotal {
			counts[x.parts[part].what()].note(n, expected)
		}
		return n
	})
	for what := range out {
		out[what] = counts[what].is()
	}
	return out
}

// partTimes writes or reads how long parts are: what is foretold, which is mostly right, apart from
// what is not.
func (k known) partTimes(v Columns, x *pathsRead, families []string) {
	known := k.partsOf(x, families)
	var lists [waysToForetell][]int64
	if !v.Reading() {
		copy(known.trusts, k.trust(x, known))
		k.walk(x, known, func(part, by int, expected int64) int64 {
			n := x.parts[part].ns()
			lists[by] = append(lists[by], n-expected)
			return n
		})
	}
	flags(v, known.trusts, func(x *bool) *bool { return x })
	for i := range lists {
		lists[i] = resized(v, lists[i])
		fields(v, lists[i], func(x *int64) *int64 { return x })
	}
	for what, trusted := range known.trusts {
		if trusted && known.total[what] == nil {
			v.Fail("a total of parts of paths is missing")
		}
	}
	if !v.Reading() || !v.OK() {
		return
	}
	k.walk(x, known, func(part, by int, expected int64) int64 {
		if len(lists[by]) == 0 {
			v.Fail("a critical path has no end")
			return 0
		}
		n := lists[by][0] + expected
		lists[by] = lists[by][1:]
		if n < 0 || n > mostPathTime {
			v.Fail("a part of a critical path is of no length")
			n = 0
		}
		x.parts[part] += pathPart(n << pathBits)
		return n
	})
	for _, list := range lists {
		if len(list) > 0 {
			v.Fail("the critical paths do not fit together")
		}
	}
}

// mostPathTime is more ns than a part of a path takes.
const mostPathTime = 1<<(63-pathBits) - 1

// take makes paths of what was read, which fits together.
func (p *paths) take(x *pathsRead) {
	if p.steps = nil; len(x.counts) > 0 {
		p.steps = make([]stepPath, len(x.counts))
	}
	nodes, perNode, parts := x.nodes, x.perNode, x.parts
	from := make([]int32, len(nodes)+len(x.counts)) // of all steps: a thousand lists by themselves take twice as much
	for i, n := range x.counts {
		if n--; n < 0 {
			continue
		}
		s := stepPath{nodes: nodes[:n:n]}
		s.from, from = from[:n+1:n+1], from[n+1:]
		for k, count := range perNode[:n] {
			s.from[k+1] = s.from[k] + int32(count)
		}
		s.parts, parts = parts[:s.from[n]:s.from[n]], parts[s.from[n]:]
		p.steps[i], nodes, perNode = s, nodes[n:], perNode[n:]
	}
}
