package metric

import (
	"testing"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestSplitBars: a bar is split where its kernel is, also where the kernel runs into the step or
// out of it; not where wait is not known, and not where two kernels have the same bar.
func TestSplitBars(t *testing.T) {
	ranks := []run.Rank{{Rank: 3, Steps: []trace.Step{{Number: 7, Start: 1000, End: 2000}}}}
	kernel := func(start, end int64) collective.Span { return collective.Span{Start: start, End: end} }
	comms := []Communication{{
		Spans:  []collective.Span{kernel(900, 1100), kernel(1200, 1300), kernel(1400, 1500), kernel(1600, 1700), kernel(1600, 1700), kernel(1900, 2100)},
		splits: []collective.Split{{Wait: 150}, {Wait: 40}, {Wait: collective.Unknown}, {Wait: 10}, {Wait: 20}, {Wait: 180}},
	}}
	bar := func(start, end int64) run.StripSpan { return run.StripSpan{Start: start, End: end, Lane: run.LaneComm} }
	excerpts := []run.Excerpt{{Step: 7, Ranks: []run.Strip{
		{Rank: 3, Length: 1000, Spans: []run.StripSpan{bar(0, 100), bar(200, 300), bar(400, 500), bar(600, 700), bar(900, 1000), {Start: 200, End: 300}}},
		{Rank: 4, Length: 1000, Spans: []run.StripSpan{bar(200, 300)}}, // of which nothing is known
	}}}
	SplitBars(excerpts, ranks, comms)
	for i, want := range []struct {
		wait  int64
		split bool
	}{{50, true}, {40, true}, {0, false}, {0, false}, {100, true}, {0, false}} {
		if got := excerpts[0].Ranks[0].Spans[i]; got.Wait != want.wait || got.Split != want.split {
			t.Errorf("bar %d: got %d, %t, want %d, %t", i, got.Wait, got.Split, want.wait, want.split)
		}
	}
	if excerpts[0].Ranks[1].Spans[0].Split {
		t.Error("a rank without communication was split")
	}
	comms[0].splits = nil // collectives were not matched
	excerpts[0].Ranks[0].Spans[1] = bar(200, 300)
	if SplitBars(excerpts, ranks, comms); excerpts[0].Ranks[0].Spans[1].Split {
		t.Error("split though nothing was matched")
	}
}
