package analyze

import (
	"math"
	"runtime"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// measure measures one trace, which is not used afterwards. beside is about how many captures the run has, which share
// the room in the report. together does tasks that do not depend on each other.
func measure(t *trace.Trace, opt Options, beside int, together func(tasks ...func())) capture {
	collectGarbage(t, largeTrace) // of what reading left
	steps := step.Find(t, opt.Step)
	warnUnmarked(t, steps)
	counts := newDeviceCounts(t, &steps, len(t.API), len(t.OS))
	counts.add(t.Device)
	counts.receive(&steps.Receipt)
	counts.clocks.check(t)
	sum := counts.digest(t) // before anything is made of the trace
	if opt.Candidates {
		steps.Receipt.Candidates = step.Candidates(t)
	}
	prepared := metric.Prepare(t, steps.Thread)
	prepared.Bars = picture.BarsToPropose(beside)
	prepared.StartActivity(coveredTime(t, steps.Steps))
	series := prepared.Measure(steps.Steps)
	collectGarbage(t, hugeTrace) // of what was known of windows, before calls are summed up
	r := rankOf(t, steps)
	r.Series, r.Lost = series, prepared.Lost()
	r.Activity, r.Spans, r.Work = prepared.Activity(), counts.spans, prepared.KernelWork()
	stats, projected, looked := prepared.StatsAndProjected(steps.Steps, together)
	r.Stats, r.Projected, r.Launched, r.Whole = run.JoinStats(stats, projected), looked, prepared.Launched(), prepared.WholeCapture()
	r.Longest, r.Gaps, r.Reads, r.Calls = prepared.Longest, prepared.Gaps, prepared.Reads, prepared.Calls()
	r.Places, r.PlacedSteps = prepared.Places, prepared.Placed
	r.MemoryPeak = prepared.MemoryPeak(steps.Steps)
	var launched launchList
	if len(steps.Steps) == 0 {
		launched = launchesOf(t)
	}
	return capture{launched: launched, rank: r, cuts: prepared.Cuts, comm: prepared.Communication(), id: t.Identity, epoch: t.Epoch, window: t.Capture, warn: t.Warnings, digest: sum}
}

// rankOf returns the rank of a trace, with its steps and without any measurement.
func rankOf(t *trace.Trace, steps step.Found) run.Rank {
	r := run.Rank{
		Rank: t.Identity.Rank, RankFrom: t.Identity.RankFrom, Host: t.Identity.Host, Device: t.Identity.Device,
		WorldSize: t.Identity.WorldSize, Comms: communicators(t),
		Files: []string{t.File}, Facts: t.Facts, Recorded: t.Recorded,
		Receipts: []run.Receipt{steps.Receipt},
		Steps:    steps.Steps,
	}
	if t.Capture.End > t.Capture.Start {
		r.Captured = t.Capture.End - t.Capture.Start
	}
	if t.Epoch != trace.NoTime {
		r.Began = t.Epoch + t.Capture.Start
	}
	return r
}

// warnUnmarked warns of steps without a marker, of markers without an end, and of numbers that
// were not used.
func warnUnmarked(t *trace.Trace, steps step.Found) {
	for _, text := range []string{steps.Unended, steps.Unmarked, steps.Workless, steps.Renumbered} {
		if text != "" {
			t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: text})
		}
	}
}

// The sizes of a trace, in bytes, from which on the garbage collector runs before the trace is
// measured, and again before its calls are summed up. Otherwise garbage would take as much memory
// as the trace. A collection takes a millisecond or two, since spans hold no pointers. With 16
// PyTorch traces of 124 MB, which are 10 MB in memory, the first was measured to take 2 % of the
// time and to save a sixth of the memory.
const (
	largeTrace = 8 << 20
	hugeTrace  = 48 << 20
)

// collectGarbage runs the collector, if the trace has that size.
func collectGarbage(t *trace.Trace, size int64) {
	if traceBytes(t) >= size {
		runtime.GC()
	}
}

// coveredTime returns the stretch that the time course shows: all steps with edges on the device,
// else all device work.
func coveredTime(t *trace.Trace, steps []trace.Step) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, s := range steps {
		if s.HasWindow() {
			lo, hi = min(lo, s.Start), max(hi, s.End)
		}
	}
	if lo < hi || len(t.Device) == 0 {
		return lo, hi
	}
	for i := range t.Device {
		hi = max(hi, t.Device[i].End)
	}
	return t.Device[0].Start, hi
}

// countDevice adds device spans to the count, in order of start over all calls.
func countDevice(c *run.SpanCount, spans []trace.Span) {
	if len(spans) == 0 {
		return
	}
	if c.Kernels+c.Copies+c.Sets+c.Graphs == 0 {
		c.First, c.Last = spans[0].Start, spans[0].End
	}
	comm, noLaunch, last := 0, 0, c.Last // in registers, as most of the work is
	kernels, kernelTime := 0, int64(0)
	for i := range spans {
		sp := &spans[i]
		length := sp.End - sp.Start
		switch sp.Kind {
		case trace.Kernel:
			kernels++
			kernelTime += length
		case trace.Memcpy:
			c.Copies++
			c.CopyTime += length
		case trace.Memset:
			c.Sets++
			c.CopyTime += length
		case trace.Graph:
			c.Graphs++
			c.GraphTime += length
		}
		if sp.Class == trace.Comm {
			comm++
		}
		if sp.Launch == trace.NoTime {
			noLaunch++
		}
		last = max(last, sp.End)
	}
	c.Kernels, c.KernelTime = c.Kernels+kernels, c.KernelTime+kernelTime
	c.CommKernels, c.NoLaunch, c.Last = c.CommKernels+comm, c.NoLaunch+noLaunch, last
	c.Active = c.Last - c.First
}
