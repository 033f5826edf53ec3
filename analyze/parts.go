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

// partedProfile is a profile that is too large for memory. Its small tables are in memory; device work and calls are
// read one stretch of time after the other.
type partedProfile interface {
	// Traces are the traces of the profile, with communication as their only device work and
	// without calls, and outlines of the rest.
	Traces() ([]*trace.Trace, []*trace.Outline)
	// Each reads all device work of trace i with its launches, in any order.
	Each(ctx context.Context, i int, add func([]trace.Span)) error
	// Load appends to a stretch what starts in [from, to), in ns.
	Load(ctx context.Context, i int, from, to int64, into *trace.Stretch) error
	// Calls are the CUDA calls that start at the given times, in the order of a trace.
	Calls(ctx context.Context, i int, starts []int64) ([]trace.Call, error)
	// Density is how much memory the rows of a trace take, by time.
	Density(i int) *trace.Density
}

// Causes for which a profile cannot be read in parts.
var (
	errLongStep = errors.New("one step alone needs more")
	errNoRanges = errors.New("its steps are not marked by ranges, and to find them all device work is needed at once " +
		"(wrap each step in a range)")
	errAllWork = errors.New("what may mark its steps is looked for in all device work at once")
)

// spanBytes is the memory for a device span while steps are searched in all device work: the
// span, and its place in a group.
const spanBytes = trace.SpanSize + 16

// tooLargeFor returns the error for a file that could not be read in parts either.
func (m *memory) tooLargeFor(name string, err error) error {
	return fmt.Errorf("%w; it was not read in parts: %w", m.tooLarge(name), err)
}

// partShare is the share of the remaining memory that one part gets. It is not more, since lists are copied when they
// grow, and what is kept of all parts grows too, mostly with the first part. Chosen, not measured: TestPartsOfTraces
// holds the numbers of parts to those of the whole.
const partShare = 0.35

// partRoom returns how many bytes the next part should take (some), and at most (most).
func (m *memory) partRoom(last *trace.Stretch) (some, most int64) {
	runtime.GC()
	left, share := float64(m.limit-heap()), partShare
	if last == nil || cap(last.Device) == 0 {
		share /= 2
	} else {
		left += float64(trace.SpanSize*cap(last.Device) + trace.CallSize*(cap(last.API)+cap(last.OS)))
	}
	left = max(0, left)
	return int64(share * left), int64(2 * partShare * left)
}

// readParts reads a file in parts because it is too large for memory. It may use all memory
// that is left.
func readParts(ctx context.Context, m *memory, f file, opt Options, reading *source.Options) (result, error) {
	out := result{file: run.File{Name: f.name, Bytes: f.size}}
	file, format, err := source.OpenParts(ctx, f.path, reading)
	out.file.Format = format
	if err != nil {
		return out, err
	}
	defer file.Close()
	runtime.GC()
	p := &partReader{partedProfile: file, room: m.partRoom, opt: opt}
	traces, _ := p.Traces()
	if !namesFit(ctx, reading, traces) {
		return out, ctx.Err()
	}
	var digests []string
	for i := range traces {
		if opt.listOnly {
			c, err := p.listMarkers(ctx, i)
			if err != nil {
				return out, err
			}
			out.captures = append(out.captures, c)
			continue
		}
		c, digest, err := p.measure(ctx, i, f.filesOfRun*len(traces))
		if err != nil {
			return out, err
		}
		c.digest = digest
		out.captures, digests = append(out.captures, c), append(digests, digest)
	}
	out.file.Digest = combine(digests)
	return out, nil
}

// partReader measures a profile in parts.
type partReader struct {
	partedProfile
	// room returns how many bytes the next part should take, and how many it may if it is a
	// single step. The memory of the last part is used again.
	room func(*trace.Stretch) (some, most int64)
	opt  Options
}

// measure measures trace i in parts, with the same result, to the bit, as if all of it were in memory. beside is about
// how many captures the run has.
func (p *partReader) measure(ctx context.Context, i, beside int) (capture, string, error) {
	traces, outlines := p.Traces()
	t, o := traces[i], outlines[i]
	t.Families = p.opt.Families
	comm := t.Device
	if err := p.findUserCommunication(ctx, i, t, o); err != nil {
		return capture{}, "", err
	}
	found, err := p.steps(ctx, i, t, o)
	if err != nil {
		return capture{}, "", err
	}
	warnUnmarked(t, found)
	lo, hi := coveredTime(&trace.Trace{Device: []trace.Span{{Start: o.Device.Start, End: o.Device.End}}}, found.Steps)
	t.Device = comm
	rank := rankOf(t, found)
	for spans, checked := o.Spans, false; ; {
		x := metric.NewPieces(t, o, found.Thread, found.Steps, picture.BarsToPropose(beside), spans, lo, hi)
		counts := newDeviceCounts(t, &found, 0, 0)
		if err := p.measureParts(ctx, i, t, x, found.Steps, counts); err != nil {
			return capture{}, "", err
		}
		rank.Spans = counts.spans
		counts.receive(&rank.Receipts[0])
		// Clocks are known at the end only. To know them before would take one more pass over all
		// work of every profile; those of which they disagree are rare, and are measured anew.
		if !checked && counts.clocks.check(t) {
			checked, t.Device, t.API, t.OS = true, comm, nil, nil
			continue
		}
		if x.Spans() != spans && !x.ProjectedAlike() { // rows that are there twice decide where it was looked
			spans = x.Spans()
			continue
		}
		calls, err := p.Calls(ctx, i, x.LaunchTimes())
		if err != nil {
			return capture{}, "", err
		}
		out := capture{id: t.Identity, epoch: t.Epoch, window: t.Capture, warn: t.Warnings}
		out.comm, out.cuts = x.Finish(&rank, calls)
		out.rank = rank
		return out, counts.sum.digest(rank.Spans.Calls, rank.Spans.OSCalls), nil
	}
}

// measureParts measures one part after the other, and counts the device's work on the way.
func (p *partReader) measureParts(ctx context.Context, i int, t *trace.Trace, x *metric.Pieces, steps []trace.Step, counts *deviceCounts) error {
	cuts, from := newCutter(steps, p.Density(i)), int64(math.MinInt64)
	for {
		to, more, err := cuts.next(p.room(&x.Stretch))
		if err != nil || !more {
			return err
		}
		until := to
		if to < math.MaxInt64-metric.Lookahead {
			until += metric.Lookahead
		}
		if err := p.Load(ctx, i, from, until, &x.Stretch); err != nil {
			return err
		}
		p.markCommunication(t, x.Device[x.Carried.Device:])
		counts.add(x.NewSpans(to))
		api, os := x.Measure(from, to)
		counts.spans.Calls, counts.spans.OSCalls = counts.spans.Calls+api, counts.spans.OSCalls+os
		from = to
	}
}

// steps finds the steps: by ranges, or with all device work in memory if it fits.
func (p *partReader) steps(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) (step.Found, error) {
	noRanges := errNoRanges
	if !p.opt.Candidates {
		f, ok, err := step.FindOutlined(t, o, p.opt.Step, p.readDeviceWork(ctx, i))
		if ok || err != nil {
			return f, err
		}
		if f.Unended != "" {
			noRanges = fmt.Errorf("%w: %s", errNoRanges, f.Unended)
		}
	}
	switch err := p.allDevice(ctx, i, t, o); {
	case errors.Is(err, errAllWork) && !p.opt.Candidates:
		return step.Found{}, noRanges
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

// readDeviceWork reads all device work of trace i.
func (p *partReader) readDeviceWork(ctx context.Context, i int) step.ReadWork {
	return func(add func([]trace.Span)) error { return p.Each(ctx, i, add) }
}

// allDevice loads all device work into a trace.
func (p *partReader) allDevice(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) error {
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

// markCommunication classifies as communication the kernels that the user named.
func (p *partReader) markCommunication(t *trace.Trace, spans []trace.Span) {
	(&trace.Trace{Names: t.Names, Messages: t.Messages, Device: spans}).Communicate(p.opt.Communication)
}

// findUserCommunication looks for such kernels in all of the trace. Whether there is
// communication must be known before the first part is measured.
func (p *partReader) findUserCommunication(ctx context.Context, i int, t *trace.Trace, o *trace.Outline) error {
	if len(p.opt.Communication) == 0 {
		return nil
	}
	return p.Each(ctx, i, func(spans []trace.Span) {
		p.markCommunication(t, spans)
		for i := range spans {
			o.Comm = o.Comm || spans[i].Class == trace.Comm && spans[i].End > spans[i].Start
		}
	})
}

// listMarkers returns what may mark the steps of trace i: only ranges, if its device work does not fit into memory.
func (p *partReader) listMarkers(ctx context.Context, i int) (capture, error) {
	traces, outlines := p.Traces()
	t, o := traces[i], outlines[i]
	switch err := p.allDevice(ctx, i, t, o); {
	case errors.Is(err, errAllWork):
		usable, err := step.MarkersOutlined(t, o, p.readDeviceWork(ctx, i))
		return capture{id: t.Identity, listing: markerList{usable: usable}}, err
	case err != nil:
		return capture{}, err
	}
	defer func() { t.Device = nil }()
	return listMarkers(t), nil
}

// partCutter cuts a capture into parts. No part ends inside a step.
type partCutter struct {
	places []int64 // ns at which the next part may end, in order; the last one is never
	d      *trace.Density
	before int64 // bytes before the next part
}

func newCutter(steps []trace.Step, d *trace.Density) *partCutter {
	return &partCutter{places: append(partEnds(steps, d), math.MaxInt64), d: d}
}

// next returns the end of the next part. The part takes at most some bytes, or is a single step that takes at most
// most bytes. more is false after the last part.
func (c *partCutter) next(some, most int64) (end int64, more bool, err error) {
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

// partEnds returns the sorted times at which a part may end: the starts of steps that no other step overlaps, and any
// time outside of steps.
func partEnds(steps []trace.Step, d *trace.Density) (at []int64) {
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
