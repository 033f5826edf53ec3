package render

import (
	"math"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// partFigure returns the waterfall; nil without a breakdown.
func partFigure(r *diff.Report) *figure {
	w, parts := &r.Waterfall, paperParts(r)
	if len(parts) == 0 {
		return nil
	}
	const left, right, row, high = 210, 690, 26, 10
	heads, n := figureHeads(r), len(parts)+2
	f := &figure{name: "parts", title: "Where the time went", width: 760, height: float64(high*2 + row*n)}
	f.caption = "From the mean step of " + heads[0] + " to that of " + heads[1] + ", part by part."
	most, sum := math.Max(w.Base, w.Cand), w.Base
	for _, p := range parts {
		sum += p.delta
		most = math.Max(most, sum)
	}
	sc := number.ScaleOf("s", math.Max(w.Base, w.Cand))
	top := niceCeiling(most*sc.Factor) / sc.Factor
	x := func(v float64) float64 { return left + float64(v/top*(right-left)) }
	bar := func(i int, name, color string, from, to float64, label string) {
		y, a, b := float64(high+row*i), x(math.Min(from, to)), x(math.Max(from, to))
		b = math.Max(a+1.5, b)
		f.text(left-8, y+17, "end", textInk, name)
		f.area([]point{{a, y + 4}, {b, y + 4}, {b, y + row - 4}, {a, y + row - 4}}, color, false)
		f.text(b+6, y+17, "start", color, label)
	}
	bar(0, heads[0], baseInk, 0, w.Base, sc.With(w.Base))
	at := w.Base
	for i, p := range parts {
		bar(i+1, p.short, p.ink, at, at+p.delta, preciseChange(sc, p.delta))
		at += p.delta
	}
	bar(n-1, heads[1], candInk, 0, w.Cand, sc.With(w.Cand))
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
