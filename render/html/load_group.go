package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// loadSection shows the steps of an inference engine by class and size. Other jobs have no such
// section.
func (s *sheet) loadSection() section {
	if len(s.r.Loads) == 0 {
		return section{}
	}
	compared, kept := [2]int{}, [2]int{}
	for i := range s.r.Loads {
		for k, side := range []*sides.LoadSide{&s.r.Loads[i].Base, &s.r.Loads[i].Cand} {
			compared[k], kept[k] = compared[k]+side.Compared, kept[k]+side.Steps
		}
	}
	return section{
		ID: "loads", Nav: "Loads", Title: "Which engine steps are compared?",
		Reading: fmt.Sprintf("Steps are compared with those of the same class and size: "+
			"%s of %s in the baseline and %s of %s in the candidate have one on the other side.",
			number.Count(compared[0]), number.Count(kept[0]), number.Count(compared[1]), number.Count(kept[1])),
		Blocks: []block{{Note: words.LoadNote, Table: s.loadTable()}},
	}
}

func (s *sheet) loadTable() *table {
	u := s.ms.Name
	t := &table{Label: "Engine steps by load", Heads: heads("Load", "Steps", "Compared", "Baseline, "+u, "Steps", "Compared", "Candidate, "+u,
		"Change, %", "Baseline, µs per token", "Candidate, µs per token")}
	known := slices.ContainsFunc(s.r.Loads, func(g sides.LoadGroup) bool {
		return g.Base.OfPeak+g.Base.OfMemory+g.Cand.OfPeak+g.Cand.OfMemory > 0
	})
	if known {
		t.Heads = append(t.Heads, heads("", "Baseline, % of peak FLOPs", "Candidate, % of peak FLOPs", "Baseline, % of memory bandwidth", "Candidate, % of memory bandwidth")[1:]...)
	}
	for i := range s.r.Loads {
		g := &s.r.Loads[i]
		cells := []cell{headCell(number.Capital(words.LoadGroup(g)))}
		for _, side := range []*sides.LoadSide{&g.Base, &g.Cand} {
			cells = append(cells, textCell(number.Count(side.Steps), ""), textCell(number.Count(side.Compared), ""),
				numberCell(side.Time*s.ms.Factor))
		}
		change := number.None
		if !math.IsNaN(g.Change) {
			change = strings.TrimSpace(number.PercentFor(g.Change, 0, 0).Signed(g.Change))
		}
		cells = append(cells, textCell(change, ""), numberCell(g.Base.PerToken*1e6), numberCell(g.Cand.PerToken*1e6))
		if known {
			for _, v := range []float64{g.Base.OfPeak, g.Cand.OfPeak, g.Base.OfMemory, g.Cand.OfMemory} {
				cells = append(cells, numberCell(100*v))
			}
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}
