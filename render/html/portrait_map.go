package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
)

// setMap is a map of ranks by steps, drawn on the server: one path for each of a few shades, so that neighbours of one
// shade are one rectangle.
type setMap struct {
	Label            string
	Columns, Rows    int
	Shades           []mapShade
	Names            []mapName // of rows, as many as fit
	First, Last      string    // steps
	Light, Dark      string    // what the lightest and the darkest shade stand for
	Height, BelowMap int       // of the map, and where the text below it stands, in the picture's units
	Total            int       // height of the picture
}

// mapShade holds all cells of one shade, and which values these are.
type mapShade struct {
	Shade       int
	Path, Label string
}

// mapName is the name of a row.
type mapName struct {
	Y    string
	Text string
}

const (
	// mapShades is how many shades there are: eyes hardly tell more apart.
	mapShades = 8
	// maxMapRows and maxMapColumns bound a map. Chosen, not measured: rows of 4 and columns of 8 pixels.
	maxMapRows, maxMapColumns = 64, 128
	// leastMapSpread is the least part of the median that all shades stand for together, so that
	// noise does not look like much. Chosen, not measured.
	leastMapSpread = 0.1
	mapTop         = 4 // units above the map
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
	sec.Map = s.drawMap(rows, len(cols))
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

// drawMap draws the values of ranks; if there are many, ranks share rows, which show the longest of them.
func (s *portraitSheet) drawMap(ranks [][]float32, columns int) *setMap {
	share := (len(ranks) + maxMapRows - 1) / maxMapRows
	var rows [][]float32
	m := &setMap{Label: "Map of ranks and steps", Columns: columns}
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
	paths := make([]strings.Builder, mapShades)
	for y, line := range rows {
		for x := 0; x < len(line); {
			from, shade := x, shadeOf(float64(line[x]), lo, hi)
			for x < len(line) && shadeOf(float64(line[x]), lo, hi) == shade {
				x++
			}
			if shade >= 0 {
				fmt.Fprintf(&paths[shade], "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	bound := func(i int) float64 { return lo + float64((hi-lo)*float64(i)/mapShades) }
	for i := range paths {
		if paths[i].Len() > 0 {
			m.Shades = append(m.Shades, mapShade{i, paths[i].String(), s.ms.Format(bound(i)) + " to " + s.ms.With(bound(i+1))})
		}
	}
	m.Rows, m.Height = len(rows), max(4, min(18, 320/len(rows)))*len(rows)
	m.BelowMap, m.Total = m.Height+mapTop+15, m.Height+mapTop+20
	every := (len(rows) + 15) / 16
	for i := 0; i < len(rows); i += every {
		m.Names = append(m.Names, mapName{coordinate(mapTop + (float64(i)+0.5)*float64(m.Height)/float64(len(rows))), strconv.Itoa(s.r.Ranks[i*share].Rank)})
	}
	m.First, m.Last = fmt.Sprint("step ", s.r.Steps[0].Number), strconv.FormatInt(s.r.Steps[len(s.r.Steps)-1].Number, 10)
	m.Light, m.Dark = s.ms.With(lo), s.ms.With(hi)
	return m
}

// shadeOf returns the shade of a value between two ends; -1 if it is not known.
func shadeOf(v, lo, hi float64) int {
	if math.IsNaN(v) {
		return -1
	}
	return min(mapShades-1, int(float64(mapShades)*(v-lo)/cmp.Or(hi-lo, 1)))
}
