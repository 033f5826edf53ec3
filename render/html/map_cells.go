package html

import (
	"math"

	"perfdiff/diff"
)

// What a map shows of a rank where a column holds several steps: the median of them, on both sides of
// the same step numbers, so that their difference is one of steps and not of which steps a side has.
// Where one of them is far off on a side it is shown on both in place of the median: a pause in one
// of a thousand steps would be lost otherwise, and it is what a map is looked at for.

// standsOutInMap is the share of the median by which a step must differ to be shown in place of its neighbours.
// Chosen, not measured: several times what steps of one rank differ by.
const standsOutInMap = 0.25

// stepCell is the value of one step, by index in the report's steps, on both sides; NaN without one.
type stepCell struct {
	at     int
	values [2]float64
}

// mapCells returns the rows of one rank on both sides, and their means over the used steps, in the unit of the metric.
// A side may be nil.
func (s *sheet) mapCells(both [2]*diff.RankSide, metric string, index map[int64]int, cols []int) (rows [2][]float32, means [2]float64) {
	each := 1
	if len(cols) > 1 {
		each = cols[1]
	}
	byStep := map[int]int{}
	var cells []stepCell
	for k, side := range both {
		var used []float64
		if side != nil {
			v := valuesOf(side, metric)
			for i, n := range side.Steps {
				at, known := index[n]
				if i >= len(v) || !known || math.IsNaN(v[i]) || at/each >= len(cols) {
					continue
				}
				place, there := byStep[at]
				if !there {
					place = len(cells)
					byStep[at] = place
					cells = append(cells, stepCell{at, [2]float64{math.NaN(), math.NaN()}})
				}
				cells[place].values[k] = v[i]
				if !s.r.Steps[at].Omission.Omitted() {
					used = append(used, v[i])
				}
			}
		}
		means[k] = math.NaN()
		if len(used) > 0 {
			means[k] = mean(used)
		}
	}
	groups := make([][]stepCell, len(cols))
	for _, c := range cells {
		groups[c.at/each] = append(groups[c.at/each], c)
	}
	for k := range rows {
		rows[k] = make([]float32, len(cols))
	}
	for i, g := range groups {
		for k, v := range s.joinedSteps(g) {
			rows[k][i] = float32(v)
		}
	}
	return rows, means
}

// joinedSteps returns what a column shows for its steps on both sides.
func (s *sheet) joinedSteps(g []stepCell) [2]float64 {
	g = firstNotEmpty(keep(g, func(c *stepCell) bool { return !s.r.Steps[c.at].Omission.Omitted() }), g)
	common := firstNotEmpty(keep(g, func(c *stepCell) bool { return !math.IsNaN(c.values[0] + c.values[1]) }), g)
	var medians [2]float64
	for k := range medians {
		var v []float64
		for i := range common {
			v = append(v, common[i].values[k])
		}
		medians[k] = interpolatedQuantile(existing(v), 0.5)
	}
	best, off := -1, standsOutInMap
	for i := range common {
		for k, v := range common[i].values {
			if by := math.Abs(v-medians[k]) / math.Abs(medians[k]); by > off {
				best, off = i, by
			}
		}
	}
	if best < 0 {
		return medians
	}
	return common[best].values
}

// keep returns the cells that are kept.
func keep(list []stepCell, is func(*stepCell) bool) (out []stepCell) {
	for i := range list {
		if is(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

func firstNotEmpty(a, b []stepCell) []stepCell {
	if len(a) > 0 {
		return a
	}
	return b
}
