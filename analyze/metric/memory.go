package metric

import (
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

var needsMemory = remedy.Of(remedy.DeviceMemory)

// memoryMetrics measure how much memory of its device a rank holds. The host takes and gives it
// back, so that they are of the period of a step on the host.
func memoryMetrics() []Metric {
	of := func(name, unit, subject, doc, formula string, main bool, value func(m *trace.HeldMemory, use memoryUse, emit Emit)) Metric {
		t := run.Traits{Subject: subject, Section: run.SectionLevels, Depth: run.DepthStep, Noise: run.NoiseOfMemory, Formula: formula}
		t.WhereRecorded = main
		return Metric{
			Metric:   run.Metric{Name: name, Unit: unit, Better: run.Lower, Main: main, Doc: doc, Remedy: needsMemory, Traits: t},
			Requires: trace.HasMemory,
			MadeOf:   trace.MemoryUse,
			When:     InPeriod,
			OnHost: func(p *period, emit Emit) {
				if m := p.rank.Trace.Memory; m != nil {
					if use, ok := useOf(m, p.start, p.end); ok {
						value(m, use, emit)
					}
				}
			},
			Source: func(r *Rank) string {
				if r.Trace.Memory == nil {
					return ""
				}
				return r.Trace.Memory.Source
			},
		}
	}
	allocated := func(pick func(memoryUse) float64) func(*trace.HeldMemory, memoryUse, Emit) {
		return func(m *trace.HeldMemory, use memoryUse, emit Emit) {
			if m.Allocated {
				emit("", pick(use))
			}
		}
	}
	reserved := func(pick func(memoryUse) float64) func(*trace.HeldMemory, memoryUse, Emit) {
		return func(m *trace.HeldMemory, use memoryUse, emit Emit) {
			if m.Reserved {
				emit("", pick(use))
			}
		}
	}
	const inPeriod = ", within the step's period on the host"
	return []Metric{
		of(run.MemoryAllocatedPeak, "B", "The peak of allocated memory", "The most device memory that is allocated at any time"+inPeriod+".",
			"largest amount held at a time of the period", true, allocated(func(u memoryUse) float64 { return float64(u.allocated.peak) })),
		of(run.MemoryReservedPeak, "B", "The peak of reserved memory", "The most device memory that the driver has given"+inPeriod+".",
			"largest amount held at a time of the period", true, reserved(func(u memoryUse) float64 { return float64(u.reserved.peak) })),
		of(run.MemoryReservedMean, "B", "Reserved memory", "Device memory that the driver has given, mean over time"+inPeriod+".",
			"integral of the amount held / length of the period", false, reserved(func(u memoryUse) float64 { return u.reservedMean })),
		of(run.MemoryAllocations, "1", "The number of allocations", "How often device memory is taken"+inPeriod+": from the framework's allocator, or from the driver.",
			"number of changes that take memory", false, func(_ *trace.HeldMemory, u memoryUse, emit Emit) { emit("", float64(u.taken)) }),
		of(run.MemoryGrowth, "B", "What a step keeps of its memory", "Device memory that is held at the end of the step's period on the host and was not at its start: allocated where that is known, else reserved.",
			"amount at the end − amount at the start", false, func(m *trace.HeldMemory, u memoryUse, emit Emit) {
				if m.Allocated {
					emit("", float64(u.allocated.last-u.allocated.first))
				} else {
					emit("", float64(u.reserved.last-u.reserved.first))
				}
			}),
	}
}

// memoryUse is the use of the device's memory during a stretch of time.
type memoryUse struct {
	allocated, reserved heldAmount
	reservedMean        float64 // over time
	taken               int     // changes that take memory
	peakAt              int64   // when a change makes it the peak; trace.NoTime: it is what is held at the start
}

// heldAmount is an amount of memory over a stretch of time, in bytes.
type heldAmount struct {
	first, last, peak int64
}

// useOf goes through [lo, hi). It is false where nothing is known of the start: before the first
// change it is not known what was held.
func useOf(m *trace.HeldMemory, lo, hi int64) (u memoryUse, ok bool) {
	list := m.Changes
	i := sort.Search(len(list), func(i int) bool { return list[i].At >= lo })
	if i == 0 && (len(list) == 0 || list[0].At >= hi) {
		return u, false
	}
	at := lo
	if i == 0 { // the capture begins in this stretch: it is measured from there on
		at = list[0].At
		i = 1
		if list[0].Taken {
			u.taken = 1
		}
	}
	from, held := at, list[i-1]
	u.allocated = heldAmount{first: held.Allocated, peak: held.Allocated}
	u.reserved = heldAmount{first: held.Reserved, peak: held.Reserved}
	u.peakAt = trace.NoTime
	var reserved float64
	for ; i < len(list) && list[i].At < hi; i++ {
		x := &list[i]
		reserved += float64(float64(x.At-at) * float64(held.Reserved))
		if at, held = x.At, *x; x.Taken {
			u.taken++
		}
		if m.Allocated && x.Allocated > u.allocated.peak || !m.Allocated && x.Reserved > u.reserved.peak {
			u.peakAt = x.At
		}
		u.allocated.peak, u.reserved.peak = max(u.allocated.peak, x.Allocated), max(u.reserved.peak, x.Reserved)
	}
	reserved += float64(float64(hi-at) * float64(held.Reserved))
	u.allocated.last, u.reserved.last = held.Allocated, held.Reserved
	u.reservedMean = reserved / float64(hi-from)
	return u, true
}

// MemoryPeak returns when the rank holds most memory in kept steps; nil where that is not known.
func (r *Rank) MemoryPeak(steps []trace.Step) (most *run.MemoryPeak) {
	m := r.Trace.Memory
	if m == nil || r.lacks(trace.MemoryUse) {
		return nil
	}
	for _, s := range steps {
		if s.Dropped != "" || s.HostStart == trace.NoTime || s.HostEnd == trace.NoTime || s.HostEnd <= s.HostStart {
			continue
		}
		u, ok := useOf(m, s.HostStart, s.HostEnd)
		bytes := u.reserved.peak
		if m.Allocated {
			bytes = u.allocated.peak
		}
		if ok && (most == nil || bytes > most.Bytes) {
			most = &run.MemoryPeak{Step: s.Number, Bytes: bytes}
			if u.peakAt != trace.NoTime {
				most.At, most.During = u.peakAt-s.HostStart, r.innermost(u.peakAt, int64(mostOfStep*float64(s.HostEnd-s.HostStart)))
			}
		}
	}
	return most
}

// mostOfStep is the share of its step that a range must be shorter than to say where in the step something is. Chosen,
// not measured: it keeps out the range that marks the step.
const mostOfStep = 0.9

// innermost returns the shortest operator or range that is open at a time and shorter than a limit, in ns, "" where
// there is none.
func (r *Rank) innermost(at, limit int64) string {
	best, shortest := trace.NameID(0), limit
	for _, list := range [][]trace.Range{r.Trace.Ranges, r.Trace.Ops} {
		for i := range list[:startingAt(list, at+1, rangeStart)] {
			x := &list[i]
			if length := x.End - x.Start; x.End > at && length < shortest {
				best, shortest = x.Name, length
			}
		}
	}
	if best == 0 {
		return ""
	}
	return r.rangeName(best)
}
