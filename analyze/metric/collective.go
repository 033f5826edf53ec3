package metric

import (
	"iter"
	"maps"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// collectiveMetrics count and time communication kernels by collective. A
// kernel's duration holds the wait for the last rank as well as the transfer.
func collectiveMetrics() []Metric {
	return []Metric{
		{
			Metric: run.Metric{Name: "collective_calls", Unit: "1", Better: run.Neither, Part: "collective",
				Doc: "Communication kernels that start in the step.", Needs: needsDevice},
			Requires: trace.HasDevice,
			Measure: func(s *Step, emit Emit) {
				for name, c := range byCollective(s).all() {
					emit(name, float64(len(c.durations)))
				}
			},
		},
		{
			Metric: run.Metric{Name: "collective_duration", Unit: "s", Better: run.Lower, Part: "collective",
				Doc: "Median duration of a communication kernel, wait for the last rank included.", Needs: needsDevice},
			Requires: trace.HasDevice,
			Measure: func(s *Step, emit Emit) {
				for name, c := range byCollective(s).all() {
					emit(name, median(c.durations))
				}
			},
			Absent: math.NaN(),
		},
	}
}

// collected is what the kernels of one collective took in a step.
type collected struct {
	time      int64 // ns, sum of durations
	durations []float64
}

type collectives map[trace.NameID]*collected

// byCollective collects the communication kernels that start in s.
func byCollective(s *Step) named {
	out := collectives{}
	for _, sp := range s.comms {
		c := out[sp.Coll]
		if c == nil {
			c = new(collected)
			out[sp.Coll] = c
		}
		c.time += sp.End - sp.Start
		c.durations = append(c.durations, seconds(sp.End-sp.Start))
	}
	return named{s.Trace.Names, out}
}

type named struct {
	names *trace.Names
	of    collectives
}

// all yields the collectives by name, in no order: emitting is keyed.
func (n named) all() iter.Seq2[string, *collected] {
	return func(yield func(string, *collected) bool) {
		for id, c := range maps.All(n.of) {
			if !yield(n.names.Text(id), c) {
				return
			}
		}
	}
}
