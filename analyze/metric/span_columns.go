package metric

import "perfdiff/analyze/collective"

type span = collective.Span

// spanColumns writes or reads the columns of the kernels of a rank with so many steps.
func (c *Communication) spanColumns(v Columns, steps int) {
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
	if !v.Reading() || !v.OK() {
		return
	}
	if !inSteps(c.Spans, steps) {
		v.Fail("a communication kernel is of no step")
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
