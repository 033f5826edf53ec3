package saved

import (
	"reflect"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// TestExcerptColumns: a summary gives excerpts back, and one that points outside its
// names is refused.
func TestExcerptColumns(t *testing.T) {
	set := &run.Set{Runs: []run.Run{{Name: "a", Excerpts: []run.Excerpt{{Step: 3, Worst: true, Ranks: []run.Strip{{Rank: 1, Length: 9, Names: []string{"x", "y"}, Omitted: 2, Tracks: []run.Track{{ID: 7}, {Host: true, ID: 5, Name: "loader 3"}},
		Spans: []run.StripSpan{{Start: 1, End: 4, Name: 1, Lane: run.LaneComm, Track: 1, Ahead: 9, Wait: 2, Split: true}, {Start: 4, End: 4, Lane: run.LaneGap}}},
		{Rank: 2, Spans: []run.StripSpan{{Start: 1, End: 4, Lane: run.LaneComm}}, Names: []string{"x"}}}}}}}}
	text, err := Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Unmarshal(text, metric.Derivation, ample())
	if err != nil || !reflect.DeepEqual(back.Runs[0].Excerpts, set.Runs[0].Excerpts) {
		t.Errorf("got %+v, %v", back, err)
	}
	if len(set.Runs[0].Excerpts[0].Ranks[0].Spans) != 2 {
		t.Error("saving changed the set")
	}
	bar := &set.Runs[0].Excerpts[0].Ranks[0].Spans[0]
	for what, change := range map[string]func(){
		"name": func() { bar.Name = 7 }, "track": func() { bar.Track = 3 }, "track below 0": func() { bar.Track = -1 },
		"launch behind the start": func() { bar.Ahead = -1 },
	} {
		was := *bar
		change()
		if text, err = Marshal(set); err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(text, metric.Derivation, ample()); err == nil {
			t.Errorf("%s: one that is not there was taken", what)
		}
		*bar = was
	}
}
