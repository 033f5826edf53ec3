package analyze

import (
	"testing"

	"perfdiff/analyze/run"
)

// TestChoose: the marker is the best one that every run of both sides has, in at least
// three quarters of its captures, and no other than those of summaries.
func TestChoose(t *testing.T) {
	step := run.Marker{Kind: run.MarkNumbered, Name: "step N"}
	forward := run.Marker{Kind: run.MarkRange, Name: "forward"}
	adam := run.Marker{Kind: run.MarkLaunch, Name: "adam", Every: 1}
	uneven := run.Marker{Name: "those behind are uneven"}
	all, phases, bare := []run.Marker{step, forward, adam}, []run.Marker{forward, adam}, []run.Marker{adam}
	for name, tt := range map[string]struct {
		sides [2][][]run.Marker // of each capture of the one run of a side
		fixed []run.Marker
		want  run.Marker
	}{
		"uneven where the other is even":  {[2][][]run.Marker{{bare}, {{uneven, adam}}}, nil, adam},
		"uneven on both":                  {[2][][]run.Marker{{{uneven, adam}}, {{uneven, adam}}}, nil, run.Marker{}},
		"uneven, as a summary has it":     {[2][][]run.Marker{{{uneven, adam}}, {}}, []run.Marker{adam}, adam},
		"the best of both":                {[2][][]run.Marker{{all, all}, {all, all}}, nil, step},
		"ranges gone on one side":         {[2][][]run.Marker{{all, all}, {bare, bare}}, nil, adam},
		"and the other way round":         {[2][][]run.Marker{{bare, bare}, {all, all}}, nil, adam},
		"only ranges of phases left":      {[2][][]run.Marker{{all, all}, {phases, phases}}, nil, forward},
		"one rank of four lacks it":       {[2][][]run.Marker{{all, all, all, bare}, {all, all, all, all}}, nil, step},
		"one rank of two lacks it":        {[2][][]run.Marker{{all, bare}, {all, all}}, nil, adam},
		"nothing in common":               {[2][][]run.Marker{{{step}}, {bare}}, nil, run.Marker{}},
		"a summary decides":               {[2][][]run.Marker{{all}, {all}}, []run.Marker{adam}, adam},
		"a summary that nobody can match": {[2][][]run.Marker{{{step}}, {{step}}}, []run.Marker{adam}, run.Marker{}},
		"a summary that does not say":     {[2][][]run.Marker{{all}, {all}}, []run.Marker{{}}, step},
	} {
		lists, file := map[captureIndex]markerList{}, 0
		var groups []runCaptures
		for i, side := range tt.sides {
			g := runCaptures{side: []string{"baseline", "candidate"}[i]}
			for _, usable := range side {
				p := captureIndex{file, 0}
				lists[p], file = markerList{usable: usable}, file+1
				if usable[0] == uneven {
					lists[p] = markerList{uneven: usable[1:]}
				}
				g.captures = append(g.captures, p)
			}
			if len(side) > 0 { // the other is a summary
				groups = append(groups, g)
			}
		}
		got, ok := chooseMarker(groups, lists, tt.fixed)
		if got != tt.want || ok != (tt.want != run.Marker{}) {
			t.Errorf("%s: got %v, %v, want %v", name, got, ok, tt.want)
		}
	}
}

// TestMarkersOf: past runs say each marker once; summaries of earlier versions say none.
func TestMarkersOf(t *testing.T) {
	step := run.Marker{Kind: run.MarkNumbered, Name: "step N"}
	receipts := func(of ...run.Marker) (out []run.Receipt) {
		for _, m := range of {
			out = append(out, run.Receipt{Marker: m.String(), By: m})
		}
		return out
	}
	sets := []*run.Set{
		{Runs: []run.Run{{Ranks: []run.Rank{{Receipts: receipts(step, step)}, {Receipts: receipts(run.Marker{})}}}}},
		{Runs: []run.Run{{Ranks: []run.Rank{{Receipts: receipts(step)}}}}},
	}
	if got := MarkersOf(sets); len(got) != 1 || got[0] != step {
		t.Errorf("got %v, want %v once", got, step)
	}
}
