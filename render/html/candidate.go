package html

import (
	"math"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// candidateTable lists what may mark steps; nil where steps were found on both sides.
func (s *sheet) candidateTable() *block {
	if len(s.r.Candidates) == 0 {
		return nil
	}
	t := &table{Label: "What may mark steps", Heads: []head{
		{Text: "Marker", Left: true}, {Text: "Side", Left: true}, {Text: "Count"}, {Text: "Every", Unit: "s"},
		{Text: "p90 − p10", Unit: "of it"}, {Text: "Covers"}, {Text: "Launches between"}, {Text: "To name it", Left: true},
	}}
	for i := range s.r.Candidates {
		c := &s.r.Candidates[i]
		name, flag := c.Marker.String(), orDash(c.Flag)
		if c.Within != "" {
			name += ", a part of " + c.Within
		}
		for _, side := range []struct {
			name string
			of   *diff.CandidateSide
		}{{"Baseline", &c.Base}, {"Candidate", &c.Cand}} {
			t.Rows = append(t.Rows, row{Cells: append([]cell{{Text: name, Head: true, Class: "wrapc"}, leftCell(side.name)},
				append(candidateCells(side.of), cell{Text: flag, Left: true, Class: "wrapc"})...)})
			name, flag = "", ""
		}
	}
	return &block{Heading: "What may mark steps", Table: t.cutRows()}
}

func candidateCells(c *diff.CandidateSide) []cell {
	if c.Count == 0 {
		return []cell{textCell("none", ""), textCell("", ""), textCell("", ""), textCell("", ""), textCell("", "")}
	}
	return []cell{
		textCell(number.Count(c.Count), ""), textCell(number.Format(c.Period), ""),
		textCell(number.Setting(math.Round(c.Spread*100)/100), ""), textCell(number.Share(c.Covered), ""), textCell(number.Count(c.Work), ""),
	}
}
