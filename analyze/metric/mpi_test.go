package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestMPITime: calls of several threads count once, and only inside the step.
func TestMPITime(t *testing.T) {
	names := trace.NewNames()
	x := &trace.Trace{Names: names, Recorded: trace.HasMPI, MPI: []trace.Call{
		names.Call(50, 150, 0, 1), names.Call(120, 200, 0, 2), names.Call(900, 1200, 0, 1)}}
	steps := []trace.Step{{Start: trace.NoTime, End: trace.NoTime, HostStart: 100, HostEnd: 1000}}
	for _, s := range Prepare(x, 0).Measure(steps) {
		if s.Key == (run.Key{Metric: "mpi_time"}) && math.Abs(s.Values[0]-200e-9) < 1e-15 {
			return
		}
	}
	t.Errorf("got %v want mpi_time of 200 ns", Prepare(x, 0).Measure(steps))
}
