package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// memcpyMetrics returns the metrics of copies by direction (h2d, d2h, d2d, p2p), and for each direction of copies from
// or to pageable or managed memory of the host ("h2d pageable"): the rest is pinned, or of no kind that is recorded.
func memcpyMetrics() []Metric {
	of := func(name, unit, doc, formula string, better run.Better, absent float64, requires trace.Recorded, value func(copySumOfDirection) float64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Remedy: needsDevice, Part: "direction",
				Traits: run.Traits{Section: run.SectionIO, Formula: formula}},
			Requires: requires,
			MadeOf:   trace.Copies,
			Absent:   absent,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.workSums().copied {
					if c.time != 0 || c.bytes != 0 {
						emit(c.direction, value(c))
					}
				}
			},
		}
	}
	bytes := trace.HasDevice | trace.HasMemcpyBytes
	return []Metric{
		of(run.MemcpyTime, "s", "Sum of the durations of copies.", "sum over copies that start in the step", run.Lower, 0, trace.HasDevice,
			func(c copySumOfDirection) float64 { return seconds(c.time) }),
		of(run.MemcpyBytes, "B", "Bytes copied.", "sum over copies that start in the step", run.Neither, 0, bytes,
			func(c copySumOfDirection) float64 { return float64(c.bytes) }),
		of(run.MemcpyBandwidth, "B/s", "Bytes copied over the time of the copies.", "memcpy_bytes / memcpy_time", run.Higher, math.NaN(), bytes,
			func(c copySumOfDirection) float64 {
				if c.time == 0 {
					return math.NaN()
				}
				return float64(c.bytes) / seconds(c.time)
			}).derivedFrom(run.ByRatio, run.MemcpyBytes, run.MemcpyTime),
		{
			Metric: run.Metric{Name: run.CopiedToDevice, Unit: "B/s", Better: run.Neither, Remedy: needsDevice,
				Doc: "Bytes copied to the device in the step over its duration: what reached the device, which is not what was read.",
				Traits: run.Traits{Section: run.SectionIO, TablesOnly: true,
					Formula: "bytes of copies to the device that start in the step / step_time"}},
			Requires: bytes,
			MadeOf:   trace.Copies,
			Measure:  copiedToDevice,
		},
	}
}

func copiedToDevice(s *Step, emit Emit) {
	if !s.Rank.toDevice || s.Time <= 0 {
		return
	}
	sum := int64(0)
	for _, sp := range s.copied {
		if sp.Copy.String() == "h2d" {
			sum += sp.Bytes()
		}
	}
	emit("", float64(sum)/seconds(s.Time))
}
