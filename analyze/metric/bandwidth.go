package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// needsMessages says what to record for sizes of collectives.
var needsMessages = remedy.Of(remedy.CollectiveSizes)

// bandwidthMetrics returns the metrics of bandwidth, which are not judged: a kernel's time includes the wait for the
// last rank, so the bandwidth is at most what the links did. The formulas are those of nccl-tests
// (doc/PERFORMANCE.md): S/t, and for the bus S/t times a factor that depends on the collective and the number of
// ranks.
func bandwidthMetrics() []Metric {
	of := func(m run.Metric, formula string, value func(*collectiveSum) (float64, bool)) Metric {
		m.Better, m.Part, m.Remedy = run.Neither, "collective", needsMessages
		m.Traits = run.Traits{Section: run.SectionCollectives, AcrossDevices: true, Formula: formula,
			TablesOnly: m.Name != run.CollectiveBytes}
		return Metric{Metric: m, Requires: trace.HasMessages, MadeOf: kindOfWork, Measure: func(s *Step, emit Emit) {
			for _, x := range s.workSums().collectives {
				if v, ok := value(&x); ok {
					emit(s.Trace.Names.Text(x.name), v)
				}
			}
		}, Absent: math.NaN()}
	}
	return []Metric{
		of(run.Metric{Name: run.CollectiveBytes, Unit: "B", Doc: "Bytes of the messages of communication kernels that start in the step, counted as nccl-tests does."},
			"sum over its kernels; nccl-tests, doc/PERFORMANCE.md: S",
			func(x *collectiveSum) (float64, bool) { return x.bytes, x.bytes > 0 }),
		of(run.Metric{Name: run.AlgorithmBandwidth, Unit: "B/s", Doc: "Bytes of messages over the time of their kernels, wait for the last rank included."},
			"Σ bytes / Σ duration; nccl-tests, doc/PERFORMANCE.md: algbw = S/t",
			func(x *collectiveSum) (float64, bool) { return x.bytes / x.sentTime, x.sentTime > 0 }).
			derivedFrom(run.ByRatio, run.CollectiveBytes, run.CommTime),
		of(run.Metric{Name: run.BusBandwidth, Unit: "B/s", Doc: "Algorithm bandwidth times the collective's factor (AllReduce 2(n-1)/n), wait for the last rank included."},
			"Σ bytes · factor / Σ duration; nccl-tests, doc/PERFORMANCE.md: busbw",
			func(x *collectiveSum) (float64, bool) { return x.bus / x.busTime, x.busTime > 0 }).
			derivedFrom(run.ByFactor, run.AlgorithmBandwidth, ""),
	}
}

// allToAll is the name of the collective in which every rank sends to every other.
const allToAll = "AllToAll"
