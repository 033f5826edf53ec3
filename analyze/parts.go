package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// parted is a profile that is too large for memory: what is small of it is there, and
// device work and calls are read a stretch of time after the other.
type parted interface {
	// Traces are those of the profile without device work, but for communication, and
	// without calls, and what is known of the rest.
	Traces() ([]*trace.Trace, []*trace.Outline)
	// Each hands over all device work of a trace with its launches, in any order.
	Each(ctx context.Context, i int, add func([]trace.Span)) error
	// Load puts what starts in [from, to) behind what a stretch holds.
	Load(ctx context.Context, i int, from, to int64, into *trace.Stretch) error
	// Calls are the calls of CUDA that start at the given times, in the order of a trace.
	Calls(ctx context.Context, i int, starts []int64) ([]trace.Call, error)
	// Density is how much memory the rows of a trace take by time.
	Density(i int) *trace.Density
}

// The causes for which a profile cannot be read in parts.
var (
	errLongStep = errors.New("one step alone needs more")
	errNoRanges = errors.New("its steps are not marked by ranges, and to find them all device work is needed at once " +
		"(wrap each step in a range)")
)

// spanBytes is what a span of the device takes while steps are looked for in all of them:
// itself, and its place among those of its name.
const spanBytes = 48 + 16

// parts measures a profile in parts of at most room bytes.
type parts struct {
	parted
	room int64
	opt  Options
}

// measure measures trace i as measure does with all of it in memory, to the bit. beside is
// about how many captures the run has.
func (p *parts) measure(ctx context.Context, i, beside int) (capture, string, error) {
	traces, outlines := p.Traces()
	t, o := traces[i], outlines[i]
	comm := t.Device
	found, err := p.steps(ctx, i, t, o)
	if err != nil {
		return capture{}, "", err
	}
	lo, hi := span(&trace.Trace{Device: []trace.Span{{Start: o.Device.Start, End: o.Device.End}}}, found.Steps)
	ends, err := cut(found.Steps, p.Density(i), p.room)
	if err != nil {
		return capture{}, "", err
	}
	t.Device = comm
	rank := rankOf(t, found)
	for spans := o.Spans; ; {
		x := metric.NewPieces(t, o, found.Thread, found.Steps, run.ShareOf(beside), spans, lo, hi)
		digest, err := p.walk(ctx, i, t, x, &rank, found, ends)
		if err != nil {
			return capture{}, "", err
		}
		if x.Spans() != spans && !x.Agrees() { // rows that are there twice decide where it was looked
			spans = x.Spans()
			continue
		}
		calls, err := p.Calls(ctx, i, x.Launched())
		if err != nil {
			return capture{}, "", err
		}
		out := capture{id: t.Identity, epoch: t.Epoch, window: t.Capture, warn: t.Warnings}
		out.comm, out.cuts = x.Done(&rank, calls)
		out.rank = rank
		return out, digest, nil
	}
}

// walk goes through the parts that end at the given times, and returns the digest of all.
func (p *parts) walk(ctx context.Context, i int, t *trace.Trace, x *metric.Pieces, rank *run.Rank, found step.Found, ends []int64) (string, error) {
	rank.Spans = run.SpanCount{Ranges: len(t.Ranges), FileCalls: len(t.Access)}
	second := step.NewSecond(t, found.Steps, found.Receipt.By)
	sum, from := newFingerprint(t), int64(math.MinInt64)
	for _, to := range ends {
		until := to
		if to < math.MaxInt64-metric.Lookahead {
			until += metric.Lookahead
		}
		if err := p.Load(ctx, i, from, until, &x.Stretch); err != nil {
			return "", err
		}
		fresh := x.Fresh(to)
		countDevice(&rank.Spans, fresh)
		sum.device(fresh)
		second.Add(fresh)
		api, os := x.Measure(from, to)
		rank.Spans.Calls, rank.Spans.OSCalls = rank.Spans.Calls+api, rank.Spans.OSCalls+os
		from = to
	}
	if len(found.Steps) > 0 {
		rank.Receipts[0].Second = second.Text()
	}
	return sum.of(rank.Spans.Calls, rank.Spans.OSCalls), nil
}

// steps finds the steps: by ranges, or with all device work in memory if it fits.
func (p *parts) steps(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) (step.Found, error) {
	if !p.opt.Candidates {
		each := func(add func([]trace.Span)) error { return p.Each(ctx, i, add) }
		if f, ok, err := step.FindOutlined(t, o, p.opt.Step, each); ok || err != nil {
			return f, err
		}
	}
	if err := p.allDevice(ctx, i, t, o); err != nil {
		return step.Found{}, err
	}
	defer func() { t.Device = nil }()
	f := step.Find(t, p.opt.Step)
	if p.opt.Candidates {
		f.Receipt.Candidates = step.Candidates(t)
	}
	return f, nil
}

// allDevice gives a trace all of its device work.
func (p *parts) allDevice(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) error {
	if int64(o.Spans)*spanBytes > p.room {
		return errNoRanges
	}
	all := trace.Stretch{Device: make([]trace.Span, 0, o.Spans)}
	if err := p.Each(ctx, i, func(s []trace.Span) { all.Device = append(all.Device, s...) }); err != nil {
		return err
	}
	all.SortFrom()
	t.Device = all.Device
	return nil
}

// listed is what may mark the steps of trace i.
func (p *parts) listed(ctx context.Context, i int) (capture, error) {
	traces, outlines := p.Traces()
	if err := p.allDevice(ctx, i, traces[i], outlines[i]); err != nil {
		return capture{}, err
	}
	defer func() { traces[i].Device = nil }()
	return listed(traces[i]), nil
}

// cut returns when the parts of a capture end, the last one never: each takes at most
// room bytes and none ends within a step.
func cut(steps []trace.Step, d *trace.Density, room int64) (ends []int64, err error) {
	from, last := int64(0), int64(0) // bytes before the part, and before the place to end it
	end := int64(math.MinInt64)
	for _, at := range append(places(steps, d), math.MaxInt64) {
		bytes := d.Before(at)
		if bytes-from > room && last > from {
			ends, from = append(ends, end), last
		}
		if bytes-from > room {
			return nil, fmt.Errorf("%w than the %d MB that are left for it", errLongStep, room/1e6)
		}
		end, last = at, bytes
	}
	return append(ends, math.MaxInt64), nil
}

// places are the times at which a part may end, in order: where steps begin that no other
// runs into, and any outside of them.
func places(steps []trace.Step, d *trace.Density) (at []int64) {
	var measured []trace.Step
	for _, s := range steps {
		if s.Start != trace.NoTime && s.End != trace.NoTime && s.End > s.Start {
			measured = append(measured, s)
		}
	}
	slices.SortStableFunc(measured, func(a, b trace.Step) int { return cmp.Compare(a.Start, b.Start) })
	done, edges := int64(math.MinInt64), d.Edges()
	for _, s := range measured {
		for ; len(edges) > 0 && edges[0] < s.Start; edges = edges[1:] {
			if edges[0] >= done {
				at = append(at, edges[0])
			}
		}
		if s.Start >= done {
			at = append(at, s.Start)
		}
		done = max(done, s.End)
	}
	for _, e := range edges {
		if e >= done {
			at = append(at, e)
		}
	}
	return at
}
