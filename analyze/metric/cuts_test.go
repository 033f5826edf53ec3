package metric

import (
	"fmt"
	"testing"

	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// cutTrace is nine steps of 100 us with a kernel and a range in each; the last is
// longer and full of small kernels.
func cutTrace() (*trace.Trace, []trace.Step) {
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
	return tr, steps
}

// TestCuts: a rank proposes steps with their bars, clipped to the step and at most as
// many as asked for.
func TestCuts(t *testing.T) {
	tr, steps := cutTrace()
	const most = 700
	r := Prepare(tr, 1)
	r.Bars = most
	r.Measure(steps)
	cuts := r.Cuts
	for i := range cuts {
		c, step := cuts[i].Strip(), cuts[i].Step
		if c.Rank != 4 || len(c.Spans) > most || i > 0 && cuts[i-1].Step >= step {
			t.Errorf("step %d: rank %d, %d bars", step, c.Rank, len(c.Spans))
		}
		gaps, names := 0, ""
		for k, s := range c.Spans {
			if s.Start < 0 || s.End > c.Length || s.End < s.Start || c.Names[s.Name] == "step 8" {
				t.Fatalf("step %d: bar %+v of %s", step, s, c.Names[s.Name])
			}
			if p := c.Spans[max(0, k-1)]; p.Lane > s.Lane || p.Lane == s.Lane && p.Start > s.Start {
				t.Fatalf("step %d: bar %+v behind %+v", step, s, p)
			}
			if s.Lane == run.LaneGap {
				gaps++
			}
			if step < 8 {
				names += c.Names[s.Name] + " "
			}
		}
		if step < 8 && names != "gemm unknown forward " || gaps == 0 {
			t.Errorf("step %d: %d gaps, names %s", step, gaps, names)
		}
	}
	last := cuts[len(cuts)-1].Strip()
	if step := cuts[len(cuts)-1].Step; step != 8 || last.Omitted == 0 || len(last.Spans) != most || last.Length != 300_000 || len(last.Names) > 9 {
		t.Errorf("got step %d of %d ns, %d left out, names %v", cuts[len(cuts)-1].Step, last.Length, last.Omitted, last.Names)
	}
}

// BenchmarkCuts measures 100 steps with 5,000 kernels each, and cuts the excerpts that
// the rank proposes.
func BenchmarkCuts(b *testing.B) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	var steps []trace.Step
	now := int64(0)
	for i := range int64(100) {
		from := now
		for k := range int64(5000) {
			name := tr.Names.ID(fmt.Sprintf("void at::native::vectorized_elementwise_kernel<4, Functor%d>(int, Functor, char*)", (i+k*k)%40))
			tr.Device = append(tr.Device, trace.Span{Start: now, End: now + 3000 + k%5*700, Name: name, Kind: trace.Kernel, Class: trace.Compute, Launch: now - 5000})
			now += 6500
			tr.API = append(tr.API, tr.Names.Call(now-5000, now-3000, tr.Names.ID("cudaLaunchKernel"), 1))
		}
		steps = append(steps, trace.Step{Number: i, Start: from, End: now, HostStart: from, HostEnd: now})
	}
	tr.Sort()
	r := Prepare(tr, 1)
	r.Bars = picture.BarsToPropose(16)
	b.ReportAllocs()
	for b.Loop() {
		r.Cuts = nil
		r.Measure(steps)
	}
}
