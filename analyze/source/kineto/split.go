package kineto

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// processDevice is a process, by index, and one of its devices; device -1 is none.
type processDevice struct{ process, device int32 }

// traces makes a trace for each process and device, or for each process if nothing ran on a
// device. They have no file name, warnings and facts yet.
func (c *collector) traces() []*trace.Trace {
	c.joinLists()
	owner := c.linkLaunches()
	for _, p := range c.procs {
		p.sort()
		p.operators, p.functions = c.operators(p.pid, p.ranges), c.functions(p.pid)
		p.counted = c.operations(p.pid)
		p.gloo = c.collectives(p.ranges)
	}
	c.describeStarted(owner)
	spans := c.spansByDevice(owner)
	var parts []processDevice
	for p := range spans {
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		for i := range c.procs {
			parts = append(parts, processDevice{int32(i), -1})
		}
	}
	if len(parts) == 0 {
		parts = []processDevice{{-1, -1}}
	}
	slices.SortFunc(parts, func(a, b processDevice) int {
		return cmp.Or(cmp.Compare(c.pid(a), c.pid(b)), cmp.Compare(a.device, b.device))
	})
	out := make([]*trace.Trace, len(parts))
	whole := completeness{c}
	whole.checkTimes()
	whole.checkWork()
	for i, p := range parts {
		out[i] = c.trace(p, spans[p])
		for _, l := range c.losses.Lost {
			out[i].Lose(l.Of, l.Why)
		}
		whole.checkLaunches(out[i])
	}
	return out
}

// joinLists joins each growing list into one slice.
func (c *collector) joinLists() {
	c.device, c.links, c.deviceOf = c.grows.device.All(), c.grows.links.All(), c.grows.where.All()
	c.launchCalls, c.syncs = c.grows.calls.All(), c.grows.syncs.All()
	for _, p := range c.procs {
		p.ranges, p.api = p.grows.ranges.All(), p.grows.api.All()
	}
}

// spansByDevice groups the device spans by process and device. owner is the process of each
// span.
func (c *collector) spansByDevice(owner []int32) map[processDevice][]trace.Span {
	count := make(map[processDevice]int)
	for i := 0; i < len(owner); {
		p, from := processDevice{owner[i], c.deviceOf[i]}, i
		for i < len(owner) && owner[i] == p.process && c.deviceOf[i] == p.device {
			i++
		}
		count[p] += i - from
	}
	spans := make(map[processDevice][]trace.Span, len(count))
	if len(count) == 1 { // as good as always: no copy
		for p := range count {
			spans[p] = c.device
		}
		return spans
	}
	for i := range c.device {
		p := processDevice{owner[i], c.deviceOf[i]}
		if spans[p] == nil {
			spans[p] = make([]trace.Span, 0, count[p])
		}
		spans[p] = append(spans[p], c.device[i])
	}
	return spans
}

// sort sorts the host's activity of a process, which the traces of its devices share. A range
// that was reported twice, as an operator and as an annotation, is kept once.
func (p *process) sort() {
	sortByStart(p.api, func(a trace.Call) int64 { return a.Start })
	sortByStart(p.ranges, func(a trace.Range) int64 { return a.Start })
	t := trace.Trace{Ranges: p.ranges, API: p.api}
	t.Sort()
	p.ranges = slices.Compact(t.Ranges)
}

// sortByStart sorts s by start alone. The complete sort that follows then finds little to do:
// events come thread after thread.
func sortByStart[T any](s []T, start func(T) int64) {
	slices.SortFunc(s, func(a, b T) int { return cmp.Compare(start(a), start(b)) })
}

func (c *collector) pid(p processDevice) int64 {
	if p.process < 0 {
		return 0
	}
	return c.procs[p.process].pid
}

func (c *collector) trace(p processDevice, spans []trace.Span) *trace.Trace {
	sortByStart(spans, func(s trace.Span) int64 { return s.Start })
	t := &trace.Trace{
		Profiler: trace.PyTorchProfiler,
		Names:    c.names,
		Messages: &c.messages,
		Shapes:   c.shapes.ByName(),
		Identity: trace.Identity{Rank: -1, Process: c.pid(p), Device: int(p.device)},
		Device:   spans,
		Epoch:    trace.NoTime,
	}
	t.Capture = c.observed.Interval()
	for _, s := range c.syncs {
		if s.device == p.device {
			t.Syncs = append(t.Syncs, s.Sync)
			if w, ok := c.launchCalls.streamWait(&s, p.process); ok {
				t.Waits = append(t.Waits, w)
			}
		}
	}
	if p.process >= 0 {
		host := c.procs[p.process]
		t.Ranges, t.Ops, t.Functions, t.API, t.Gloo = host.ranges, host.operators, host.functions, host.api, host.gloo
		t.Operations, t.Works = host.counted, c.counted.works()
		if m := c.memory[p]; m != nil {
			m.Give(t, memorySource, recordAgain)
		}
		t.Threads = c.threadNamesOf(host.pid)
	}
	t.Sort()
	t.Recorded = build.Recorded(t)
	return t
}

// streamWait returns which work waits for which by a synchronization; false where it does not say.
func (calls launchCalls) streamWait(s *deviceSync, process int32) (trace.StreamWait, bool) {
	at, ok := calls.timeOfCall(s.call, process)
	recorded, too := calls.timeOfCall(s.recorded, process)
	return trace.StreamWait{At: at, Stream: s.Stream, On: s.on, Recorded: recorded}, ok && too && s.on != s.Stream && recorded <= at
}

// timeOfCall returns the start of the call of a process with a correlation.
func (calls launchCalls) timeOfCall(correlation uint64, process int32) (int64, bool) {
	for i := calls.firstCall(correlation, math.MinInt64); correlation != 0 && i < len(calls) && calls[i].correlation == correlation; i++ {
		if calls[i].process == process {
			return calls[i].start, true
		}
	}
	return 0, false
}

// identify gives the rank of distributedInfo to its trace: to the only one, or to the device
// with most work if one process has several.
func (h *header) identify(ts []*trace.Trace) (warning string) {
	best := ts[0]
	for _, t := range ts {
		t.Identity.WorldSize, t.Identity.Host = h.world, h.host
		if t.Identity.Process != best.Identity.Process && h.rank >= 0 {
			return fmt.Sprintf("rank %d of distributedInfo is not used: the file holds several processes and does not say which one it is (record one file per rank)", h.rank)
		}
		if len(t.Device) > len(best.Device) {
			best = t
		}
	}
	if h.rank < 0 {
		return ""
	}
	best.Identity.Rank, best.Identity.RankFrom = h.rank, "distributedInfo"
	if len(ts) > 1 {
		return fmt.Sprintf("work on %d devices: rank %d is taken to be device %d, which did most of it", len(ts), h.rank, best.Identity.Device)
	}
	return ""
}

// describe sets the facts and the clock of a trace.
func (h *header) describe(t *trace.Trace) {
	profiler := "PyTorch profiler"
	if h.plain {
		profiler += " without Kineto"
	}
	facts := slices.Clone(h.facts)
	facts.Add(trace.FactProfiler, profiler)
	facts.Add(trace.FactRecorded, h.recorded(t.Recorded.Has(trace.HasFunctions)))
	asROCm(facts)
	var g build.GPU
	if t.Identity.Device >= 0 {
		g, _ = h.gpus.Like(int64(t.Identity.Device))
	}
	t.Facts = facts.Sorted(g)
	t.Epoch = h.epoch(t.Capture.Start)
}

// recorded returns the options of the profiler that were on, for a trace with or without functions of Python. PyTorch
// writes only options that are on, so one that is missing from its header was off; "" if another program may have
// written the header.
func (h *header) recorded(functions bool) string {
	on := slices.Clone(h.options)
	if functions {
		on = append(on, "with_stack") // which profilers of 2021 do not write
	}
	if len(on) == 0 && h.ofKineto {
		return trace.NoOptions
	}
	slices.Sort(on)
	return strings.Join(slices.Compact(on), ", ")
}

// asROCm renames the fact of the communication library in traces of ROCm, where PyTorch writes
// RCCL's version under the name of NCCL.
func asROCm(facts []trace.Fact) {
	if !slices.ContainsFunc(facts, func(f trace.Fact) bool { return f.Key == trace.FactROCm }) {
		return
	}
	for i := range facts {
		if facts[i].Key == trace.FactNCCL {
			facts[i].Key = trace.FactRCCL
		}
	}
}

// epoch returns the UTC time of time stamp 0, in ns.
func (h *header) epoch(first int64) int64 {
	switch {
	case first >= build.Since2001:
		return 0
	case h.hasBase && h.base > 0:
		return h.base
	}
	return trace.NoTime
}
