package metric

import (
	"maps"
	"slices"

	"perfdiff/analyze/pipeline"
)

// pairColumns are those of steps with point-to-point calls.
func (c *Communication) pairColumns(v Columns, k known) {
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
	k.moments(v, until, func(yield func(step, calls int)) {
		for _, x := range list {
			yield(x.at, x.until)
		}
	})
	batches = resized(v, batches)
	fields(v, batches, func(x *pipeline.Batch) *int { return &x.Number })
	fields(v, batches, func(x *pipeline.Batch) *int { return &x.Part })
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Pairs = map[int]pairStep{}
	for _, x := range list {
		if x.at < 0 || x.at >= len(k.rank.Steps) || x.until < 0 || x.until > len(until) || x.batches < 0 || x.batches > len(batches) {
			v.Fail("point-to-point calls are of no step")
			return
		}
		p := pairStep{idle: x.idle, before: x.before}
		p.until, until = cutList(until, x.until)
		p.batches, batches = cutList(batches, x.batches)
		c.Pairs[x.at] = p
	}
}

// moment is what is known of a start or an end of a point-to-point call.
type moment struct {
	at      int64
	first   bool // of its step
	covered bool // communication goes on from the one before to it
}

// moments are the columns of the starts and ends of point-to-point calls, and of how long the device
// idled until then: not while calls go on, and mostly for all of the time between them.
func (k known) moments(v Columns, list []idleUntil, steps func(yield func(step, moments int))) {
	known := make([]moment, 0, len(list))
	steps(func(step, n int) {
		if step >= 0 && step < len(k.rank.Steps) && n >= 0 {
			known = k.momentsOf(known, step, min(n, len(list)-len(known)))
		}
	})
	for len(known) < len(list) { // forged: found when the lists are cut
		known = append(known, moment{first: true})
	}
	foretold(v, list, func(x *idleUntil) *int64 { return &x.at }, func(i int) int64 { return known[i].at })
	foretold(v, list, func(x *idleUntil) *int64 { return &x.idle }, func(i int) int64 {
		switch {
		case known[i].first:
			return 0
		case known[i].covered:
			return list[i-1].idle
		}
		return list[i-1].idle + list[i].at - list[i-1].at
	})
}

// momentsOf appends the n moments that a step should have: the starts and ends of its calls, in order.
func (k known) momentsOf(to []moment, step, n int) []moment {
	var times []int64
	kernels := k.of(step)
	for i := range kernels {
		if isPair(&kernels[i]) {
			times = append(times, kernels[i].Start, kernels[i].End)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i := range n {
		x := moment{at: k.rank.Steps[step].End, first: i == 0}
		if i < len(times) {
			x.at = times[i]
		}
		if i > 0 {
			before := to[len(to)-1].at
			x.covered = slices.ContainsFunc(kernels, func(s span) bool { return s.Start <= before && s.End >= x.at })
		}
		to = append(to, x)
	}
	return to
}
