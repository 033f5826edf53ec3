package html

import (
	"math"

	"perfdiff/render/number"
	"perfdiff/render/words"
)

// maxFirstFindings is how many findings the first screen shows.
const maxFirstFindings = 6

// nextSection says what each finding is based on and what to look at. It also says what a step
// could be at best: the next bottleneck beside the change.
func (s *sheet) nextSection() section {
	sec := section{ID: "next", Nav: "What next", Title: "What does it stand on, and what comes next?"}
	sec.Reading = s.nextReading()
	if len(s.r.Findings) > 0 {
		t := &table{Label: "Findings", Heads: []head{{Text: "Finding", Left: true}, {Text: "Interval"}, {Text: "Stands on", Left: true}, {Text: "Look at next", Left: true}}}
		for _, f := range words.Findings(s.r) {
			t.Rows = append(t.Rows, row{Cells: []cell{
				{Text: asSentence(f.Text), Head: true, Class: "wrapc"}, textCell(orDash(f.Interval), ""), {Text: orDash(f.Evidence), Left: true, Class: "wrapc"}, {Text: orDash(f.Advice), Left: true, Class: "wrapc"},
			}})
		}
		sec.Blocks = append(sec.Blocks, block{Table: t})
	}
	if t := s.boundTable(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "What a step could take", Table: t,
			Note: "Bounds, each for itself: what is recorded less one part, step by step, the median rank standing for all. Other work may take the place of what is left out, so that a step takes this long at least."})
	}
	if len(sec.Blocks) == 0 {
		return section{}
	}
	return sec
}

func (s *sheet) nextReading() string {
	if s.r.NextBottleneck <= 0 || s.r.NextBottleneck >= len(s.r.Bounds) {
		return "Each finding with its interval and its evidence."
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
