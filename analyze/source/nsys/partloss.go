package nsys

import (
	"context"
	"errors"
	"math"
	"slices"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// What an export lacks is found in the first pass over it, as it is where all of it is in
// memory. What only the order of time tells is counted in a pass of its own, and only
// where so much can be missing that it counts.

// errNames is why a file whose names are lost is not read in parts.
var errNames = errors.New("the file is damaged: names of kernels or of calls are not in table StringIds (" + again + ")")

// first does the first scan of a table; after then runs once it is known what the table lacks.
func (x *Parts) first(ctx context.Context, l tableLoad, after func()) error {
	invalid, rows, emit := x.r.window.invalid, int64(0), l.emit
	l.emit = func(b *table.Batch) {
		rows += int64(b.N)
		emit(b)
	}
	if err := x.scan(ctx, l, after); err != nil {
		return err
	}
	x.r.checkTable(ctx, l, rows, int64(x.r.window.invalid-invalid))
	return nil
}

// countAnswered counts the calls of a batch that spans say to be launched by.
func (x *part) countAnswered(p *process) {
	for i := range p.api {
		at := int(p.api[i].By())
		if n := at + 1 - len(x.answered); n > 0 {
			x.answered = append(x.answered, make([]int64, n+64)...)
		}
		x.answered[at] += int64(p.answered[i>>6] >> (i & 63) & 1)
	}
	clear(p.answered)
}

// countAnswers counts the launches without device work, of each process in which that can
// be more than may be lost.
func (x *Parts) countAnswers(ctx context.Context) error {
	window := x.r.window // what it counts was counted
	defer func() { x.r.window = window }()
	for _, one := range x.places {
		if !x.mayLack(one) {
			continue
		}
		for _, s := range one.stretches(x.stretch) {
			calls, err := x.followed(ctx, one.p, s)
			if err != nil {
				return err
			}
			one.p.counted.Add(calls)
		}
	}
	return nil
}

// mayLack reports whether so many launches have no device work that some may be lost. Not all of them count: what is
// launched while a graph is captured does not run.
func (x *Parts) mayLack(one *part) bool {
	var some, answered [build.EndsCapture + 1]int64
	as := func(by int) build.Launch { return build.LaunchOf(x.r.words.text[one.p.word(trace.CallerID(by))]) }
	for by, n := range one.p.without {
		if n > 0 {
			some[as(by)] += int64(n)
		}
	}
	for by, n := range one.answered {
		if n > 0 {
			answered[as(by)] += n
		}
	}
	beyond := func(of trace.Content, as build.Launch) bool { return of.Beyond(some[as], some[as]+answered[as]) }
	return beyond(trace.Kernels, build.LaunchesKernel) || beyond(trace.Copies, build.LaunchesCopy)
}

// followed returns the calls of a process in a stretch of time from which device work follows.
func (x *Parts) followed(ctx context.Context, p *process, in trace.Interval) (calls []build.Launched, err error) {
	if x.api.emit == nil {
		return nil, nil
	}
	x.file.Want(in.Start, in.End)
	defer x.file.Want(math.MinInt64, math.MaxInt64)
	err = x.scan(ctx, starting(x.api, in.Start, in.End), func() {
		calls = append(calls, x.r.followed(p)...)
		clear(p.answered)
		x.forget(nil)
	})
	return calls, err
}

// stretches returns the time of a capture in stretches with so many bytes of rows each.
func (x *part) stretches(bytes int64) (all []trace.Interval) {
	from, before := int64(math.MinInt64), int64(0)
	for _, at := range x.density.Edges() {
		if now := x.density.Before(at); now-before > bytes {
			all = append(all, trace.Interval{Start: from, End: at})
			from, before = at, now
		}
	}
	return append(all, trace.Interval{Start: from, End: math.MaxInt64})
}

// lose notes in the traces what is lost.
func (x *Parts) lose(ctx context.Context) (err error) {
	for i, t := range x.traces {
		one, comm := x.places[i], t.Device
		unnamed := func(c trace.Call) bool { return t.Names.Caller(c).Name == 0 }
		if one.nameless || slices.ContainsFunc(one.sample.API, unnamed) || slices.ContainsFunc(one.sample.OS, unnamed) ||
			slices.ContainsFunc(one.sample.Device, func(s trace.Span) bool { return s.Kind == trace.Kernel && s.Name == 0 }) {
			return errNames
		}
		t.Device, t.API, t.OS = one.sample.Device, one.sample.API, one.sample.OS
		x.r.loseIn(t, one.p, func() (count build.Share) {
			if u := &one.notLaunched; trace.Calls.Beyond(u.without, u.all) {
				count, err = x.unlaunched(ctx, i)
			}
			return count
		})
		if err == nil && one.enclosing.Kernels.Some > 0 {
			err = x.loseEnclosing(ctx, i)
		}
		t.Device, t.API, t.OS = comm, nil, nil
		if err != nil {
			return err
		}
		one.sample = trace.Stretch{}
	}
	return nil
}

// unlaunched counts the device work of trace i without launches.
func (x *Parts) unlaunched(ctx context.Context, i int) (build.Share, error) {
	var count build.Unlaunched
	err := x.inOrder(ctx, i, count.Add)
	return count.Share, err
}

// loseEnclosing takes the times of kernels of trace i as lost where too many cannot be.
func (x *Parts) loseEnclosing(ctx context.Context, i int) error {
	var all build.Enclosing
	if err := x.inOrder(ctx, i, all.Add); err != nil {
		return err
	}
	if why := all.Lost(again); why != "" {
		build.Lack(x.traces[i], trace.Kernels, "%s", why)
	}
	return nil
}

// inOrder hands the device work of trace i, in order of time, to a function.
func (x *Parts) inOrder(ctx context.Context, i int, add func([]trace.Span)) error {
	for _, in := range x.places[i].stretches(x.stretch) {
		var s trace.Stretch
		if err := x.Load(ctx, i, in.Start, in.End, &s); err != nil {
			return err
		}
		add(s.Device)
	}
	return nil
}
