package metric

import (
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

const needsMemory = "changes of device memory: record with --cuda-memory-usage=true, or with profile_memory=True"

// memoryMetrics measure how much memory of its device a rank holds. The host takes and gives it
// back, so that they are of the period of a step on the host.
func memoryMetrics() []Metric {
	of := func(name, unit, subject, doc, formula string, order int, value func(m *trace.HeldMemory, use memoryUse, emit Emit)) Metric {
		t := run.Traits{Subject: subject, Section: run.SectionUtilization, Depth: run.DepthStep, Formula: formula}
		if order > 0 {
			t.Finding, t.FindingOrder, t.InFindings = "memory-peak", order, true
		}
		return Metric{
			Metric:   run.Metric{Name: name, Unit: unit, Better: run.Lower, Doc: doc, Needs: needsMemory, Traits: t},
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
			"largest amount held at a time of the period", 3, allocated(func(u memoryUse) float64 { return float64(u.allocated.peak) })),
		of(run.MemoryAllocatedMean, "B", "Allocated memory", "Device memory that is allocated, mean over time"+inPeriod+".",
			"integral of the amount held / length of the period", 0, allocated(func(u memoryUse) float64 { return u.allocated.mean })),
		of(run.MemoryReservedPeak, "B", "The peak of reserved memory", "The most device memory that the driver has given"+inPeriod+".",
			"largest amount held at a time of the period", 4, reserved(func(u memoryUse) float64 { return float64(u.reserved.peak) })),
		of(run.MemoryReservedMean, "B", "Reserved memory", "Device memory that the driver has given, mean over time"+inPeriod+".",
			"integral of the amount held / length of the period", 0, reserved(func(u memoryUse) float64 { return u.reserved.mean })),
		of(run.MemoryAllocations, "1", "The number of allocations", "How often device memory is taken"+inPeriod+": from the framework's allocator, or from the driver.",
			"number of changes that take memory", 0, func(_ *trace.HeldMemory, u memoryUse, emit Emit) { emit("", float64(u.taken)) }),
		of(run.MemoryGrowth, "B", "What a step keeps of its memory", "Device memory that is held at the end of the step's period on the host and was not at its start: allocated where that is known, else reserved.",
			"amount at the end − amount at the start", 0, func(m *trace.HeldMemory, u memoryUse, emit Emit) {
				if m.Allocated {
					emit("", float64(u.allocated.last-u.allocated.first))
				} else {
					emit("", float64(u.reserved.last-u.reserved.first))
				}
			}),
	}
}

// memoryUse is what a stretch of time shows of the device's memory.
type memoryUse struct {
	allocated, reserved heldAmount
	taken               int // changes that take memory
	peakAt              int64
}

// heldAmount is an amount of memory over a stretch of time, in bytes.
type heldAmount struct {
	first, last, peak int64
	mean              float64
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
	u.peakAt = at
	var allocated, reserved float64
	for ; i < len(list) && list[i].At < hi; i++ {
		x := &list[i]
		allocated += float64(float64(x.At-at) * float64(held.Allocated))
		reserved += float64(float64(x.At-at) * float64(held.Reserved))
		if at, held = x.At, *x; x.Taken {
			u.taken++
		}
		if m.Allocated && x.Allocated > u.allocated.peak || !m.Allocated && x.Reserved > u.reserved.peak {
			u.peakAt = x.At
		}
		u.allocated.peak, u.reserved.peak = max(u.allocated.peak, x.Allocated), max(u.reserved.peak, x.Reserved)
	}
	allocated += float64(float64(hi-at) * float64(held.Allocated))
	reserved += float64(float64(hi-at) * float64(held.Reserved))
	u.allocated.last, u.reserved.last = held.Allocated, held.Reserved
	u.allocated.mean, u.reserved.mean = allocated/float64(hi-from), reserved/float64(hi-from)
	return u, true
}
