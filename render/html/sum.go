package html

import (
	"math"

	"perfdiff/render/words"
)

// sumTable is what the change of the step is made of: a waterfall whose rows are findings.
type sumTable struct {
	Head, Unit, Note string
	Base, Cand       float64 // where the steps of both sides lie on the bars
	Rows             []sumRow
}

// sumRow is a row of it, with its bar in units of the drawing.
type sumRow struct {
	words.SumRow
	Color    string // "worse", "better" or ""
	X, Width float64
	Back     bool // the arrow of the step points to the left
	Total    bool
	Found    *finding // that explains it; nil: none does
}

// sumWidth is how wide the bars are drawn, and sumMargin what is left free on both sides of them. By definition of the drawing.
const sumWidth, sumMargin = 228.0, 26.0

// sum lays out what the change is made of.
func (s *sheet) sum(a *words.Answer, findings []finding) *sumTable {
	if a.Sum == nil {
		return nil
	}
	total := &a.Sum.Rows[len(a.Sum.Rows)-1]
	least, most := math.Inf(1), math.Inf(-1)
	for i := range a.Sum.Rows {
		x := &a.Sum.Rows[i]
		least, most = math.Min(least, math.Min(x.From, x.To)), math.Max(most, math.Max(x.From, x.To))
	}
	at := func(v float64) float64 { return sixDigits(sumMargin + (sumWidth-2*sumMargin)*(v-least)/(most-least)) }
	out := &sumTable{Head: "What the change is made of", Unit: a.Sum.Unit, Note: a.Sum.Note, Base: at(total.From), Cand: at(total.To)}
	for i := range a.Sum.Rows {
		x := a.Sum.Rows[i]
		row := sumRow{SumRow: x, Color: x.Class.String(), X: at(math.Min(x.From, x.To)), Width: sixDigits(math.Abs(at(x.To) - at(x.From))), Back: x.To < x.From, Total: i == len(a.Sum.Rows)-1}
		if x.Finding >= 0 {
			row.Found = &findings[x.Finding]
			row.Found.Class = ""                       // the row has the colour
			if i == 0 && s.r.Headline.Because != nil { // which keeps to the numbers of the row
				row.Found.Text = a.Cause
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
