package run

import (
	"reflect"
	"testing"
)

func cut(rank int, step int64, worst bool, far int64, spans int) Cut {
	return Cut{Strip: Strip{Rank: rank, Length: 100, Names: []string{"a"}, Spans: make([]StripSpan, spans)}, Step: step, Worst: worst, Far: far}
}

// TestExcerpts: ranks agree on the step that most of them propose, the nearest to
// their medians or the longest, and as many ranks are kept as fit.
func TestExcerpts(t *testing.T) {
	cuts := [][]Cut{
		{cut(0, 5, false, 3, 900), cut(0, 7, false, 9, 900), cut(0, 8, true, 50, 10), cut(0, 9, true, 40, 10)},
		{cut(1, 7, false, 2, 900), cut(1, 5, false, 9, 900), cut(1, 9, true, 55, 10), cut(1, 8, true, 50, 10)},
		{cut(2, 7, false, 1, 900), cut(2, 5, false, 2, 900), cut(2, 3, true, 500, 10)},
	}
	got := Excerpts(cuts, func(int64) []int { return []int{2, 0, 1} })
	if len(got) != 2 || got[0].Step != 7 || got[0].Worst || got[1].Step != 8 || !got[1].Worst {
		t.Fatalf("got %+v", got)
	}
	var ranks []int
	for _, s := range got[0].Ranks {
		ranks = append(ranks, s.Rank)
	}
	if !reflect.DeepEqual(ranks, []int{2, 0}) { // three times 900 bars would be too many
		t.Errorf("got ranks %v", ranks)
	}
	if Excerpts(nil, nil) != nil {
		t.Error("an excerpt of nothing")
	}
}

// TestExcerptColumns: a summary gives excerpts back, and one that points outside its
// names is refused.
func TestExcerptColumns(t *testing.T) {
	set := &Set{Runs: []Run{{Name: "a", Excerpts: []Excerpt{{Step: 3, Worst: true, Ranks: []Strip{{Rank: 1, Length: 9, Names: []string{"x", "y"}, Omitted: 2,
		Spans: []StripSpan{{1, 4, 1, LaneComm}, {4, 4, 0, LaneGap}}}}}}}}}
	text, err := set.Summary()
	if err != nil {
		t.Fatal(err)
	}
	back, err := UnmarshalSummary(text)
	if err != nil || !reflect.DeepEqual(back.Runs[0].Excerpts, set.Runs[0].Excerpts) {
		t.Errorf("got %+v, %v", back, err)
	}
	if len(set.Runs[0].Excerpts[0].Ranks[0].Spans) != 2 {
		t.Error("saving changed the set")
	}
	set.Runs[0].Excerpts[0].Ranks[0].Spans[0].Name = 7
	if text, err = set.Summary(); err != nil {
		t.Fatal(err)
	}
	if _, err := UnmarshalSummary(text); err == nil {
		t.Error("a name that is not there was taken")
	}
}
