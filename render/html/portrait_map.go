package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

const (
	// mapShades is how many shades there are: eyes hardly tell more apart.
	mapShades = 8
	// maxMapRows and maxMapColumns bound a map. Chosen, not measured: rows of 4 and columns of 8 pixels.
	maxMapRows, maxMapColumns = 64, 128
	// leastMapSpread is the least part of the median that all shades stand for together, so that
	// noise does not look like much. Chosen, not measured.
	leastMapSpread = 0.1
	mapTop         = 24.0 // units above the map, for what shades stand for
)

// rankSteps returns the map of ranks by steps: own time where waiting for other ranks is known, else the
// time of the step.
func (s *portraitSheet) rankSteps() portraitSection {
	if len(s.r.Ranks) < 2 || len(s.r.Steps) < 2 {
		return portraitSection{}
	}
	key, what := run.StepTime, "The mean step"
	for i := range s.r.Ranks {
		if s.r.Ranks[i].Cand.OwnTime != nil {
			key, what = ownTimeKey, "Mean own time, the step without waiting for other ranks,"
		}
	}
	index := map[int64]int{}
	for i := range s.r.Steps {
		index[s.r.Steps[i].Number] = i
	}
	each := (len(s.r.Steps) + maxMapColumns - 1) / maxMapColumns
	var cols []int
	for i := 0; i < len(s.r.Steps); i += each {
		cols = append(cols, i)
	}
	t := &table{Label: "the longest step of each rank", Heads: heads("Rank", "Mean, "+s.ms.Name, "Longest step, "+s.ms.Name, "at step")}
	var rows [][]float32
	means := make([]float64, len(s.r.Ranks))
	for i := range s.r.Ranks {
		side := &s.r.Ranks[i].Cand
		lines, both := s.mapCells([2]*diff.RankSide{nil, side}, key, index, cols)
		means[i], rows = both[1], append(rows, lines[1])
		longest, at := longestStep(side, key)
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(fmt.Sprint("rank ", s.r.Ranks[i].Rank)), numberCell(means[i] * s.ms.Factor), numberCell(longest * s.ms.Factor), textCell(at, "")}})
	}
	low, high := extremes(means)
	if low < 0 {
		return portraitSection{}
	}
	sec := of("rank-steps", "Ranks \u00d7 steps", "Which rank, at which step?", fmt.Sprintf("%s goes from %s (rank %d) to %s (rank %d).", what,
		s.ms.Format(means[low]), s.r.Ranks[low].Rank, s.ms.With(means[high]), s.r.Ranks[high].Rank), block{Values: cutTable(t)})
	sec.Drawn = []headed{{SVG: s.drawMap(rows, len(cols))}}
	sec.Blocks[0].Note = "Steps go to the right, those that are left out too. What was not recorded is blank."
	if each > 1 {
		sec.Blocks[0].Note += fmt.Sprintf(joinedNote, each)
	}
	if n := (len(rows) + maxMapRows - 1) / maxMapRows; n > 1 {
		sec.Blocks[0].Note += fmt.Sprintf(" Each row is the slowest of %d ranks.", n)
	}
	return sec
}

// longestStep returns the longest of a rank's kept steps, and its number.
func longestStep(side *diff.RankSide, key string) (longest float64, step string) {
	longest, step = math.NaN(), number.None
	for i, v := range valuesOf(side, key) {
		if !math.IsNaN(v) && !(v <= longest) && i < len(side.Omissions) && !side.Omissions[i].Omitted() {
			longest, step = v, strconv.FormatInt(side.Steps[i], 10)
		}
	}
	return longest, step
}

// drawMap draws the values of ranks; if there are many, ranks share rows, which show the longest of them. Neighbours of
// one shade are one rectangle.
func (s *portraitSheet) drawMap(ranks [][]float32, columns int) template.HTML {
	share := (len(ranks) + maxMapRows - 1) / maxMapRows
	var rows [][]float32
	var all []float64
	for i := 0; i < len(ranks); i += share {
		line := ranks[i]
		for _, other := range ranks[i+1 : min(i+share, len(ranks))] {
			for k, v := range other {
				if v > line[k] || line[k] != line[k] {
					line[k] = v
				}
			}
		}
		rows = append(rows, line)
		for _, v := range line {
			all = append(all, float64(v))
		}
	}
	known := existing(all)
	lo, hi := interpolatedQuantile(known, 0), interpolatedQuantile(known, 1)
	if wide := float64(leastMapSpread * interpolatedQuantile(known, 0.5)); hi-lo < wide {
		hi = lo + wide
	}
	tall := max(4, min(18, 320/float64(len(rows))))
	below := mapTop + float64(tall*float64(len(rows))) + 15
	p := &plot.Plot{Ink: plot.PageInk, Width: wideFrame.width, Height: below + 5, Small: 12}
	x := plot.Scale{Hi: float64(columns), From: 60, To: wideFrame.right}
	cells, every := [mapShades][][]plot.Point{}, (len(rows)+15)/16
	for i, line := range rows {
		y := mapTop + float64(tall*(float64(i)+0.5))
		if i%every == 0 {
			p.Label(x.From-6, y+4, "end", strconv.Itoa(s.r.Ranks[i*share].Rank))
		}
		for k := 0; k < len(line); {
			from, shade := k, shadeOf(float64(line[k]), lo, hi)
			for k < len(line) && shadeOf(float64(line[k]), lo, hi) == shade {
				k++
			}
			if shade >= 0 {
				cells[shade] = append(cells[shade], []plot.Point{{X: x.At(float64(from)), Y: y}, {X: x.At(float64(k)), Y: y}})
			}
		}
	}
	at := x.From + plot.TextWidth(s.ms.With(lo), p.Small, false) + 6
	p.Label(x.From, 12, "start", s.ms.With(lo))
	p.Label(at+12*mapShades+6, 12, "start", s.ms.With(hi))
	for i, list := range cells {
		look := func(m *plot.Mark) {
			m.Opacity, m.More = 0.07+float64(i)*0.93/(mapShades-1), ` shape-rendering="crispEdges"`
		}
		look(p.Rect(at+float64(12*i), 2, 12, 12, p.Cand))
		if len(list) > 0 {
			m := p.Paths(list, p.Cand, tall)
			look(m)
			bound := func(i int) float64 { return lo + float64((hi-lo)*float64(i)/mapShades) }
			m.Hint = s.ms.Format(bound(i)) + " to " + s.ms.With(bound(i+1))
		}
	}
	p.Label(x.From, below, "start", fmt.Sprint("step ", s.r.Steps[0].Number))
	p.Label(x.To-2, below, "end", strconv.FormatInt(s.r.Steps[len(s.r.Steps)-1].Number, 10))
	return template.HTML(p.SVG(` class="setmap"` + plot.Titled("Map of ranks and steps")))
}

// shadeOf returns the shade of a value between two ends; -1 if it is not known.
func shadeOf(v, lo, hi float64) int {
	if math.IsNaN(v) {
		return -1
	}
	return min(mapShades-1, int(float64(mapShades)*(v-lo)/cmp.Or(hi-lo, 1)))
}
