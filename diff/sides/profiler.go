package sides

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Profilers lists the profilers that recorded a comparison's captures, each once and in the order of trace.Profilers,
// so that advice can name their options. None: not known.
type Profilers []trace.Profiler

// ProfilersOf returns the profilers of the files that were read.
func ProfilersOf(sets ...*run.Set) (out Profilers) {
	for _, p := range trace.Profilers() {
		if slices.ContainsFunc(sets, func(set *run.Set) bool { return recordedBy(set, p) }) {
			out = append(out, p)
		}
	}
	return out
}

// recordedBy reports whether a profiler recorded any file of a set that was read.
func recordedBy(set *run.Set, p trace.Profiler) bool {
	return slices.ContainsFunc(set.Files, func(f run.File) bool { return f.Err == "" && f.Profiler == p })
}
