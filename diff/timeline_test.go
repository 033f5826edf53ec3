package diff

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
)

// sideOfSteps are excerpts of one rank: the number of a step and its length, with "l" one of the
// longest, "w" the worst, and "-" one that is not compared.
func sideOfSteps(text string) (out []Excerpt) {
	for _, word := range strings.Fields(text) {
		var number, length int64
		var flags string
		if n, err := fmt.Sscanf(word, "%d:%d%s", &number, &length, &flags); n < 2 {
			panic(err)
		}
		out = append(out, Excerpt{Excerpt: run.Excerpt{Step: number, Long: strings.ContainsAny(flags, "lw"), Worst: strings.Contains(flags, "w"),
			Ranks: []run.Strip{{Rank: 2, Length: length}}}, Used: !strings.Contains(flags, "-")})
	}
	return out
}

// TestTypicalPair: both sides show one number if a step of it is near to both typical ones.
func TestTypicalPair(t *testing.T) {
	for _, tt := range []struct {
		name, base, cand string
		want             [2]int
	}{
		{"the nearest of one number", "5:100 8:103 16:101 9:200w", "7:50 8:50 16:50 9:90w", [2]int{2, 2}},
		{"each its own", "5:100 8:150", "7:50 8:50", [2]int{0, 0}},
		{"no number in common", "5:100 8:100", "7:50 9:50", [2]int{0, 0}},
		{"not one that is left out", "5:100 8:100-", "7:50 8:50", [2]int{0, 0}},
		{"one side", "5:100", "", [2]int{0, -1}},
	} {
		got := typicalPair([2][]Excerpt{sideOfSteps(tt.base), sideOfSteps(tt.cand)})
		if got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestViews: each step has one view; beside the step of a side stands that of its number, or the
// typical one; ranks that are named have one if they are drawn.
func TestViews(t *testing.T) {
	all := [2][]Excerpt{sideOfSteps("8:100 9:150w"), sideOfSteps("8:50 9:60w 12:55l 30:50")}
	v := views{all: all, typical: [2]int{0, 0}, list: []View{{Kind: ViewTypical, Rank: -1}}}
	v.add(ViewWorst, 0, 1)
	v.add(ViewWorst, 1, 1)
	if left := v.addSpikes(1, []int64{9, 12, 70}, 2); left != 1 {
		t.Errorf("%d spikes are said to have no view, want 1", left)
	}
	v.addCulprits([]cause.Finding{{Ranks: []int{7, 2}}, {Ranks: []int{2}}})
	out := v.needed()
	got := ""
	for _, x := range v.list {
		got += fmt.Sprintf("%s %q %v %d; ", x.Kind, x.Side, x.Step, x.Rank)
	}
	if want := `typical "" [0 0] -1; spike "candidate" [1 1] -1; spike "candidate" [0 2] -1; culprit "candidate" [0 0] 2; `; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(out[0]) != 2 || len(out[1]) != 3 {
		t.Errorf("got %d and %d steps, want those that views show: 2 and 3", len(out[0]), len(out[1]))
	}
}
