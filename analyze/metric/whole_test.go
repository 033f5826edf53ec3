package metric

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestWhole: a capture is summed up without any step.
func TestWhole(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Messages: &trace.Messages{}, Recorded: trace.HasDevice | trace.HasFileBytes}
	id := tr.Names.ID
	kernel := func(name string, class trace.Class, start, end int64) {
		s := trace.Span{Start: start, End: end, Name: id(name), Kind: trace.Kernel, Class: class, Launch: trace.NoTime}
		if class == trace.Comm {
			s.SetMessage(tr.Messages.Add(trace.Message{Coll: id("AllReduce")}))
		}
		tr.Device = append(tr.Device, s)
	}
	kernel("gemm(int)", trace.Compute, 1000, 3000)
	kernel("gemm(float)", trace.Compute, 9000, 10_000)
	kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", trace.Comm, 2000, 5000)
	tr.Device = append(tr.Device, trace.Span{Start: 5500, End: 6000, Kind: trace.Memcpy, Copy: trace.HostToDev, Class: trace.Memory}.Sized(5))
	tr.API = []trace.Call{tr.Names.Call(0, 40, id("cudaLaunchKernel"), 0)}
	tr.OS = []trace.Call{tr.Names.Call(100, 20_000, id("read"), 0)}
	tr.Ranges = []trace.Range{{Start: 500, End: 700, Name: id("batch 1")}, {Start: 800, End: 900, Name: id("batch 2")}}
	tr.Ops = []trace.Range{{Start: 500, End: 600, Name: id("aten::mm")}}
	tr.Access = []trace.FileAccess{{Start: 0, End: 2000, Op: trace.OpRead, Bytes: 10}, {Start: 3000, End: 4000, Op: trace.OpWrite, Bytes: 4}}
	tr.Sort()
	r := Prepare(tr, 0)
	r.Measure(nil)
	w := r.WholeCapture()
	type sum struct{ count, total int64 }
	want := map[string]sum{
		"kernels gemm": {2, 3000}, "kernels nccl:AllReduce f32": {1, 3000}, "collectives AllReduce": {1, 3000}, "memory operations copy h2d": {1, 500},
		"CUDA API cudaLaunchKernel": {1, 40}, "OS runtime read": {1, 19_900}, "ranges batch N": {2, 300}, "operators aten::mm": {1, 100},
	}
	for _, s := range w.Stats {
		if got := (sum{s.Count, s.Total}); want[string(s.Table)+" "+s.Name] != got {
			t.Errorf("%s, %s: got %+v", s.Table, s.Name, got)
		}
	}
	if len(w.Stats) != len(want) {
		t.Errorf("got %d rows, want %d", len(w.Stats), len(want))
	}
	got := *w
	got.Stats, got.Gaps = nil, run.Histogram{}
	expect := run.WholeCapture{Device: 9000, Host: 20_000, Busy: 5500, Compute: 3000, Comm: 3000, Exposed: 2000, Overlap: 1000, Read: 5, Written: 4, ReadFrom: run.SourceFiles}
	expect.Launches[0], expect.Launches[2], expect.Launches[17] = 1, 1, 1
	if got.Read != expect.Read || !sameWhole(&got, &expect) {
		t.Errorf("got  %+v,\nwant %+v", got, expect)
	}
	if w.Gaps.Total != 3000 { // of 500 ns is none
		t.Errorf("gaps of %d ns", w.Gaps.Total)
	}
}

func sameWhole(a, b *run.WholeCapture) bool {
	return a.Device == b.Device && a.Host == b.Host && a.Busy == b.Busy && a.Compute == b.Compute && a.Comm == b.Comm && a.Exposed == b.Exposed &&
		a.Overlap == b.Overlap && a.Graphs == b.Graphs && a.Written == b.Written && a.ReadFrom == b.ReadFrom && a.Launches == b.Launches
}
