package render

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
)

// TestOpenReport: of a report the command is one that the nsys that is there takes.
func TestOpenReport(t *testing.T) {
	const times, window = "nsys export --type sqlite --times=1.000000000s/2.000000000s -o rank3-step7.sqlite a.nsys-rep", "nsys-ui a.nsys-rep"
	for profiler, want := range map[string]string{"": window, "Nsight Systems 2022.4.2.1-df9881f": window, "Nsight Systems 2023.3": window,
		"Nsight Systems 2023.4.4.54-234433681190v0": times, "Nsight Systems 2026.2.1": times} {
		p := diff.Pick{Place: run.Place{Rank: 3, Step: 7, File: "a.nsys-rep", Start: 1e9, End: 2e9}, Opener: trace.NsysExport, Profiler: profiler}
		if got, note := openCommand(&p, "a.nsys-rep"); got != want || (note != "") != (want == window) {
			t.Errorf("%s: got %s, %s", profiler, got, note)
		}
	}
}
