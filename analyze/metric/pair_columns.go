package metric

import (
	"maps"
	"slices"

	"perfdiff/analyze/pipeline"
)

// pairColumns writes or reads the columns of steps with point-to-point calls, for a rank with so many steps.
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
