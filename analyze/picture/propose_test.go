package picture

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestProposed: all ranks propose some of the same steps, whatever they measure, and
// their longest; not the first.
func TestProposed(t *testing.T) {
	steps := func(rank int64) []trace.Step {
		var out []trace.Step
		for i := range int64(1000) {
			length := 100_000 + (i*7919+rank*104729)%9973 // on each rank others are long
			if i == 0 || i == 123 || i == 777 {
				length = 1_000_000
			}
			s := trace.Step{Number: 50 + i, Start: i * 2_000_000, End: i*2_000_000 + length}
			if i == 777 {
				s.Dropped = "cut"
			}
			if i != 600+rank { // which it lacks
				out = append(out, s)
			}
		}
		return out
	}
	count := map[int64]int{}
	const ranks = 16
	for rank := range int64(ranks) {
		of := steps(rank)
		places := ProposedSteps(of)
		if len(places) > typicalProposals+longestProposals+numberProposals || len(places) < typicalProposals+longestProposals {
			t.Fatalf("rank %d: %d steps", rank, len(places))
		}
		for _, i := range places {
			count[of[i].Number]++
		}
	}
	common := 0
	for n, c := range count {
		if c == ranks && n >= 50+500 {
			common++
		}
	}
	if count[50] > 0 || count[173] != ranks || count[827] > 0 || common < 3 {
		t.Errorf("got %d times the first step, %d times the longest, %d times the dropped one, %d steps in common", count[50], count[173], count[827], common)
	}
	if got := ProposedSteps(nil); got != nil {
		t.Errorf("of nothing: got %v", got)
	}
	if got := ProposedSteps(make([]trace.Step, 40)); got != nil {
		t.Errorf("of steps without length: got %v", got)
	}
	same := make([]trace.Step, 40) // of one number, as no program has
	for i := range same {
		same[i].End = 5
	}
	if got := ProposedSteps(same); len(got) == 0 {
		t.Error("steps of one number: got none")
	}
}
