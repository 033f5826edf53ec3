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
		names.Call(50, 150, broadcast, 1),
		names.Call(120, 200, reduce, 2),
		names.Call(180, 300, reduce, 3),
		names.Call(900, 1200, reduce, 2)}}
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
