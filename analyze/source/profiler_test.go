package source

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestNamed: each format is found by its name, and is of one that records or says that none does.
func TestNamed(t *testing.T) {
	for _, f := range Formats() {
		got := Named(f.Name)
		if got.Name != f.Name || got.Profiler != f.Profiler || (got.Profiler == "") != (f.IsLog || f.Results != nil) {
			t.Errorf("%s: got %q of %q, a log %v", f.Name, got.Name, got.Profiler, f.IsLog)
		}
		if got.StepTimes != (f.IsLog && f.Name != "nccl log") {
			t.Errorf("%s: got that it holds nothing but step times: %v", f.Name, got.StepTimes)
		}
	}
	if got := Named("nsys report"); got.Profiler != trace.NsightSystems || got.Opener != trace.NsysExport {
		t.Errorf("reports of Nsight Systems: got %q and %q", got.Profiler, got.Opener)
	}
	if got := Named("none"); got.Name != "" || got.Profiler != "" {
		t.Errorf("got %q of %q for a name that no format has", got.Name, got.Profiler)
	}
}
