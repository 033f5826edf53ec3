package xla

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"perfdiff/analyze/trace"
)

var (
	errTPU     = errors.New("a profile of TPUs, of which the planes of GPUs are missing (perfdiff reads GPUs)")
	errNothing = errors.New("it holds no work of a GPU and no ranges (record with jax.profiler.trace around the steps)")
)

// traces makes a trace for each device with work, or one of the host's ranges.
func (b *builder) traces() ([]*trace.Trace, error) {
	kernels := b.link()
	devices := slices.DeleteFunc(slices.Sorted(maps.Keys(b.gpus)), func(n int64) bool { return len(b.gpus[n].spans) == 0 })
	switch {
	case len(devices) > 0:
	case b.tpus:
		return nil, errTPU
	case len(b.ranges) == 0:
		return nil, errNothing
	}
	if len(devices) == 0 {
		return []*trace.Trace{b.trace(&plane{ordinal: -1}, trace.Share{}, b.ranges, b.api)}, nil
	}
	var all []*trace.Trace
	for i, n := range devices {
		ranges, api := b.ranges, b.api
		if i < len(devices)-1 {
			ranges, api = slices.Clone(ranges), slices.Clone(api)
		}
		all = append(all, b.trace(b.gpus[n], kernels, ranges, api))
	}
	return all, nil
}

func (b *builder) trace(p *plane, kernels trace.Share, ranges []trace.Range, api []trace.Call) *trace.Trace {
	t := &trace.Trace{File: b.file, Format: b.format, Names: b.names, Messages: &b.messages, Device: p.spans, Ranges: ranges, API: api,
		Identity: trace.Identity{Rank: -1, Host: b.host, Device: int(p.ordinal)},
		Shapes:   trace.MostShapes(b.shapes), Epoch: b.epoch()}
	if b.observed.Start != trace.NoTime {
		t.Capture = b.observed
	}
	t.Sort()
	t.Recorded = recorded(t)
	b.giveMemory(t, p.ordinal)
	t.Facts = append(t.Facts, trace.Fact{Key: trace.FactProfiler, Value: "XLA profiler"})
	if p.gpu != "" {
		t.Facts = append(t.Facts, trace.Fact{Key: trace.FactGPU, Value: p.gpu})
	}
	if p.memory > 0 {
		t.Facts = append(t.Facts, trace.Fact{Key: trace.FactGPUMemory, Value: strconv.FormatInt(p.memory, 10)})
	}
	slices.SortFunc(t.Facts, func(a, b trace.Fact) int { return cmp.Compare(a.Key, b.Key) })
	b.warn(t)
	t.CheckLaunches(kernels, again, "record with jax.profiler.trace")
	return t
}

// epochTimeFrom is the least time stamp, in ns, that is one since 1970: it is in the year 2001.
const epochTimeFrom = int64(1e18)

// epoch is the UTC time of time stamp 0. Saved profiles begin at 0.
func (b *builder) epoch() int64 {
	switch {
	case b.observed.Start >= epochTimeFrom:
		return 0
	case b.began >= epochTimeFrom && b.began < maxTime:
		return b.began
	}
	return trace.NoTime
}

// recorded says which kinds of activity the capture recorded.
func recorded(t *trace.Trace) (out trace.Recorded) {
	if len(t.Ranges) > 0 {
		out |= trace.HasRanges
	}
	for i := range t.Device {
		out |= trace.HasDevice
		if t.Device[i].Launch != trace.NoTime {
			out |= trace.HasLaunches
		}
		if t.Device[i].Kind == trace.Memcpy && t.Device[i].Bytes() > 0 {
			out |= trace.HasMemcpyBytes
		}
		if t.Device[i].Copy.Host() != trace.HostUnknown {
			out |= trace.HasCopyKinds
		}
		if t.Device[i].Kind == trace.Graph {
			out |= trace.HasGraphs
		}
	}
	return out
}

// contents are those whose times are counted, for people.
var contents = []struct {
	of   trace.Content
	what string
}{
	{trace.Kernels, "kernels"}, {trace.Copies, "copies and sets"},
	{trace.Calls, "calls of CUDA"}, {trace.Ranges, "ranges"},
}

// warn says what the file lacks.
func (b *builder) warn(t *trace.Trace) {
	say := func(format string, args ...any) {
		t.Warnings = append(t.Warnings, trace.Warning{File: b.file, Text: fmt.Sprintf(format, args...)})
	}
	for _, x := range contents {
		if n := *b.untimed.of(x.of); x.of.Beyond(n.Some, n.All) {
			t.Lose(x.of, fmt.Sprintf("times of %s: %d of %d have none that can be (%s)", x.what, n.Some, n.All, again))
			say("lacks times of %s: %d of %d have none that can be (%s)", x.what, n.Some, n.All, again)
		} else if n.Some > 0 {
			say("%d of %d %s were left out: their times cannot be", n.Some, n.All, x.what)
		}
	}
	if b.errors > 0 {
		say("the profiler reports errors in it (%d), so that work may be missing (%s, of fewer steps)", b.errors, again)
	}
	if b.capped > 0 {
		say("it holds the first %d events, as many as traces for viewers do, and what came later is not there "+
			"(give the .xplane.pb beside it)", b.capped)
	}
	if b.crowd > 0 {
		say("%d devices were left out: a file can have %d", b.crowd, maxDevices)
	}
}
