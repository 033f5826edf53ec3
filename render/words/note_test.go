package words

import (
	"testing"

	"perfdiff/diff/verdict"
)

// TestNote: where runs change their level, and which rank computes longest, is said of each.
func TestNote(t *testing.T) {
	for _, tt := range []struct {
		note verdict.Note
		want string
	}{
		{verdict.Note{}, ""},
		{verdict.Note{Levels: []verdict.LevelStart{{Side: "baseline", Step: 20}, {Side: "candidate", Run: "b", Step: 31}}},
			"another level from step 20 on in the baseline; another level from step 31 on in the candidate, run b"},
		{verdict.Note{Slowest: []verdict.Slowest{{Rank: 3, Times: 2, Of: 2}, {Rank: 1, Times: 2, Of: 3}}},
			"slowest: rank 3 in the baseline, rank 1 (2 of 3 runs) in the candidate"},
	} {
		if got := Note(&verdict.Comparison{Note: tt.note}); got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
	}
}
