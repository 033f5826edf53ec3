package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestMPITime: calls of several threads count once, and only inside the step.
func TestMPITime(t *testing.T) {
	x := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasMPI, MPI: []trace.Call{
		{Start: 50, End: 150, Thread: 1}, {Start: 120, End: 200, Thread: 2}, {Start: 900, End: 1200, Thread: 1}}}
	steps := []trace.Step{{Start: trace.NoTime, End: trace.NoTime, HostStart: 100, HostEnd: 1000}}
	for _, s := range Prepare(x, 0).Measure(steps) {
		if s.Key == (run.Key{Metric: "mpi_time"}) && math.Abs(s.Values[0]-200e-9) < 1e-15 {
			return
		}
	}
	t.Errorf("got %v want mpi_time of 200 ns", Prepare(x, 0).Measure(steps))
}
