package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// faultMetrics measure page faults of unified memory.
func faultMetrics() []Metric {
	needs := remedy.Of(remedy.PageFaults)
	return []Metric{
		{
			Metric: run.Metric{Name: run.PageFaults, Unit: "1", Better: run.Neither, Part: "place",
				Doc:    "Page faults of unified memory that begin in the step: on the rank's device, and on the host for its process.",
				Remedy: needs, Traits: run.Traits{Section: run.SectionGaps, Formula: "sum of the faults of each row, CUPTI's unified-memory counters"}},
			Requires: trace.HasFaults,
			Measure:  countFaults,
			Absent:   math.NaN(),
		},
		{
			Metric: run.Metric{Name: run.PageFaultTime, Unit: "s", Better: run.Neither,
				Doc:    "Time in which the device handles page faults of unified memory, within the step.",
				Remedy: needs, Traits: run.Traits{Section: run.SectionGaps, Formula: "length of the union of the device's groups of faults"}},
			Requires: trace.HasFaults,
			Measure: func(s *Step, emit Emit) {
				if in := s.Rank.faulting; len(in) > 0 {
					emit("", seconds(in.Clip(nil, s.Step.Start, s.Step.End).Total()))
				}
			},
		},
	}
}

// countFaults emits how many faults begin in a step, where any of their kind was recorded.
func countFaults(s *Step, emit Emit) {
	var count [2]int64
	for _, f := range startingIn(s.Trace.Faults, s.Step.Start, s.Step.End, func(f *trace.Fault) int64 { return f.Start }) {
		if f.Device < 0 {
			count[0] += f.Count
		} else {
			count[1] += f.Count
		}
	}
	for i, place := range [...]string{"host", "device"} {
		if s.Rank.faults[i] {
			emit(place, float64(count[i]))
		}
	}
}

// lookAtFaults finds which faults were recorded, of the host and of the device, and when the device handles them.
func (r *Rank) lookAtFaults() {
	for _, f := range r.Trace.Faults {
		if f.Device < 0 {
			r.faults[0] = true
			continue
		}
		r.faults[1], r.faulting = true, r.faulting.Add(f.Start, f.End)
	}
}
