package step

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// uneven is a trace whose steps launch so many kernels each, one a millisecond, which begin a
// whole step behind their calls; steps take 10 ms.
func uneven(counts ...int) *trace.Trace {
	t := &trace.Trace{File: "a.sqlite", Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches | trace.HasRanges}
	for i, n := range counts {
		at := int64(i) * 10 * ms
		t.Ranges = append(t.Ranges, trace.Range{Start: at, End: at + 9*ms, Name: t.Names.ID(fmt.Sprintf("step %d", i)), Thread: 7})
		for k := range int64(n) {
			t.Device = append(t.Device, kernel(t, fmt.Sprintf("gemm%d", k), at+k*ms, at+k*ms+10*ms, at+k*ms+10*ms+ms/2))
		}
	}
	t.Sort()
	return t
}

// told is the candidate of the ranges called "step N".
func told(t *testing.T, tr *trace.Trace) run.Candidate {
	t.Helper()
	for _, c := range Candidates(tr) {
		if c.Name == "step N" {
			return c
		}
	}
	t.Fatalf("the ranges are not told: %+v", Candidates(tr))
	return run.Candidate{}
}

// TestCandidateNumbers: a candidate's work is the median of the launches whose calls lie in a
// step, or of those that begin in it where no calls were recorded, and what it covers is the
// share of all launches.
func TestCandidateNumbers(t *testing.T) {
	c := told(t, uneven(1, 2, 3, 8, 9, 8))
	if c.Count != 6 || c.Period != 10*ms || c.Work != 3 || c.Covered != 1 {
		t.Errorf("by calls: got %d, period %d, work %d, covered %g, want 6, 10 ms, 3, 1", c.Count, c.Period, c.Work, c.Covered)
	}
	tr := uneven(1, 2, 3, 8, 9, 7)
	for i := range tr.Device {
		tr.Device[i].Launch = trace.NoTime
	}
	// A step behind: 0, 1, 2, 3 and 8 begin in the first five, and 7 of 30 behind all.
	if c := told(t, tr); c.Work != 2 || c.Covered != 23.0/30 {
		t.Errorf("by starts: got work %d, covered %g, want 2, %g", c.Work, c.Covered, 23.0/30)
	}
	tr = uneven(1, 1, 1, 1)
	tr.Device = nil
	tr.Ranges = append(tr.Ranges, trace.Range{Start: 39 * ms, End: 80 * ms, Name: tr.Names.ID("save"), Thread: 7})
	if c := told(t, tr); c.Covered != 0.5 {
		t.Errorf("by ranges: got covered %g, want 0.5", c.Covered)
	}
}

// TestThreadWithMostSteps: of two threads that number steps alike the one with more of them is
// taken, even where the other's take more time.
func TestThreadWithMostSteps(t *testing.T) {
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("step %d", i) }), 6)
	for i := range int64(3) {
		name := tr.Names.ID(fmt.Sprintf("step %d", i))
		tr.Ranges = append(tr.Ranges, trace.Range{Start: i * 20 * ms, End: i*20*ms + 19*ms, Name: name, Thread: 9})
	}
	tr.Sort()
	if f := Find(tr, Options{SkipFirst: 0}); f.Receipt.Found != 6 || f.Thread != 7 {
		t.Errorf("got %d steps on thread %d, want 6 on 7", f.Receipt.Found, f.Thread)
	}
}

// TestWordsOfEngines: what only a word names is an engine's step where it fills the capture,
// and a part of a numbered step has no number to give it.
func TestWordsOfEngines(t *testing.T) {
	short := tail(loop(12, func(int) string { return "decode" }), 12)
	for i := range short.Ranges {
		short.Ranges[i].End = short.Ranges[i].Start + ms/2
	}
	if got := Find(short, Options{SkipFirst: 0}).Receipt; got.By.Kind == run.MarkEngine {
		t.Errorf("a twentieth of the time: got %s", got.Marker)
	}
	nested := loop(6, func(i int) string { return fmt.Sprintf("[Executor] _forward_step %d: 0 ctx reqs, 8 gen reqs", i+70) })
	for i := range int64(6) {
		name := nested.Names.ID(fmt.Sprintf("[Executor] _forward_step %d: 0 ctx reqs, 1 gen reqs", i))
		nested.Ranges = append(nested.Ranges, trace.Range{Start: i*10*ms + ms, End: i*10*ms + 2*ms, Name: name, Thread: 7})
	}
	nested.Sort()
	f := Find(tail(nested, 6), Options{SkipFirst: 0})
	for i, s := range f.Steps {
		if s.Number != int64(i)+70 || s.Load.Batch != 8 {
			t.Errorf("step %d: got number %d of %d requests, want %d of 8", i, s.Number, s.Load.Batch, i+70)
		}
	}
	if len(f.Steps) != 6 {
		t.Errorf("got %d steps, want 6", len(f.Steps))
	}
}
