package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// needsGroups says what to record for communication by dimension. At least one group must serve a known dimension, and
// some communication another one.
var needsGroups = remedy.Of(remedy.RankGroups)

// dimensionMetrics returns the metrics of communication by the dimension of parallelism that it serves. They are
// measured where a run has several dimensions, once the groups of all its ranks are known.
func dimensionMetrics() []Metric {
	of := func(name, unit, doc, formula string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: unit, Better: run.Lower, Joint: true, Part: "dimension", Doc: doc, Remedy: needsGroups,
			Traits: run.Traits{Section: run.SectionCollectives, AcrossDevices: true, Formula: formula}},
			Requires: trace.HasDevice, MadeOf: kindOfWork, When: InRun, With: run.CommWaitTime}
	}
	rate := func(name, doc, formula string) Metric {
		m := of(name, "B/s", doc, formula)
		m.Better, m.Absent = run.Neither, math.NaN()
		return m
	}
	return []Metric{
		of(run.DimensionTime, "s", "Time of communication kernels by the dimension of parallelism that their group of ranks serves.", "sum of durations"),
		of(run.DimensionWaitTime, "s", "Part of it in which a kernel waits for the last rank of its group.", "sum of duration − the shortest duration over the ranks"),
		of(run.DimensionTransferTime, "s", "Part of it once all ranks of the group have arrived.", "sum of the shortest duration over the ranks"),
		rate(run.DimensionBandwidth, "Bus bandwidth of the transfer alone, by dimension of parallelism.",
			"Σ bytes · factor / Σ transfer; nccl-tests, doc/PERFORMANCE.md: bus bandwidth"),
		rate(run.DimensionAlgorithm, "Algorithm bandwidth of the transfer alone, by dimension of parallelism.",
			"Σ bytes / Σ transfer; nccl-tests, doc/PERFORMANCE.md: S/t"),
	}
}

// dimensionSplit holds the parts of one dimension's communication in a step.
type dimensionSplit struct {
	time, wait, transfer int64 // ns
	bus, bytes, busTime  float64
	occurs, unsplit      bool
}

// DimensionParts returns the dimensions as parts of metrics, in the order in which they are shown.
func DimensionParts() (out []string) {
	for _, d := range group.Dimensions {
		out = append(out, string(d))
	}
	return append(out, run.OtherDimension)
}

// byDimension is the communication of a rank by dimension.
type byDimension struct {
	parts           []string
	of              map[string]int // index in parts, by communicator
	steps           [][]dimensionSplit
	transfers, rest []interval.Set // of the whole rank, by dimension; rest is all of its time
}

// newByDimension returns nil where dimensions are not told apart.
func (g *groups) newByDimension(steps int) *byDimension {
	if !g.apart {
		return nil
	}
	x := &byDimension{parts: DimensionParts(), of: map[string]int{}, steps: make([][]dimensionSplit, steps)}
	for comm, d := range g.dimensionOf {
		if at := slices.Index(x.parts, string(d)); at >= 0 {
			x.of[comm] = at
		}
	}
	x.transfers, x.rest = make([]interval.Set, len(x.parts)), make([]interval.Set, len(x.parts))
	for i := range x.steps {
		x.steps[i] = make([]dimensionSplit, len(x.parts))
	}
	return x
}

// add counts a kernel.
func (x *byDimension) add(s *collective.Span, split collective.Split) {
	if x == nil {
		return
	}
	at, known := x.of[s.Comm]
	if !known {
		at = len(x.parts) - 1
	}
	d := &x.steps[s.Step][at]
	d.occurs = true
	d.time += s.End - s.Start
	x.rest[at] = x.rest[at].Add(s.Start, s.End)
	if split.Wait == collective.Unknown {
		d.unsplit = true
		return
	}
	transfer := s.End - s.Start - split.Wait
	d.wait, d.transfer = d.wait+split.Wait, d.transfer+transfer
	x.transfers[at] = x.transfers[at].Add(s.Start+split.Wait, s.End)
	if bus := busBytes(s); bus > 0 {
		d.bus, d.bytes = d.bus+bus, d.bytes+float64(s.Bytes)
		d.busTime += seconds(transfer)
	}
}

// put writes the values of step i.
func (x *byDimension) put(series *seriesBuilder, i int) {
	if x == nil {
		return
	}
	for k, part := range x.parts {
		d := &x.steps[i][k]
		if !d.occurs && len(x.rest[k]) == 0 {
			continue // this rank never does
		}
		series.put(run.DimensionTime, part, i, seconds(d.time))
		if d.unsplit {
			continue
		}
		series.put(run.DimensionWaitTime, part, i, seconds(d.wait))
		series.put(run.DimensionTransferTime, part, i, seconds(d.transfer))
		if d.busTime > 0 {
			series.put(run.DimensionBandwidth, part, i, d.bus/d.busTime)
			series.put(run.DimensionAlgorithm, part, i, d.bytes/d.busTime)
		}
	}
}

// putExposed splits exposed transfer and exposed waiting by dimension; transfers holds the transfer among the exposed
// communication. While two dimensions communicate, the first of the list counts, so that the parts add up.
func (x *byDimension) putExposed(series *seriesBuilder, i int, exposed, transfers interval.Set, lo, hi int64) {
	if x == nil {
		return
	}
	share := func(metric string, all interval.Set, of []interval.Set) {
		for k, part := range x.parts {
			if len(x.rest[k]) == 0 {
				continue
			}
			mine := of[k].Clip(nil, lo, hi)
			series.put(metric, part, i, seconds(interval.Overlap(all, mine)))
			all = interval.Subtract(nil, all, mine)
		}
	}
	moving := transfers.Clip(nil, lo, hi)
	waiting := interval.Subtract(nil, exposed, moving)
	share(run.ExposedTransferTime, interval.Subtract(nil, exposed, waiting), x.transfers)
	share(run.ExposedWaitTime, waiting, x.rest)
}
