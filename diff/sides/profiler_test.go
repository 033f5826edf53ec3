package sides

import (
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestProfilersOf: each that recorded a file which was read counts once, in the order of all.
func TestProfilersOf(t *testing.T) {
	of := func(files ...run.File) *run.Set { return &run.Set{Files: files} }
	read := func(p trace.Profiler) run.File { return run.File{Profiler: p} }
	base := of(read(trace.Rocprof), read(trace.Rocprof), run.File{Profiler: trace.XLAProfiler, Err: "truncated"})
	cand := of(read(trace.NsightSystems), read(""))
	if got, want := ProfilersOf(base, cand), (Profilers{trace.NsightSystems, trace.Rocprof}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
