package metric

import (
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

// flat returns the paths as they are written.
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

// columns writes or reads the paths of a rank with so many steps and communication kernels.
func (p *paths) columns(v Columns, steps, kernels int) {
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
	numbers(v, x.parts, func(x *pathPart) int64 { return int64(x.what()) }, func(x *pathPart, n int64) {
		if *x = pathPart(n); n < 0 || n >= int64(len(run.PathParts)+len(p.families)) {
			v.Fail("a part of a critical path is of no kind")
		}
	})
	fields(v, x.nodes, func(x *critical.Node) *int64 { return &x.At })
	numbers(v, x.parts, func(x *pathPart) int64 { return x.ns() }, func(x *pathPart, n int64) {
		if n < 0 || n > mostPathTime {
			v.Fail("a part of a critical path is of no length")
			return
		}
		*x += pathPart(n << pathBits)
	})
	if !v.Reading() || !v.OK() {
		return
	}
	if len(x.counts) > steps || !x.fit(kernels) {
		v.Fail("the critical paths do not fit together")
		return
	}
	p.take(&x)
}

// fit reports whether the data that was read of a rank with so many communication kernels fits together.
func (x *pathsRead) fit(kernels int) bool {
	nodes, parts := 0, int64(0)
	for _, n := range x.counts {
		if n--; n < 0 {
			continue
		}
		if n > int64(min(len(x.nodes), len(x.perNode))-nodes) {
			return false
		}
		for range n {
			if p := x.nodes[nodes].Parent; int64(p) >= n || p < critical.ThroughComm(kernels) {
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

// mostPathTime is more ns than a part of a path takes.
const mostPathTime = 1<<(63-pathBits) - 1

// take makes paths from what was read, whose lengths agree.
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
