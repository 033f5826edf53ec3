package render

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// svgFigure is one figure of a write-up: plain SVG without script, and without fonts or colours
// that a printer would lose.
type svgFigure struct {
	name, title, caption string
	width, height        float64
	b                    strings.Builder
}

// Colours of the sides, and of better and worse. Marks differ as well, so that colour is not
// needed.
const (
	baseInk, candInk, ruleInk, textInk = "#646b78", "#2457c5", "#dcdee3", "#454a54"
	betterInk, worseInk, sameInk       = "#0b6e66", "#b83a06", "#84888f"
)

// svgFigures are the figures that the report has data for.
func svgFigures(r *diff.Report) []*svgFigure {
	var out []*svgFigure
	if d := stepFigure(r); d != nil {
		out = append(out, d)
	}
	if d := partFigure(r); d != nil {
		out = append(out, d)
	}
	return out
}

func (d *svgFigure) svg() []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" font-family="Helvetica, Arial, sans-serif" font-size="13"><title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>%s</svg>
`, d.width, d.height, d.width, d.height, xmlText(d.title), d.b.String())
}

func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(Line(s))); err != nil {
		return ""
	}
	return b.String()
}

func (d *svgFigure) text(x, y float64, anchor, color, s string) {
	fmt.Fprintf(&d.b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`, x, y, anchor, color, xmlText(s))
}

func (d *svgFigure) line(x1, y1, x2, y2 float64, color string) {
	fmt.Fprintf(&d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`, x1, y1, x2, y2, color)
}

// stepFigure is the step times of both sides; nil without steps.
func stepFigure(r *diff.Report) *svgFigure {
	top, n := 0.0, len(r.Steps)
	for _, p := range r.Steps {
		for _, v := range []float64{p.Base.Median, p.Cand.Median} {
			if v > top {
				top = v
			}
		}
	}
	if n < 2 || top == 0 {
		return nil
	}
	d := &svgFigure{name: "steps.svg", title: "Step time", caption: "Step time, the median over ranks: baseline with open marks, candidate with filled ones.", width: 760, height: 300}
	const left, right, high, low = 56, 650, 24, 258
	sc := number.ScaleOf("s", top)
	top = niceCeiling(top*sc.Factor) / sc.Factor
	y := func(v float64) float64 { return low - float64(v/top*(low-high)) }
	x := func(i int) float64 { return left + float64(float64(i)/float64(n-1)*(right-left)) }
	grid := 5
	if unit := math.Pow(10, math.Floor(math.Log10(top*sc.Factor))); math.Mod(math.Round(top*sc.Factor/unit*10), 20) == 0 {
		grid = 4 // 2, 4, 6 and 8 are cut into quarters
	}
	for i := range grid + 1 {
		v := top * float64(i) / float64(grid)
		d.line(left, y(v), right, y(v), ruleInk)
		d.text(left-8, y(v)+4, "end", textInk, number.Format(v*sc.Factor))
	}
	d.text(left-8, high-10, "end", textInk, sc.Name)
	for i := 0; i < n; i += max(1, n/8) {
		d.text(x(i), low+20, "middle", textInk, fmt.Sprint(r.Steps[i].Number))
	}
	d.text((left+right)/2, low+38, "middle", textInk, "step")
	d.sideLine(r, figureHeads(r)[0], baseInk, "#fff", x, y, func(p *cause.StepPoint) float64 { return p.Base.Median })
	d.sideLine(r, figureHeads(r)[1], candInk, candInk, x, y, func(p *cause.StepPoint) float64 { return p.Cand.Median })
	return d
}

func (d *svgFigure) sideLine(r *diff.Report, name, color, fill string, x func(int) float64, y func(float64) float64, of func(*cause.StepPoint) float64) {
	var path strings.Builder
	pen, last := "M", -1
	for i := range r.Steps {
		v := of(&r.Steps[i])
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", pen, x(i), y(v))
		pen, last = "L", i
	}
	if last < 0 {
		return
	}
	fmt.Fprintf(&d.b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`, path.String(), color)
	for i := range r.Steps {
		if v := of(&r.Steps[i]); !math.IsNaN(v) && len(r.Steps) <= 60 {
			fmt.Fprintf(&d.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s" stroke="%s" stroke-width="1.5"/>`, x(i), y(v), fill, color)
		}
	}
	d.text(x(last)+10, y(of(&r.Steps[last]))+4, "start", color, name)
}

// partFigure is the waterfall; nil without a breakdown.
func partFigure(r *diff.Report) *svgFigure {
	w := &r.Waterfall
	if len(w.Parts) == 0 {
		return nil
	}
	const left, right, row, high = 210, 700, 26, 10
	n := len(w.Parts) + 2
	d := &svgFigure{name: "parts.svg", title: "Where the time went", caption: "From the baseline's mean step to the candidate's, part by part.", width: 760, height: float64(high*2 + row*n)}
	sc := number.ScaleOf("s", math.Max(w.Base, w.Cand))
	most, sum := math.Max(w.Base, w.Cand), w.Base
	for i := range w.Parts {
		sum += w.Parts[i].Delta
		most = math.Max(most, sum)
	}
	top := niceCeiling(most*sc.Factor) / sc.Factor
	x := func(v float64) float64 { return left + float64(v/top*(right-left)) }
	bar := func(i int, name, color string, from, to float64, label string) {
		y := float64(high + row*i)
		d.text(left-8, y+17, "end", textInk, name)
		fmt.Fprintf(&d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, x(math.Min(from, to)), y+4, math.Max(1.5, math.Abs(x(to)-x(from))), row-8, color)
		d.text(x(math.Max(from, to))+6, y+17, "start", color, label)
	}
	bar(0, figureHeads(r)[0], baseInk, 0, w.Base, sc.With(w.Base))
	at := w.Base
	for i := range w.Parts {
		p := &w.Parts[i]
		bar(i+1, words.StepPart(p.StepPart), partInk(r, &p.PartChange), at, at+p.Delta, preciseChange(sc, p.Delta))
		at += p.Delta
	}
	bar(n-1, figureHeads(r)[1], candInk, 0, w.Cand, sc.With(w.Cand))
	return d
}

// partInk is the colour of a part's verdict; of one without a verdict that of equal.
func partInk(r *diff.Report, p *cause.PartChange) string {
	class := ""
	if r.Judged {
		class = r.Comparison(p.Key).Class(p.Delta)
	}
	return map[string]string{"better": betterInk, "worse": worseInk, "": sameInk}[class]
}

// preciseChange is a change with its sign, in all digits of the scale. What rounds to nothing
// is 0.
func preciseChange(sc number.Scale, v float64) string {
	if math.Abs(v*sc.Factor) < 0.005 {
		return "0"
	}
	return sc.Signed(v)
}

// niceCeiling is the next round number from v up.
func niceCeiling(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if k*unit >= v {
			return k * unit
		}
	}
	return 10 * unit
}
