package metric

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestProjected: a range is as long on the device as what it launched, from the first
// start to the last end, on its own thread only.
func TestProjected(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches}
	launch := func(thread int32, at, start, end int64) {
		tr.API = append(tr.API, tr.Names.Call(at, at+2, tr.Names.ID("cudaLaunchKernel"), thread))
		tr.Device = append(tr.Device, trace.Span{Start: start, End: end, Launch: at, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
	}
	launch(1, 10, 100, 150)
	launch(1, 20, 160, 200)
	launch(2, 15, 300, 900) // another thread's, beside the range
	launch(1, 40, 910, 920)
	tr.Ranges = []trace.Range{
		{Start: 0, End: 50, Name: tr.Names.ID("step 7"), Thread: 1}, {Start: 5, End: 30, Name: tr.Names.ID("forward"), Thread: 1},
		{Start: 6, End: 12, Name: tr.Names.ID("aten::mm, op_id = 4"), Thread: 1}, {Start: 30, End: 35, Name: tr.Names.ID("nothing"), Thread: 1},
	}
	tr.Ops = []trace.Range{ // the second step's is not looked at
		{Start: 12, End: 22, Name: tr.Names.ID("aten::linear"), Thread: 1}, {Start: 39, End: 44, Name: tr.Names.ID("aten::linear"), Thread: 1},
		{Start: 60, End: 90, Name: tr.Names.ID("aten::linear"), Thread: 1},
	}
	tr.Sort()
	steps := []trace.Step{{Number: 7, Start: 100, End: 1000, HostStart: 0, HostEnd: 50}}
	got, looked := Prepare(tr, 1).Projected(steps)
	want := map[string]int64{"step N": 820, "forward": 100, "aten::mm": 50, "aten::linear": 40 + 10}
	if len(got) != len(want) || looked != 1 {
		t.Errorf("got %+v in %d steps", got, looked)
	}
	for _, s := range got {
		if s.Total != want[s.Name] || s.Count != map[bool]int64{false: 1, true: 2}[s.Name == "aten::linear"] {
			t.Errorf("%s: got %d ns of %d, want %d", s.Name, s.Total, s.Count, want[s.Name])
		}
	}
	tr.Ranges = nil
	if got, looked := Prepare(tr, 1).Projected(steps); len(got) != 1 || looked != 1 {
		t.Errorf("operators alone: got %+v in %d steps", got, looked)
	}
}
