package render

import (
	"math"
	"slices"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// figures returns the figures of a write-up that the report has data for.
func figures(r *diff.Report) []*plot.Plot {
	return slices.DeleteFunc([]*plot.Plot{stepFigure(r), partFigure(r)}, func(p *plot.Plot) bool { return p == nil })
}

// figureOf returns an empty figure. Its colours are plain, so that printers and papers have them.
func figureOf(name, title string, height float64) *plot.Plot {
	return &plot.Plot{Ink: plot.PlainInk, Name: name, Title: title, Width: 760, Height: height, Small: 13}
}

// partFigure returns the waterfall; nil without a breakdown.
func partFigure(r *diff.Report) *plot.Plot {
	w, parts := &r.Waterfall, paperParts(r)
	if len(parts) == 0 {
		return nil
	}
	const left, right, row, high = 210, 690, 26, 10
	heads, n := figureHeads(r), len(parts)+2
	f := figureOf("parts", "Where the time went", float64(high*2+row*n))
	f.Caption = "From the mean step of " + heads[0] + " to that of " + heads[1] + ", part by part."
	most, sum := math.Max(w.Base, w.Cand), w.Base
	for _, p := range parts {
		sum += p.delta
		most = math.Max(most, sum)
	}
	sc := number.ScaleOf("s", math.Max(w.Base, w.Cand))
	x := plot.Scale{Hi: plot.Ceiling(most*sc.Factor) / sc.Factor, From: left, To: right}
	bar := func(i int, name, color string, from, to float64, label string) {
		y, a, b := float64(high+row*i), x.At(math.Min(from, to)), x.At(math.Max(from, to))
		b = math.Max(a+1.5, b)
		f.Label(left-8, y+17, "end", Line(name))
		f.Rect(a, y+4, b-a, row-8, color)
		f.Text(b+6, y+17, "start", color, f.Small, false, label)
	}
	bar(0, heads[0], f.Base, 0, w.Base, sc.With(w.Base))
	at := w.Base
	for i, p := range parts {
		bar(i+1, p.short, p.ink, at, at+p.delta, preciseChange(sc, p.delta))
		at += p.delta
	}
	bar(n-1, heads[1], f.Cand, 0, w.Cand, sc.With(w.Cand))
	return f
}

// preciseChange returns a change with its sign, in all digits of the scale. What rounds to nothing
// is 0.
func preciseChange(sc number.Scale, v float64) string {
	if math.Abs(v*sc.Factor) < 0.005 {
		return "0"
	}
	return sc.Signed(v)
}
