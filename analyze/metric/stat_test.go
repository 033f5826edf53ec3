package metric

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestStats: what starts within kept steps is summed up by what it is called: device
// work by the device's window, calls and ranges by the host's period.
func TestStats(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	id := tr.Names.ID
	kernel := func(name string, start, end int64) {
		tr.Device = append(tr.Device, trace.Span{Start: start, End: end, Name: id(name), Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime})
	}
	kernel("gemm(int)", 10, 30)
	kernel("gemm(float)", 40, 50)
	kernel("gemm(int)", 150, 190) // in a step that is left out
	kernel("relu", 210, 290)
	tr.Device = append(tr.Device, trace.Span{Start: 60, End: 70, Kind: trace.Memcpy, Copy: trace.HostToDev, Class: trace.Memory}.Sized(5), trace.Span{Start: 220, End: 225, Kind: trace.Memcpy, Copy: trace.HostToDev, Class: trace.Memory}.Sized(7))
	tr.API = []trace.Call{tr.Names.Call(-5, 0, id("cudaMalloc"), 0), tr.Names.Call(5, 6, id("cudaLaunchKernel"), 0), tr.Names.Call(205, 208, id("cudaLaunchKernel"), 0)}
	tr.OS = []trace.Call{tr.Names.Call(99, 101, id("read"), 0), tr.Names.Call(150, 160, id("read"), 0)}
	tr.Ranges = []trace.Range{{Start: 0, End: 100, Name: id("step 1")}, {Start: 200, End: 300, Name: id("step 3")}, {Start: 3, End: 9, Name: id("aten::mm, op_id = 4")}}
	tr.Sort()
	steps := []trace.Step{
		{Number: 1, Start: 0, End: 100, HostStart: 0, HostEnd: 100},
		{Number: 2, Start: 100, End: 200, HostStart: 100, HostEnd: 200, Dropped: "for a test"},
		{Number: 3, Start: 200, End: 300, HostStart: 200, HostEnd: 300},
	}
	type sum struct{ count, total, median, bytes int64 }
	want := map[string]sum{
		"kernels gemm": {2, 30, 10, 0}, "kernels relu": {1, 80, 80, 0}, "memory operations copy h2d": {2, 15, 5, 12},
		"CUDA API cudaLaunchKernel": {2, 4, 1, 0}, "OS runtime read": {1, 2, 2, 0}, "ranges step N": {2, 200, 100, 0}, "ranges aten::mm": {1, 6, 6, 0},
	}
	var got []run.Stat
	r := Prepare(tr, 0)
	r.Measure(steps)
	for _, s := range r.Stats(steps) {
		got = append(got, s)
		if w := want[string(s.Table)+" "+s.Name]; w != (sum{s.Count, s.Total, s.Median, s.Bytes}) {
			t.Errorf("%s, %s: got %+v, want %+v", s.Table, s.Name, s, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d rows, want %d", len(got), len(want))
	}
}
