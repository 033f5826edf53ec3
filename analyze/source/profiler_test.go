package source

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestProfilers: each format is of one that records, or says that none does.
func TestProfilers(t *testing.T) {
	for _, f := range Formats() {
		if got := ProfilerOf(f.Name); got != f.Profiler || (got == "") != f.IsLog {
			t.Errorf("%s: got %q, a log %v", f.Name, got, f.IsLog)
		}
	}
	if got := ProfilerOf(reportFormat); got != trace.NsightSystems {
		t.Errorf("reports of Nsight Systems: got %q", got)
	}
	if got := ProfilerOf("none"); got != "" {
		t.Errorf("got %q for a format that nobody knows", got)
	}
}
