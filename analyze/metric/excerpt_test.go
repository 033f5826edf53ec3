package metric

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestCuts: a rank proposes the steps near its median and the longest, with their bars
// clipped to the step and at most as many as an excerpt may have.
func TestCuts(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	tr.Identity.Rank = 4
	gemm := tr.Names.ID("gemm(int)")
	var steps []trace.Step
	for i := range int64(9) {
		from := i * 100_000
		length := int64(100_000)
		if i == 8 {
			length = 300_000
		}
		steps = append(steps, trace.Step{Number: i, Start: from, End: from + length, HostStart: from, HostEnd: from + length})
		tr.Device = append(tr.Device, trace.Span{Start: from, End: from + 40_000 + i, Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime})
		tr.Ranges = append(tr.Ranges, trace.Range{Start: from, End: from + length, Name: tr.Names.ID(fmt.Sprintf("step %d", i)), Thread: 1}, trace.Range{Start: from + 10, End: from + 50_000, Name: tr.Names.ID("forward"), Thread: 1})
	}
	for i := range int64(3000) { // within the last step
		tr.Device = append(tr.Device, trace.Span{Start: 850_000 + i*50, End: 850_000 + i*50 + 1 + i%7, Name: tr.Names.ID(fmt.Sprintf("k%d", i%7)), Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime})
	}
	tr.Sort()
	r := Prepare(tr, 1)
	r.Measure(steps)
	cuts := r.Cuts(steps)
	var typical, worst []int64
	for _, c := range cuts {
		if c.Worst {
			worst = append(worst, c.Step)
		} else {
			typical = append(typical, c.Step)
		}
		if c.Rank != 4 || len(c.Spans) > run.MostSpans {
			t.Errorf("step %d: rank %d, %d bars", c.Step, c.Rank, len(c.Spans))
		}
		for _, s := range c.Spans {
			if s.Start < 0 || s.End > c.Length || s.End < s.Start || c.Names[s.Name] == "step 8" {
				t.Fatalf("step %d: bar %+v of %s", c.Step, s, c.Names[s.Name])
			}
		}
	}
	if fmt.Sprint(typical) != "[0 1 2]" || fmt.Sprint(worst) != "[0 8]" {
		t.Errorf("got %v and %v", typical, worst)
	}
	last := cuts[len(cuts)-1]
	if last.Omitted == 0 || last.Far != 200_000 || len(last.Names) > 9 {
		t.Errorf("got %d left out, %d longer, names %v", last.Omitted, last.Far, last.Names)
	}
}
