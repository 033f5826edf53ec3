package metric

import (
	"perfdiff/analyze/collective"
	"perfdiff/analyze/run"
)

type span = collective.Span

// spanColumns are those of the kernels.
func (c *Communication) spanColumns(v Columns, of *run.Rank) {
	c.Spans = resized(v, c.Spans)
	fields(v, c.Spans, func(x *span) *int { return &x.Step })
	if !v.OK() {
		return
	}
	if v.Reading() && !inSteps(c.Spans, len(of.Steps)) {
		v.Fail("a communication kernel is of no step")
		return
	}
	k := knownOf(of, c.Spans)
	k.lengths(v)
	k.starts(v)
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
	for i := range c.Spans {
		if x := &c.Spans[i]; x.End < x.Start || x.Peer < collective.AllPeers {
			v.Fail("a communication kernel is of no step")
			return
		}
	}
}

// inSteps reports whether kernels are in order of steps that there are.
func inSteps(spans []span, steps int) bool {
	before := 0
	for i := range spans {
		if n := spans[i].Step; n < before || n >= steps {
			return false
		}
		before = spans[i].Step
	}
	return true
}

// lengths writes how long the kernels took, or reads it into their ends: of the last one of a step as
// its distance from what all take less the others, where that is near.
func (k known) lengths(v Columns) {
	list := make([]int64, len(k.spans))
	if !v.Reading() {
		for i := range k.spans {
			list[i] = k.spans[i].End - k.spans[i].Start
		}
	}
	total := k.nanosecondsOf(run.Key{Metric: run.CommTime})
	rest := func(i int) int64 {
		step := k.spans[i].Step
		n := total[step]
		for j := k.first[step]; j < i; j++ {
			n -= list[j]
		}
		return n
	}
	last := func(i int) bool { return i+1 == len(list) || k.spans[i+1].Step != k.spans[i].Step }
	byTotal := []bool{false}
	if !v.Reading() && total != nil {
		var b better
		for i, n := range list {
			if last(i) {
				b.note(n, rest(i))
			}
		}
		byTotal[0] = b.is()
	}
	flags(v, byTotal, func(x *bool) *bool { return x })
	if byTotal[0] && total == nil {
		v.Fail("the time of all communication kernels is missing")
		return
	}
	foretold(v, list, func(x *int64) *int64 { return x }, func(i int) int64 {
		if byTotal[0] && last(i) {
			return rest(i)
		}
		return 0
	})
	if v.Reading() {
		for i, n := range list {
			k.spans[i].End = n
		}
	}
}

// starts writes when the kernels began, or reads it, and makes of their lengths when they ended: from
// the end of the one before in the step, or from the start of the step.
func (k known) starts(v Columns) {
	foretold(v, k.spans, func(x *span) *int64 { return &x.Start }, func(i int) int64 {
		x := &k.spans[i]
		if i == k.first[x.Step] {
			return k.rank.Steps[x.Step].Start
		}
		before := &k.spans[i-1]
		if v.Reading() && i > 0 {
			return before.Start + before.End
		}
		return before.End
	})
	if v.Reading() {
		for i := range k.spans {
			k.spans[i].End += k.spans[i].Start
		}
	}
}
