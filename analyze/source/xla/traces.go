package xla

import (
	"errors"
	"maps"
	"slices"

	"perfdiff/analyze/source/build"
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
		return []*trace.Trace{b.trace(&plane{ordinal: -1}, build.Share{}, b.ranges, b.api, false)}, nil
	}
	var all []*trace.Trace
	for i, n := range devices {
		all = append(all, b.trace(b.gpus[n], kernels, b.ranges, b.api, i < len(devices)-1))
	}
	return all, nil
}

// again is what to do about a file that lacks something, check what to look for in each trace.
const again = "record again"

var check = build.Check{Again: again,
	NoKernels:  "kernels: the device copied and did nothing else (record with jax.profiler.trace)",
	NoLaunches: "the calls that launch, so that the edges of steps are the host's (record with jax.profiler.trace)"}

// trace makes the trace of a device. shared says that other traces use the lists of the host too.
func (b *builder) trace(p *plane, kernels build.Share, ranges []trace.Range, api []trace.Call, shared bool) *trace.Trace {
	t := &trace.Trace{File: b.file, Profiler: trace.XLAProfiler, Names: b.names, Messages: &b.messages, Device: p.spans, Ranges: ranges, API: api,
		Identity: trace.Identity{Rank: -1, Host: b.host, Device: int(p.ordinal)},
		Shapes:   b.shapes.ByName(), Epoch: b.epoch(), Capture: b.observed.Interval()}
	if shared {
		build.OwnHost(t)
	}
	t.Sort()
	t.Recorded = build.Recorded(t)
	if m := b.memory[p.ordinal]; m != nil {
		m.Give(t, memorySource, again)
	}
	t.Facts = build.Facts{{Key: trace.FactProfiler, Value: "XLA profiler"}}.Sorted(p.GPU)
	losses := b.losses()
	losses.Give(t)
	check.All(t, kernels)
	return t
}

// epoch returns the UTC time of time stamp 0. Saved profiles begin at 0.
func (b *builder) epoch() int64 {
	if b.began >= build.Since2001 && b.began < build.MaxTime {
		return b.observed.Epoch(b.began)
	}
	return b.observed.Epoch(trace.NoTime)
}

// losses returns what the file lacks.
func (b *builder) losses() (l build.Losses) {
	b.untimed.Report(&l, "CUDA", again)
	if b.errors > 0 {
		l.Warn("the profiler reports errors in it (%d), so that work may be missing (%s, of fewer steps)", b.errors, again)
	}
	if b.capped > 0 {
		l.Warn("it holds the first %d events, as many as traces for viewers do, and what came later is not there "+
			"(give the .xplane.pb beside it)", b.capped)
	}
	if b.crowd > 0 {
		l.Warn("%d devices were left out: a file can have %d", b.crowd, build.MaxPlaces)
	}
	return l
}
