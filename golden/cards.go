package golden

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Figure is a picture on the card of a finding.
type Figure struct {
	Kind, X    string
	At         []int
	Base, Cand []*float64
	Lines      []struct {
		V float64
		T string
	}
	Rows []struct {
		T       string
		S, K, R int
		V       []*float64
		Bin     float64
	}
	Interval *struct{ Value, Lo, Hi float64 }
}

// cards writes what the cards of findings draw.
func (w *lines) cards(d *Drawn) {
	for _, id := range slices.Sorted(maps.Keys(d.Cards)) {
		for i := range d.Cards[id] {
			w.figure(id, &d.Cards[id][i])
		}
	}
}

func (w *lines) figure(id string, f *Figure) {
	if f.Kind == "dots" {
		for side, v := range [][]*float64{f.Base, f.Cand} {
			w.series("card", id+", by "+f.X+", "+sides[side], "", valuesOf(v))
		}
	}
	for _, l := range f.Lines {
		w.series("card", id+", line: "+l.T, "", []float64{l.V})
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		if f.Kind == "strips" && r.Bin == 0 {
			fmt.Fprintf(w, "%-12s %s: %s, %s, rank %d of step %d\n", "card", id, r.T, sides[r.S], r.R, r.K)
			continue
		}
		w.series("card", fmt.Sprintf("%s, %.40s", id, r.T), "", valuesOf(r.V))
	}
	if x := f.Interval; x != nil {
		w.series("card", id+", interval", "", []float64{x.Value, x.Lo, x.Hi})
	}
}

// valuesOf returns values, NaN for missing ones.
func valuesOf(v []*float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if out[i] = math.NaN(); x != nil {
			out[i] = *x
		}
	}
	return out
}
