package render

import (
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestReading: runs are told apart where there are several, a metric that was lost says why, and nobody
// can put a line of their own between ours.
func TestReading(t *testing.T) {
	set := &run.Set{
		Label: "a\nb", Files: []run.File{{Name: "x\x1b[2J.json", Format: "kineto json", Bytes: 2e6, Ranks: []int{1, 2}}},
		Warnings: []trace.Warning{{Text: "odd"}}, Doubts: []run.Doubt{{Text: "unsure"}},
		Runs: []run.Run{{Name: "run1", Ranks: []run.Rank{{Rank: 3, RankFrom: "its name", Device: -1,
			Receipts: []run.Receipt{{File: "x.json", Marker: "none"}}, Lost: []run.LostMetric{{Metric: "comm_time", Why: "calls, and some are lost"}}}}},
			{Name: "run2", Clocks: run.Clocks{Kernels: 4, Matched: 2}}},
	}
	got := Reading(set)
	for _, want := range []string{"1 file, 2 runs, 1 rank: a b, digest –", "warning: odd", "doubt: unsure", "run1: rank 3: no steps found in x.json",
		"run1: rank 3: comm_time is lost: needs calls, and some are lost", "run2: clocks are not aligned; 2 of 4 kernels of communication matched"} {
		if !slices.Contains(got, want) {
			t.Errorf("got\n%s\nwant %s", strings.Join(got, "\n"), want)
		}
	}
	if all := strings.Join(got, ""); strings.ContainsAny(all, "\n\x1b") || !strings.Contains(all, ".json: kineto json, 2.00 MB, ranks 1-2") {
		t.Errorf("got %q", got)
	}
}
