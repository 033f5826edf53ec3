package html

import (
	"math"

	"perfdiff/render/number"
	"perfdiff/render/words"
)

// nextSection says how short a step could get: the next bottleneck after the change. The evidence and advice of a
// finding are on its card.
func (s *sheet) nextSection() section {
	sec := section{ID: "next", Nav: "What next", Title: "What comes next?"}
	sec.Reading = s.nextReading()
	if t := s.boundTable(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Table: t,
			Note: "Bounds, each for itself: what is recorded less one part, step by step, the median rank standing for all. Other work may take the place of what is left out, so that a step takes this long at least."})
	}
	if len(sec.Blocks) == 0 {
		return section{}
	}
	return sec
}

func (s *sheet) nextReading() string {
	if s.r.NextBottleneck <= 0 || s.r.NextBottleneck >= len(s.r.Bounds) {
		return "What the mean step would take without one of its parts."
	}
	b := &s.r.Bounds[s.r.NextBottleneck]
	all := s.r.Bounds[0].Cand
	name, _ := words.Bound(b)
	return "The most that could still go from the candidate's step of " + s.ms.With(all) + ": " + s.ms.With(all-b.Cand) + " " + name + "." + s.boundNow()
}

func (s *sheet) boundTable() *table {
	if len(s.r.Bounds) == 0 || math.IsNaN(s.r.Bounds[0].Cand) {
		return nil
	}
	t := &table{Label: "What a step could take", Heads: heads("Mean step", "Baseline, "+s.ms.Name, "less, %", "Candidate, "+s.ms.Name, "less, %")}
	t.Heads = append(t.Heads, head{Text: "How", Left: true})
	for i, b := range s.r.Bounds {
		name, method := words.Bound(&b)
		cells := []cell{headCell(number.Capital(name))}
		for _, v := range [][2]float64{{b.Base, s.r.Bounds[0].Base}, {b.Cand, s.r.Bounds[0].Cand}} {
			share := number.None
			if !math.IsNaN(v[0]) && v[1] > 0 && i > 0 {
				share = number.Format(100 * (1 - v[0]/v[1]))
			}
			cells = append(cells, numberCell(v[0]*s.ms.Factor), textCell(share, ""))
		}
		t.Rows = append(t.Rows, row{Cells: append(cells, leftCell(method)), Total: i == 0})
	}
	return t
}
