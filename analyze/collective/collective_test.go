package collective

import (
	"fmt"
	"strings"
	"testing"
)

// rank is one of a run, its kernels as "kind duration [comm seq ranks]" in step 1.
func rank(kernels ...string) Rank {
	r := Rank{Numbers: []int64{7}}
	at := int64(0)
	for _, k := range kernels {
		var s Span
		var d int64
		fmt.Sscan(k, &s.Kind, &d, &s.Comm, &s.Seq, &s.Ranks)
		s.Start, s.End = at, at+d
		at += d + 10
		r.Spans = append(r.Spans, s)
	}
	return r
}

func TestSplits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		world int
		ranks []Rank
		want  string // waits of each rank
	}{
		{"by place", 0, []Rank{rank("A 10", "B 5"), rank("A 3", "B 9")}, "7 0|0 4"},
		{"one rank", 0, []Rank{rank("A 10")}, "?"}, {"a rank is missing", 3, []Rank{rank("A 10"), rank("A 3")}, "?|?"},
		{"all ranks", 2, []Rank{rank("A 10"), rank("A 3")}, "7|0"},
		{"by number", 0, []Rank{rank("A 10 c 1 2", "A 4 c 2 2"), rank("A 6 c 2 2", "A 3 c 1 2")}, "7 0|2 0"},
		{"number that one lacks", 0, []Rank{rank("A 10 c 1 2", "A 4 c 2 2"), rank("A 3 c 1 2")}, "7 ?|0"},
		{"two groups", 0, []Rank{rank("A 10 c 1 2"), rank("A 3 c 1 2"), rank("A 8 d 1 2"), rank("A 5 d 1 2")}, "7|0|3|0"},
		{"a group with a rank missing", 0, []Rank{rank("A 10 c 1 3"), rank("A 3 c 1 3")}, "?|?"},
		{"another order", 0, []Rank{rank("A 10", "B 5"), rank("B 9", "A 3")}, "7 0|4 0"},
		{"different counts of one kind", 0, []Rank{rank("A 10", "B 5"), rank("A 3", "B 9", "B 1")}, "7 ?|0 ? ?"},
		{"a group of one", 0, []Rank{rank("A 10 c 1 1"), rank("A 3 c 1 1")}, "?|?"},
		{"twice on a rank", 0, []Rank{rank("A 10 c 1 2", "A 5 c 1 2"), rank("A 3 c 1 2")}, "? ?|?"},
		{"none", 0, []Rank{rank(), rank()}, "|"},
	} {
		var got []string
		for _, splits := range splitsOf(tt.ranks, tt.world) {
			var one []string
			for _, s := range splits {
				if s.Wait == Unknown {
					one = append(one, "?")
				} else {
					one = append(one, fmt.Sprint(s.Wait))
				}
			}
			got = append(got, strings.Join(one, " "))
		}
		if all := strings.Join(got, "|"); all != tt.want {
			t.Errorf("%s: got %s want %s", tt.name, all, tt.want)
		}
	}
	splits := splitsOf([]Rank{rank("A 10"), rank("A 3"), rank("A 6")}, 0)
	for r := range splits {
		if splits[r][0].Skew != 7 {
			t.Errorf("skew on rank %d: got %d want 7", r, splits[r][0].Skew)
		}
	}
	late := rank("A 3")
	late.Numbers[0] = 8
	if s := splitsOf([]Rank{rank("A 10"), late}, 0); s[0][0].Wait != Unknown {
		t.Error("collectives of different steps are taken for one")
	}
	late.Spans[0].Step = 5
	splitsOf([]Rank{rank("A 10"), late}, 0) // a step that is not there
}

// splitsOf are those of ranks whose clocks are not asked for.
func splitsOf(ranks []Rank, world int) [][]Split {
	splits, _ := Match(ranks, nil, world)
	return splits
}
