package metric

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// faultMetrics measure page faults of unified memory.
func faultMetrics() []Metric {
	of := func(name, unit, doc string, requires trace.Recorded, value func(*trace.Fault) float64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: run.Neither, Doc: doc, Remedy: remedy.Of(remedy.PageFaults),
				Traits: run.Traits{Section: run.SectionGaps, Formula: "sum over the faults that begin in the step"}},
			Requires: requires,
			Measure: func(s *Step, emit Emit) {
				sum := 0.0
				faults := startingIn(s.Trace.Faults, s.Step.Start, s.Step.End, func(f *trace.Fault) int64 { return f.Start })
				for i := range faults {
					if (faults[i].Device < 0) == (requires == trace.HasHostFaults) {
						sum += value(&faults[i])
					}
				}
				emit("", sum)
			},
		}
	}
	count := func(f *trace.Fault) float64 { return float64(f.Count) }
	return []Metric{
		of(run.PageFaults, "1", "Page faults of unified memory on the device.", trace.HasDeviceFaults, count),
		of(run.PageFaultTime, "s", "Time in which the device handles page faults of unified memory.", trace.HasDeviceFaults,
			func(f *trace.Fault) float64 { return seconds(f.End - f.Start) }),
		of(run.HostPageFaults, "1", "Page faults of unified memory on the host, in the rank's process.", trace.HasHostFaults, count),
	}
}
