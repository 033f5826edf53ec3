package metric

import (
	"math"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// collectiveMetrics count and time communication kernels by collective. A
// kernel's duration holds the wait for the last rank as well as the transfer.
func collectiveMetrics() []Metric {
	return []Metric{
		{
			Metric: run.Metric{Name: run.CollectiveCalls, Unit: "1", Better: run.Neither, Part: "collective",
				Doc: "Communication kernels that start in the step.", Remedy: needsDevice,
				Traits: run.Traits{Section: run.SectionCollectives, AcrossDevices: true, Formula: "count"}},
			Requires: trace.HasDevice,
			MadeOf:   kindOfWork,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.workSums().collectives {
					emit(s.Trace.Names.Text(c.name), float64(len(c.durations)))
				}
			},
		},
		{
			Metric: run.Metric{Name: run.CollectiveDuration, Unit: "s", Better: run.Lower, Part: "collective",
				Doc: "Median duration of a communication kernel, wait for the last rank included.", Remedy: needsDevice,
				Traits: run.Traits{Section: run.SectionCollectives, AcrossDevices: true, Formula: "median over its kernels that start in the step"}},
			Requires: trace.HasDevice,
			MadeOf:   kindOfWork,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.workSums().collectives {
					emit(s.Trace.Names.Text(c.name), order.Median(c.durations))
				}
			},
			Absent: math.NaN(),
		},
	}
}
