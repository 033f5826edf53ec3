package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// needsMessages is what must be recorded for sizes of collectives.
const needsMessages = "sizes of collectives: for Nsight Systems export with --include-json true, for PyTorch use 2.3 or newer"

// bandwidthMetrics are context: a kernel's time holds the wait for the last
// rank, so that its bandwidth is at most what the links did. The formulas are
// those of nccl-tests (doc/PERFORMANCE.md): S/t, and for the bus S/t times a
// factor of the collective and the number of ranks.
func bandwidthMetrics() []Metric {
	of := func(m run.Metric, value func(*sent) (float64, bool)) Metric {
		m.Better, m.Part, m.Needs = run.Neither, "collective", needsMessages
		return Metric{Metric: m, Requires: trace.HasMessages, Measure: func(s *Step, emit Emit) {
			for name, x := range sentBy(s) {
				if v, ok := value(x); ok {
					emit(s.Trace.Names.Text(name), v)
				}
			}
		}, Absent: math.NaN()}
	}
	return []Metric{
		of(run.Metric{Name: "collective_bytes", Unit: "B", Doc: "Bytes of the messages of communication kernels that start in the step, counted as nccl-tests does."},
			func(x *sent) (float64, bool) { return x.bytes, x.bytes > 0 }),
		of(run.Metric{Name: "algorithm_bandwidth", Unit: "B/s", Doc: "Bytes of messages over the time of their kernels, wait for the last rank included."},
			func(x *sent) (float64, bool) { return x.bytes / x.time, x.time > 0 }),
		of(run.Metric{Name: "bus_bandwidth", Unit: "B/s", Doc: "Algorithm bandwidth times the collective's factor (AllReduce 2(n-1)/n), wait for the last rank included."},
			func(x *sent) (float64, bool) { return x.bus / x.busTime, x.busTime > 0 }),
	}
}

// sent is what the kernels of one collective sent in a step. Kernels whose
// message is not known count neither in bytes nor in time.
type sent struct {
	bytes, time  float64 // B, s
	bus, busTime float64 // bytes times factor, and the time of those kernels whose factor is known
}

func sentBy(s *Step) map[trace.NameID]*sent {
	out := map[trace.NameID]*sent{}
	for _, sp := range s.comms {
		x := s.Trace.Messages.Of(sp)
		if x.Bytes == 0 {
			continue
		}
		sum := out[sp.Coll]
		if sum == nil {
			sum = new(sent)
			out[sp.Coll] = sum
		}
		bytes, time := float64(x.Bytes), seconds(sp.End-sp.Start)
		sum.bytes += bytes
		sum.time += time
		if f := trace.BusFactor(s.Trace.Names.Text(sp.Coll), x.Ranks); f > 0 {
			sum.bus += float64(bytes * f)
			sum.busTime += time
		}
	}
	return out
}
