package run

import (
	"testing"

	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// TestNeedsOf: a metric says what it needs in the words of the profiler, with what was found out
// about its set behind that; one that is not known says what its summary says.
func TestNeedsOf(t *testing.T) {
	known := Metric{}.Needing(remedy.Of(remedy.Kernels))
	found, unknown := known, Metric{Needs: "a boiler"}
	found.Needs += "; not separable"
	in := []trace.Profiler{trace.Rocprof}
	for _, tt := range []struct {
		m    Metric
		in   []trace.Profiler
		want string
	}{
		{known, in, "kernels: record with --runtime-trace"},
		{found, in, "kernels: record with --runtime-trace; not separable"},
		{found, nil, known.Needs + "; not separable"},
		{unknown, in, "a boiler"},
	} {
		if got := tt.m.NeedsOf(tt.in); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
