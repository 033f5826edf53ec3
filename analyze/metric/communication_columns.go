package metric

import (
	"maps"
	"reflect"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/critical"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
)

// Columns is where a Communication is written to, or read from, as columns: the same calls in the
// same order do both, so that what is read cannot differ from what was written.
type Columns interface {
	Reading() bool // what is passed is filled in; else it is written
	// Count is the number of elements that follow, of so many bytes of memory each. It reports
	// whether they can: not after an error, nor where there is no memory for them.
	Count(n *int, bytes int) bool
	Ints(v []int64) // of a known number
	Texts(v *[]string)
	Bytes(v *[]byte)
	Fail(why string) // what was read cannot be
	OK() bool        // nothing failed
}

// Columns writes the communication of a rank that has so many steps, or reads one back: before
// that of all ranks was matched. Where something was read that no capture can hold, it fails: it
// may be forged, and indexes among it are believed afterwards.
func (c *Communication) Columns(v Columns, steps int) {
	c.spanColumns(v, steps)
	c.stepColumns(v, steps)
	c.groupColumns(v)
	c.pairColumns(v, steps)
	c.paths.columns(v, steps, len(c.Spans))
}

// numbers writes or reads one number of each element of a list.
func numbers[T any](v Columns, list []T, get func(*T) int64, set func(*T, int64)) {
	if !v.OK() {
		return
	}
	column := make([]int64, len(list))
	if !v.Reading() {
		for i := range list {
			column[i] = get(&list[i])
		}
	}
	if v.Ints(column); !v.Reading() || !v.OK() {
		return
	}
	for i := range list {
		set(&list[i], column[i])
	}
}

// fields does that with a field of each element. A number that the field cannot hold fails.
func fields[T any, N ~int | ~int16 | ~int32 | ~int64](v Columns, list []T, of func(*T) *N) {
	numbers(v, list, func(x *T) int64 { return int64(*of(x)) }, func(x *T, n int64) {
		if *of(x) = N(n); int64(N(n)) != n {
			v.Fail("a number is too large for its place")
		}
	})
}

// flags does that with a field that is true or false.
func flags[T any](v Columns, list []T, of func(*T) *bool) {
	numbers(v, list, func(x *T) int64 {
		if *of(x) {
			return 1
		}
		return 0
	}, func(x *T, n int64) { *of(x) = n != 0 })
}

// texts does that with a field that is a text of few different ones.
func texts[T any](v Columns, list []T, of func(*T) *string) {
	var table []string
	at := map[string]int64{}
	if !v.Reading() {
		for i := range list {
			text := *of(&list[i])
			if _, known := at[text]; !known {
				at[text] = int64(len(table))
				table = append(table, text)
			}
		}
	}
	v.Texts(&table)
	numbers(v, list, func(x *T) int64 { return at[*of(x)] }, func(x *T, n int64) {
		if n < 0 || n >= int64(len(table)) {
			v.Fail("a name is none of those that stand there")
			return
		}
		*of(x) = table[n]
	})
}

// resized is a list with the number of elements that follow.
func resized[T any](v Columns, list []T) []T {
	n := len(list)
	if !v.Count(&n, int(reflect.TypeFor[T]().Size())) {
		return nil
	}
	if v.Reading() {
		list = nil
		if n > 0 {
			list = make([]T, n)
		}
	}
	return list
}

// spanColumns are those of the kernels.
func (c *Communication) spanColumns(v Columns, steps int) {
	type span = collective.Span
	c.Spans = resized(v, c.Spans)
	fields(v, c.Spans, func(x *span) *int { return &x.Step })
	fields(v, c.Spans, func(x *span) *int64 { return &x.Start })
	numbers(v, c.Spans, func(x *span) int64 { return x.End - x.Start }, func(x *span, n int64) { x.End = x.Start + n })
	numbers(v, c.Spans, func(x *span) int64 { return x.UTC - x.End }, func(x *span, n int64) { x.UTC = x.End + n })
	texts(v, c.Spans, func(x *span) *string { return &x.Kind })
	texts(v, c.Spans, func(x *span) *string { return &x.Comm })
	texts(v, c.Spans, func(x *span) *string { return &x.Type })
	fields(v, c.Spans, func(x *span) *int64 { return &x.Seq })
	fields(v, c.Spans, func(x *span) *int64 { return &x.Bytes })
	fields(v, c.Spans, func(x *span) *int64 { return &x.Received })
	fields(v, c.Spans, func(x *span) *int32 { return &x.Ranks })
	fields(v, c.Spans, func(x *span) *int32 { return &x.Peer })
	flags(v, c.Spans, func(x *span) *bool { return &x.Sends })
	flags(v, c.Spans, func(x *span) *bool { return &x.Receives })
	if !v.Reading() {
		return
	}
	before := 0
	for i := range c.Spans {
		x := &c.Spans[i]
		if x.Step < before || x.Step >= steps || x.End < x.Start || x.Peer < collective.AllPeers {
			v.Fail("a communication kernel is of no step")
			return
		}
		before = x.Step
	}
}

// stepColumns are those of what is known of each step.
func (c *Communication) stepColumns(v Columns, steps int) {
	type step struct {
		exposed          interval.Packed
		measured, hidden bool
	}
	list := make([]step, len(c.Exposed))
	var all []byte
	for i := range list {
		list[i] = step{c.Exposed[i], c.Measured[i], c.Hidden[i]}
		all = append(all, c.Exposed[i]...)
	}
	list = resized(v, list)
	flags(v, list, func(x *step) *bool { return &x.measured })
	flags(v, list, func(x *step) *bool { return &x.hidden })
	v.Bytes(&all)
	numbers(v, list, func(x *step) int64 { return int64(len(x.exposed)) }, func(x *step, n int64) {
		if n < 0 || n > int64(len(all)) {
			v.Fail("exposed communication is missing")
			return
		}
		x.exposed, all = interval.Packed(all[:n:n]), all[n:]
		if !x.exposed.Valid() {
			v.Fail("exposed communication is no list of times")
		}
	})
	if !v.Reading() || !v.OK() {
		return
	}
	if len(list) > steps {
		v.Fail("communication is of more steps than there are")
		return
	}
	if len(list) == 0 {
		return
	}
	c.Exposed, c.Measured, c.Hidden = make([]interval.Packed, len(list)), make([]bool, len(list)), make([]bool, len(list))
	for i, x := range list {
		c.Exposed[i], c.Measured[i], c.Hidden[i] = x.exposed, x.measured, x.hidden
	}
}

// groupColumns are those of the groups of which more is recorded.
func (c *Communication) groupColumns(v Columns) {
	type named struct {
		name, purpose string
		count         int64 // 1 + number of ranks; 0 not recorded
	}
	type member struct{ rank int }
	var list []named
	var all []member
	for _, name := range slices.Sorted(maps.Keys(c.Groups)) {
		g := c.Groups[name]
		x := named{name: name, purpose: g.purpose}
		if g.ranks != nil {
			x.count = 1 + int64(len(g.ranks))
		}
		for _, r := range g.ranks {
			all = append(all, member{r})
		}
		list = append(list, x)
	}
	list = resized(v, list)
	texts(v, list, func(x *named) *string { return &x.name })
	texts(v, list, func(x *named) *string { return &x.purpose })
	fields(v, list, func(x *named) *int64 { return &x.count })
	all = resized(v, all)
	fields(v, all, func(x *member) *int { return &x.rank })
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Groups = map[string]recordedGroup{}
	for _, x := range list {
		g := recordedGroup{purpose: x.purpose}
		if x.count > 0 {
			if x.count-1 > int64(len(all)) {
				v.Fail("ranks of a group are missing")
				return
			}
			g.ranks = make([]int, 0, x.count-1)
			for _, m := range all[:x.count-1] {
				g.ranks = append(g.ranks, m.rank)
			}
			all = all[x.count-1:]
			if !believable(g.ranks) {
				v.Fail("ranks of a group are no ranks")
				return
			}
		}
		c.Groups[x.name] = g
	}
}

// pairColumns are those of steps with point-to-point calls.
func (c *Communication) pairColumns(v Columns, steps int) {
	type step struct {
		at, until, batches int // index of the step; how many of each
		idle, before       int64
	}
	var list []step
	var until []idleUntil
	var batches []pipeline.Batch
	for _, at := range slices.Sorted(maps.Keys(c.Pairs)) {
		p := c.Pairs[at]
		list = append(list, step{at, len(p.until), len(p.batches), p.idle, p.before})
		until, batches = append(until, p.until...), append(batches, p.batches...)
	}
	list = resized(v, list)
	fields(v, list, func(x *step) *int { return &x.at })
	fields(v, list, func(x *step) *int { return &x.until })
	fields(v, list, func(x *step) *int { return &x.batches })
	fields(v, list, func(x *step) *int64 { return &x.idle })
	fields(v, list, func(x *step) *int64 { return &x.before })
	until = resized(v, until)
	fields(v, until, func(x *idleUntil) *int64 { return &x.at })
	fields(v, until, func(x *idleUntil) *int64 { return &x.idle })
	batches = resized(v, batches)
	fields(v, batches, func(x *pipeline.Batch) *int { return &x.Number })
	fields(v, batches, func(x *pipeline.Batch) *int { return &x.Part })
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Pairs = map[int]pairStep{}
	for _, x := range list {
		if x.at < 0 || x.at >= steps || x.until < 0 || x.until > len(until) || x.batches < 0 || x.batches > len(batches) {
			v.Fail("point-to-point calls are of no step")
			return
		}
		p := pairStep{idle: x.idle, before: x.before}
		p.until, until = cutList(until, x.until)
		p.batches, batches = cutList(batches, x.batches)
		c.Pairs[x.at] = p
	}
}

// cutList is the first n elements of a list, nil if there are none, and the others.
func cutList[T any](list []T, n int) (first, rest []T) {
	if n == 0 {
		return nil, list
	}
	return list[:n:n], list[n:]
}

// columns writes or reads the paths of a rank that has so many steps and communication kernels.
func (p *paths) columns(v Columns, steps, kernels int) {
	source, input := []string{p.source}, []bool{p.input}
	v.Texts(&p.families)
	v.Texts(&source)
	flags(v, input, func(x *bool) *bool { return x })
	if v.OK() && len(source) == 1 {
		p.source, p.input = source[0], input[0]
	}
	counts := make([]int64, len(p.steps)) // 1 + number of nodes; 0: no path is known
	var nodes []critical.Node
	var perNode []int64
	var parts []pathPart
	for i, s := range p.steps {
		if s.nodes != nil {
			counts[i] = 1 + int64(len(s.nodes))
		}
		nodes, parts = append(nodes, s.nodes...), append(parts, s.parts...)
		for k := range s.nodes {
			perNode = append(perNode, int64(s.from[k+1]-s.from[k]))
		}
	}
	number := func(x *int64) *int64 { return x }
	counts = resized(v, counts)
	fields(v, counts, number)
	nodes = resized(v, nodes)
	fields(v, nodes, func(x *critical.Node) *int64 { return &x.At })
	fields(v, nodes, func(x *critical.Node) *int32 { return &x.Parent })
	perNode = resized(v, perNode)
	fields(v, perNode, number)
	parts = resized(v, parts)
	numbers(v, parts, func(x *pathPart) int64 { return int64(x.what()) }, func(x *pathPart, n int64) { *x = pathPart(n) })
	numbers(v, parts, func(x *pathPart) int64 { return x.ns() }, func(x *pathPart, n int64) { *x += pathPart(n << pathBits) })
	switch {
	case !v.Reading() || !v.OK():
	case len(counts) > steps, !p.take(counts, nodes, perNode, parts, kernels):
		v.Fail("the critical paths do not fit together")
	}
}

// take makes paths of what was read, and reports whether it fits together.
func (p *paths) take(counts []int64, nodes []critical.Node, perNode []int64, parts []pathPart, kernels int) bool {
	for _, x := range parts {
		if x.what() >= len(run.PathParts)+len(p.families) || x.ns() < 0 {
			return false
		}
	}
	if p.steps = nil; len(counts) > 0 {
		p.steps = make([]stepPath, len(counts))
	}
	from := make([]int32, len(nodes)+len(counts)) // of all steps: a thousand lists by themselves take twice as much
	for i, n := range counts {
		if n--; n < 0 {
			continue
		}
		if n > int64(len(nodes)) || n > int64(len(perNode)) {
			return false
		}
		s := stepPath{nodes: nodes[:n:n]}
		s.from, from = from[:n+1:n+1], from[n+1:]
		for k, count := range perNode[:n] {
			if x := s.nodes[k].Parent; int64(x) >= n || x < critical.ThroughComm(kernels) || count < 0 || count > int64(len(parts)) {
				return false
			}
			s.from[k+1] = s.from[k] + int32(count)
		}
		if int64(s.from[n]) > int64(len(parts)) || s.from[n] < 0 {
			return false
		}
		s.parts, parts = parts[:s.from[n]:s.from[n]], parts[s.from[n]:]
		p.steps[i], nodes, perNode = s, nodes[n:], perNode[n:]
	}
	return len(nodes)+len(perNode)+len(parts) == 0
}

// believable reports whether these are ranks of a job, in order.
func believable(ranks []int) bool {
	for i, r := range ranks {
		if r < 0 || r >= group.MostRanks || i > 0 && ranks[i-1] >= r {
			return false
		}
	}
	return true
}
