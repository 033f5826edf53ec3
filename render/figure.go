package render

import "perfdiff/diff"

// figure is a drawing of a write-up: marks on a plane whose unit is a pixel and whose y points
// down. It is written as SVG for pages and as TikZ for papers, both of the same marks.
type figure struct {
	name, title, caption string // name is that of its files, without an ending
	width, height        float64
	marks                []mark
}

// mark is one thing drawn: a text, or a shape through points.
type mark struct {
	shape  shape
	points []point
	radius float64 // of a circle
	stroke string  // colour of the line, "#rrggbb"; "": none
	fill   string  // colour inside; "": none
	width  float64 // of the line
	faint  bool    // the fill lets through what lies below
	text   string
	anchor string // where a text has its point: "start", "middle", "end"
}

type point struct{ x, y float64 }

type shape int

const (
	shapeText shape = iota
	shapePath
	shapeArea // a closed path
	shapeCircle
)

// Colours of the sides, and of better and worse. Marks differ as well, so that colour is not
// needed.
const (
	baseInk, candInk, ruleInk, textInk = "#646b78", "#2457c5", "#dcdee3", "#454a54"
	betterInk, worseInk, sameInk       = "#0b6e66", "#b83a06", "#84888f"
	paperInk                           = "#ffffff"
)

func (f *figure) text(x, y float64, anchor, color, s string) {
	f.marks = append(f.marks, mark{shape: shapeText, points: []point{{x, y}}, anchor: anchor, fill: color, text: Line(s)})
}

func (f *figure) path(points []point, color string, width float64) {
	f.marks = append(f.marks, mark{shape: shapePath, points: points, stroke: color, width: width})
}

func (f *figure) line(x1, y1, x2, y2 float64, color string) {
	f.path([]point{{x1, y1}, {x2, y2}}, color, 1)
}

func (f *figure) area(points []point, color string, faint bool) {
	f.marks = append(f.marks, mark{shape: shapeArea, points: points, fill: color, faint: faint})
}

func (f *figure) circle(at point, radius float64, stroke, fill string) {
	f.marks = append(f.marks, mark{shape: shapeCircle, points: []point{at}, radius: radius, stroke: stroke, fill: fill, width: 1.5})
}

// figures returns the figures that the report has data for.
func figures(r *diff.Report) []*figure {
	var out []*figure
	for _, f := range []*figure{stepFigure(r), partFigure(r)} {
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}
