package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestGlooTime: collectives that are under way together count once, by name and in
// all, and only inside the step.
func TestGlooTime(t *testing.T) {
	names := trace.NewNames()
	reduce, broadcast := names.ID("gloo:all_reduce"), names.ID("gloo:broadcast")
	x := &trace.Trace{Names: names, Recorded: trace.HasGloo, Gloo: []trace.Call{
		{Start: 50, End: 150, Name: broadcast, Thread: 1},
		{Start: 120, End: 200, Name: reduce, Thread: 2},
		{Start: 180, End: 300, Name: reduce, Thread: 3},
		{Start: 900, End: 1200, Name: reduce, Thread: 2}}}
	steps := []trace.Step{{Start: trace.NoTime, End: trace.NoTime, HostStart: 100, HostEnd: 1000}}
	got := map[run.Key]float64{}
	for _, s := range Prepare(x, 0).Measure(steps) {
		got[s.Key] = s.Values[0]
	}
	for part, want := range map[string]float64{"": 300e-9, "all_reduce": 280e-9, "broadcast": 50e-9} {
		if v, ok := got[run.Key{Metric: "gloo_time", Part: part}]; !ok || math.Abs(v-want) > 1e-15 {
			t.Errorf("gloo_time %q: got %v want %v", part, v, want)
		}
	}
}
