package html

import (
	"math"

	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// pathLegend returns the legend of the parts. Parts of one colour share an entry.
func pathLegend(parts []cause.PathPart) (out []legend) {
	at := map[string]int{}
	for i := range parts {
		key, name := words.PathColour(parts[i].Part), words.PathPart(parts[i].Part)
		if k, known := at[key]; known {
			out[k].Text += ", " + name
			continue
		}
		at[key] = len(out)
		out = append(out, legend{key, number.Capital(name)})
	}
	return out
}

// pathBars returns the composition of the path: one bar for each side.
func (s *sheet) pathBars() chartData {
	p := &s.r.Path
	var parts []stepPart
	bars := make([][]float64, 2)
	for i := range p.Parts {
		x := &p.Parts[i]
		parts = append(parts, stepPart{words.PathColour(x.Part), number.Capital(words.PathPart(x.Part))})
		bars[0], bars[1] = append(bars[0], x.Base), append(bars[1], x.Cand)
	}
	called := words.SideHeads(s.r, longestMark)
	option := s.stackedBars("path", called[:], parts, bars, max(p.Base, p.Cand))
	return chartData{Option: option, Height: 126, Unit: s.ms.Name}
}

// pathStrip shows what bounds each step: for each side a matrix of columns and parts, in the page's unit. A column is
// a step, or the mean of several neighbours where there are many.
type pathStrip struct {
	Unit  string         `json:"unit"`
	First []int          `json:"first"` // index of each column's first step
	Parts []pathStripRow `json:"parts"`
	Sides [2]int         `json:"sides"` // offsets of the matrices, of columns by parts
}

type pathStripRow struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

func (s *sheet) pathStrip() *pathStrip {
	cols, each := s.stepColumns()
	d := &pathStrip{Unit: s.ms.Name}
	for _, c := range cols {
		d.First = append(d.First, c.index)
	}
	for i := range s.r.Path.Parts {
		part := s.r.Path.Parts[i].Part
		d.Parts = append(d.Parts, pathStripRow{words.PathColour(part), number.Capital(words.PathPart(part))})
	}
	index := map[int64]int{}
	for i := range s.r.Steps {
		index[s.r.Steps[i].Number] = i
	}
	for side, steps := range s.r.Path.Steps {
		d.Sides[side] = s.data.addFloats(s.stripOf(steps, index, each, len(cols), len(d.Parts)))
	}
	return d
}

// stripOf returns the matrix of one side, NaN where no step is known; index gives the place of a step by its number,
// and each is the number of steps in a column.
func (s *sheet) stripOf(steps []cause.StepPath, index map[int64]int, each, columns, parts int) []float32 {
	sums, counts := make([]float64, columns*parts), make([]int, columns)
	for i := range steps {
		at, known := index[steps[i].Number]
		if !known || steps[i].Parts == nil {
			continue
		}
		column := at / each
		counts[column]++
		for k, v := range steps[i].Parts {
			sums[column*parts+k] += v
		}
	}
	out := make([]float32, len(sums))
	for i, v := range sums {
		if out[i] = float32(math.NaN()); counts[i/parts] > 0 {
			out[i] = float32(float64(v/float64(counts[i/parts])) * s.ms.Factor)
		}
	}
	return out
}
