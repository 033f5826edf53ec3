package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
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
	errAllWork = errors.New("what may mark its steps is looked for in all device work at once")
)

// spanBytes is what a span of the device takes while steps are looked for in all of them:
// itself, and its place among those of its name.
const spanBytes = 48 + 16

// tooLargeFor is why a file that is too large for memory was not read in parts either.
func (m *memory) tooLargeFor(name string, err error) error {
	return fmt.Errorf("%w; it was not read in parts: %w", m.tooLarge(name), err)
}

// partShare is the share that a part gets of the memory that is left: lists grow by being
// copied, and what is kept of all parts grows too, most of it in the first. Chosen, not
// measured: TestPartsOfTraces holds
// the numbers of parts to those of the whole.
const partShare = 0.35

// roomForPart is how much memory the next part of a file should take, and how much at most.
func (m *memory) roomForPart(last *trace.Stretch) (some, most int64) {
	runtime.GC()
	left, share := float64(m.limit-heap()), partShare
	if last == nil || cap(last.Device) == 0 {
		share /= 2
	} else {
		left += float64(48*cap(last.Device) + 24*(cap(last.API)+cap(last.OS)))
	}
	left = max(0, left)
	return int64(share * left), int64(2 * partShare * left)
}

// readParts reads a file that is too large for memory in parts. The rest of the limit that
// is left then is theirs.
func readParts(ctx context.Context, m *memory, f file, opt Options, progress func(int64)) (result, error) {
	out := result{file: run.File{Name: f.name, Bytes: f.size}}
	file, format, err := source.OpenParts(ctx, f.path, progress)
	out.file.Format = format
	if err != nil {
		return out, err
	}
	defer file.Close()
	runtime.GC()
	p := &parts{parted: file, room: m.roomForPart, opt: opt}
	traces, _ := p.Traces()
	var digests []string
	for i := range traces {
		if opt.list {
			c, err := p.listed(ctx, i)
			if err != nil {
				return out, err
			}
			out.captures = append(out.captures, c)
			continue
		}
		c, digest, err := p.measure(ctx, i, f.beside*len(traces))
		if err != nil {
			return out, err
		}
		c.digest = digest
		out.captures, digests = append(out.captures, c), append(digests, digest)
	}
	out.file.Digest = combine(digests)
	return out, nil
}

// parts measures a profile in parts.
type parts struct {
	parted
	// room is how many bytes the next part should take, whose rows go where those of the
	// last one were, and how many one step may at most.
	room func(*trace.Stretch) (some, most int64)
	opt  Options
}

// measure measures trace i as measure does with all of it in memory, to the bit. beside is
// about how many captures the run has.
func (p *parts) measure(ctx context.Context, i, beside int) (capture, string, error) {
	traces, outlines := p.Traces()
	t, o := traces[i], outlines[i]
	t.Families = p.opt.Families
	comm := t.Device
	if err := p.findOwn(ctx, i, t, o); err != nil {
		return capture{}, "", err
	}
	found, err := p.steps(ctx, i, t, o)
	if err != nil {
		return capture{}, "", err
	}
	warnUnmarked(t, found)
	lo, hi := span(&trace.Trace{Device: []trace.Span{{Start: o.Device.Start, End: o.Device.End}}}, found.Steps)
	t.Device = comm
	rank := rankOf(t, found)
	for spans := o.Spans; ; {
		x := metric.NewPieces(t, o, found.Thread, found.Steps, picture.ShareOf(beside), spans, lo, hi)
		digest, err := p.walk(ctx, i, t, x, &rank, found)
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

// walk goes through the parts and returns the digest of all.
func (p *parts) walk(ctx context.Context, i int, t *trace.Trace, x *metric.Pieces, rank *run.Rank,
	found step.Found) (string, error) {
	rank.Spans = run.SpanCount{Ranges: len(t.Ranges), FileCalls: len(t.Access)}
	second := step.NewSecondAnchor(t, found.Steps, found.Receipt.By)
	sum, cuts, from := newFingerprint(t), newCutter(found.Steps, p.Density(i)), int64(math.MinInt64)
	for {
		to, more, err := cuts.next(p.room(&x.Stretch))
		if err != nil || !more {
			if len(found.Steps) > 0 {
				rank.Receipts[0].Second = second.Text()
			}
			return sum.of(rank.Spans.Calls, rank.Spans.OSCalls), err
		}
		until := to
		if to < math.MaxInt64-metric.Lookahead {
			until += metric.Lookahead
		}
		if err := p.Load(ctx, i, from, until, &x.Stretch); err != nil {
			return "", err
		}
		p.communicate(t, x.Device[x.Carried.Device:])
		fresh := x.Fresh(to)
		countDevice(&rank.Spans, fresh)
		sum.device(fresh)
		second.Add(fresh)
		api, os := x.Measure(from, to)
		rank.Spans.Calls, rank.Spans.OSCalls = rank.Spans.Calls+api, rank.Spans.OSCalls+os
		from = to
	}
}

// steps finds the steps: by ranges, or with all device work in memory if it fits.
func (p *parts) steps(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) (step.Found, error) {
	if !p.opt.Candidates {
		if f, ok, err := step.FindOutlined(t, o, p.opt.Step, p.each(ctx, i)); ok || err != nil {
			return f, err
		}
	}
	switch err := p.allDevice(ctx, i, t, o); {
	case errors.Is(err, errAllWork) && !p.opt.Candidates:
		return step.Found{}, errNoRanges
	case err != nil:
		return step.Found{}, err
	}
	defer func() { t.Device = nil }()
	f := step.Find(t, p.opt.Step)
	if p.opt.Candidates {
		f.Receipt.Candidates = step.Candidates(t)
	}
	return f, nil
}

// each is all device work of trace i.
func (p *parts) each(ctx context.Context, i int) step.ReadWork {
	return func(add func([]trace.Span)) error { return p.Each(ctx, i, add) }
}

// allDevice gives a trace all of its device work.
func (p *parts) allDevice(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) error {
	if _, most := p.room(nil); int64(o.Spans)*spanBytes > most {
		return errAllWork
	}
	all := trace.Stretch{Device: make([]trace.Span, 0, o.Spans)}
	if err := p.Each(ctx, i, func(s []trace.Span) { all.Device = append(all.Device, s...) }); err != nil {
		return err
	}
	all.SortFrom()
	t.Device = all.Device
	t.Communicate(p.opt.Communication)
	return nil
}

// communicate makes communication of the kernels that the user says are.
func (p *parts) communicate(t *trace.Trace, spans []trace.Span) {
	(&trace.Trace{Names: t.Names, Device: spans}).Communicate(p.opt.Communication)
}

// findOwn looks for such kernels, so that it is known before the first part whether the
// capture holds communication.
func (p *parts) findOwn(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) error {
	if len(p.opt.Communication) == 0 {
		return nil
	}
	return p.Each(ctx, i, func(spans []trace.Span) {
		p.communicate(t, spans)
		for i := range spans {
			o.Comm = o.Comm || spans[i].Class == trace.Comm && spans[i].End > spans[i].Start
		}
	})
}

// listed is what may mark the steps of trace i: where its device work does not fit, the
// ranges alone.
func (p *parts) listed(ctx context.Context, i int) (capture, error) {
	traces, outlines := p.Traces()
	t, o := traces[i], outlines[i]
	switch err := p.allDevice(ctx, i, t, o); {
	case errors.Is(err, errAllWork):
		usable, err := step.MarkersOutlined(t, o, p.each(ctx, i))
		return capture{id: t.Identity, listing: listing{usable: usable}}, err
	case err != nil:
		return capture{}, err
	}
	defer func() { t.Device = nil }()
	return listed(t), nil
}

// cutter cuts a capture into parts. None ends within a step.
type cutter struct {
	places []int64 // at which the next part may end, in order; the last one never
	d      *trace.Density
	before int64 // bytes before the next part
}

func newCutter(steps []trace.Step, d *trace.Density) *cutter {
	return &cutter{places: append(places(steps, d), math.MaxInt64), d: d}
}

// next is when the next part ends: it takes some bytes at most, or is one step that takes
// the most; false behind the last.
func (c *cutter) next(some, most int64) (end int64, more bool, err error) {
	n, bytes := 0, int64(0)
	for ; n < len(c.places); n++ {
		now := c.d.Before(c.places[n]) - c.before
		if now > some && (bytes > 0 || now > most) {
			break
		}
		bytes = now
	}
	switch {
	case len(c.places) == 0:
		return 0, false, nil
	case n == 0:
		return 0, false, fmt.Errorf("%w than the %d MB that are left for it", errLongStep, most/1e6)
	}
	end, c.places, c.before = c.places[n-1], c.places[n:], c.before+bytes
	return end, true, nil
}

// places are the times at which a part may end, in order: where steps begin that no other
// runs into, and any outside of them.
func places(steps []trace.Step, d *trace.Density) (at []int64) {
	var measured []trace.Step
	for _, s := range steps {
		if s.HasWindow() {
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
