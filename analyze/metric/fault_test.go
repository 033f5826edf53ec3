package metric

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestHostInGaps: on a processor or not counts from the begin of a gap to the launch that ends it, of the launch's own
// thread and where that is known of most of this time; faults count where they begin, and their time once.
func TestHostInGaps(t *testing.T) {
	const us = 1000
	for _, tt := range []struct {
		name    string
		running []trace.Interval
		faults  []trace.Fault
		want    string
	}{
		{"half of it", []trace.Interval{{Start: 400 * us, End: 700 * us}, {Start: 900 * us, End: 1100 * us}, {Start: 1300 * us, End: 1600 * us}}, nil, "launch_thread_running 0.5"},
		{"known too late", []trace.Interval{{Start: 600 * us, End: 700 * us}, {Start: 900 * us, End: 1600 * us}}, nil, ""},
		{"faults", nil, []trace.Fault{{Start: -5, End: 100 * us, Count: 7}, {Start: 50 * us, End: 150 * us, Count: 3}, {Start: 60 * us, End: 60 * us, Count: 1, Device: -1}},
			"page_faults 3, page_fault_time 0.0001, host_page_faults 1"},
		{"faults of the host", nil, []trace.Fault{{Start: -5, End: -5, Count: 1, Device: -1}}, "page_faults 0, page_fault_time 0, host_page_faults 0"},
	} {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches, Faults: tt.faults}
		if tt.faults != nil {
			tr.Recorded |= trace.HasHostFaults | trace.HasDeviceFaults
		}
		if tt.running != nil {
			tr.Running = map[int32][]trace.Interval{7: tt.running, 1: {{Start: -1, End: 2000 * us}}}
		}
		gemm := tr.Names.ID("gemm")
		tr.API = []trace.Call{tr.Names.Call(100*us, 101*us, tr.Names.ID("cudaLaunchKernel"), 1), tr.Names.Call(1300*us, 1301*us, tr.Names.ID("cudaLaunchKernel"), 7)}
		tr.Device = []trace.Span{
			{Start: 0, End: 500 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: -5 * us},
			{Start: 1500 * us, End: 2000 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: 1300 * us},
		}
		var got []string
		for _, s := range Prepare(tr, 1).Measure([]trace.Step{{End: 2000 * us, HostEnd: 2000 * us}}) {
			if s.Metric == run.LaunchRunning || s.Metric == run.PageFaults || s.Metric == run.PageFaultTime || s.Metric == run.HostPageFaults {
				got = append(got, fmt.Sprintf("%s %.3g", strings.TrimSpace(s.Metric+" "+s.Part), s.Values[0]))
			}
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
