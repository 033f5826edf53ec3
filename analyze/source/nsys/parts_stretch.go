package nsys

import (
	"cmp"
	"context"
	"math"
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Each hands over all device work of trace i with its launches, in any order. Of
// communication the messages are not among it.
func (x *Parts) Each(ctx context.Context, i int, add func([]trace.Span)) error {
	one, t := x.places[i], x.traces[i]
	kernels := newNames(x.r.words, t.Names, asWritten)
	for _, l := range x.device {
		err := x.scan(ctx, l, func() {
			x.r.finishSpans(t, one.d.spans, &one.p.Launches, kernels)
			add(one.d.spans)
			x.forget(nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forget drops the rows that were read, except those of one place.
func (x *Parts) forget(but *part) {
	for _, p := range x.r.procs.byID {
		if but != nil && but.p == p {
			continue
		}
		for _, d := range p.devices {
			d.spans = d.spans[:0]
		}
		p.api, p.os = p.api[:0], p.os[:0]
	}
}

// Load appends the device work and calls of trace i that start in [from, to) to a stretch.
func (x *Parts) Load(ctx context.Context, i int, from, to int64, into *trace.Stretch) error {
	one, t := x.places[i], x.traces[i]
	one.d.spans, one.p.api, one.p.os = into.Device, into.API, into.OS
	x.file.Want(from, to)
	defer x.file.Want(math.MinInt64, math.MaxInt64)
	for _, l := range slices.Concat(x.device, []tableLoad{x.api, x.os}) {
		if l.emit == nil {
			continue
		}
		if err := x.scan(ctx, starting(l, from, to), func() { x.forget(one) }); err != nil {
			return err
		}
	}
	into.Device, into.API, into.OS = one.d.spans, one.p.api, one.p.os
	one.d.spans, one.p.api, one.p.os = nil, nil, nil
	if one.p.Len() > one.callers {
		return errChanged
	}
	kernels := newNames(x.r.words, t.Names, asWritten)
	fresh := into.Device[into.Carried.Device:]
	x.r.finishSpans(t, fresh, &one.p.Launches, kernels)
	kept := slices.DeleteFunc(fresh, func(s trace.Span) bool { return s.Class == trace.Comm })
	first, _ := slices.BinarySearchFunc(one.comm, from, compareStart)
	last, _ := slices.BinarySearchFunc(one.comm, to, compareStart)
	into.Device = append(into.Device[:into.Carried.Device+len(kept)], one.comm[first:last]...)
	os := x.r.finishOS(one.p, into.OS[into.Carried.OS:])
	into.OS = into.OS[:into.Carried.OS+len(os)]
	into.SortFrom()
	return nil
}

func compareStart(s trace.Span, t int64) int { return cmp.Compare(s.Start, t) }

// Calls returns the calls of CUDA of trace i that start at given times, in order.
func (x *Parts) Calls(ctx context.Context, i int, starts []int64) ([]trace.Call, error) {
	one := x.places[i]
	if len(starts) == 0 || x.api.emit == nil {
		return nil, nil
	}
	wanted := make(map[int64]bool, len(starts))
	for _, at := range starts {
		wanted[at] = true
	}
	var out trace.Stretch
	from, to := slices.Min(starts), slices.Max(starts)+1
	x.file.Want(from, to)
	defer x.file.Want(math.MinInt64, math.MaxInt64)
	err := x.scan(ctx, starting(x.api, from, to), func() {
		for _, c := range one.p.api {
			if wanted[c.Start] {
				out.API = append(out.API, c)
			}
		}
		x.forget(nil)
	})
	out.SortFrom()
	return out.API, err
}

// starting loads only the rows that start in [from, to). Starts are the first column of all of these tables.
func starting(l tableLoad, from, to int64) tableLoad {
	emit := l.emit
	out := table.Batch{Cols: make([][]int64, len(l.cols))}
	l.emit = func(b *table.Batch) {
		out.N = 0
		for i, start := range b.Cols[0][:b.N] {
			if start < from || start >= to {
				continue
			}
			for c := range out.Cols {
				out.Cols[c] = append(out.Cols[c][:out.N], b.Cols[c][i])
			}
			out.N++
		}
		emit(&out)
	}
	return l
}

// stretchBytes is about how much memory the rows of a stretch take while they are counted.
const stretchBytes = 32 << 20
