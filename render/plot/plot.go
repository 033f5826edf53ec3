// Package plot draws pictures that need no script: marks on a plane whose unit is a pixel and whose y points down,
// written as SVG for pages, mail and write-ups, and as TikZ for papers.
package plot

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Ink are the colours of a picture: of a page they are its variables, so that the picture
// follows the theme.
type Ink struct{ Paper, Ink, Ink2, Rule, Rule2, Base, Cand, Better, Worse, Hold string }

// PageInk are the variables of the page's style, and PlainInk their values in the light theme.
var (
	PageInk  = Ink{"var(--paper)", "var(--ink)", "var(--ink2)", "var(--rule)", "var(--rule2)", "var(--base)", "var(--cand)", "var(--better)", "var(--worse)", "var(--hold)"}
	PlainInk = Ink{"#ffffff", "#15171c", "#454a54", "#dcdee3", "#868c98", "#646b78", "#2457c5", "#0b6e66", "#b83a06", "#6b4a00"}
)

// Side returns the colour of the baseline, 0, or of the candidate.
func (k *Ink) Side(side int) string { return [2]string{k.Base, k.Cand}[side] }

// Plot is a picture.
type Plot struct {
	Ink
	Name, Title, Caption string // of a file: Name has no ending
	Width, Height        float64
	Small                float64 // letters without a size of their own, px
	marks                []*Mark
}

// Point is a place.
type Point struct{ X, Y float64 }

// Mark is one thing drawn: a text, or a shape of one colour.
type Mark struct {
	Opacity float64 // 0: opaque
	Dash    string  // of a line: "4 3"; "": none
	Hint    string  // what a pointer on the mark is told
	More    string  // further attributes in SVG

	strokes      [][]Point // of a dot one point
	closed       bool
	stroke, fill string
	width        float64 // of the line; of a dot its size
	text, anchor string
	size         float64
	strong       bool
	raw          string // SVG alone
}

func (p *Plot) add(m *Mark) *Mark {
	p.marks = append(p.marks, m)
	return m
}

// Write adds elements of SVG, which no paper has.
func (p *Plot) Write(svg []byte) (int, error) {
	p.add(&Mark{raw: string(svg)})
	return len(svg), nil
}

// Text writes a text; x is its "start", "middle" or "end"; strong is bold.
func (p *Plot) Text(x, y float64, anchor, color string, size float64, strong bool, text string) {
	p.add(&Mark{strokes: [][]Point{{{x, y}}}, anchor: anchor, fill: color, size: size, strong: strong, text: text})
}

// Label writes a text as ticks and names are written.
func (p *Plot) Label(x, y float64, anchor, text string) {
	p.Text(x, y, anchor, p.Ink2, p.Small, false, text)
}

// Line draws a line between two points.
func (p *Plot) Line(x1, y1, x2, y2 float64, color string, width float64) *Mark {
	return p.Path([]Point{{x1, y1}, {x2, y2}}, color, width)
}

// Path draws a line through points.
func (p *Plot) Path(points []Point, color string, width float64) *Mark {
	return p.Paths([][]Point{points}, color, width)
}

// Paths draws lines of one look as one mark, and Dots in the same way what is round.
func (p *Plot) Paths(lines [][]Point, color string, width float64) *Mark {
	return p.add(&Mark{strokes: lines, stroke: color, width: width})
}

// Area fills what lies within points.
func (p *Plot) Area(points []Point, color string) *Mark {
	return p.add(&Mark{strokes: [][]Point{points}, closed: true, fill: color})
}

// Rect fills a rectangle.
func (p *Plot) Rect(x, y, w, h float64, color string) *Mark {
	right, below := float64(x)+float64(w), float64(y)+float64(h)
	return p.Area([]Point{{x, y}, {right, y}, {right, below}, {x, below}}, color)
}

// Dots draws round marks: lines without a length and with round ends, which take a tenth of the bytes of circles. nil
// where there are none.
func (p *Plot) Dots(at []Point, size float64, color string) *Mark {
	if len(at) == 0 {
		return nil
	}
	return p.Paths(slices.Collect(slices.Chunk(at, 1)), color, size)
}

// Rings draws round marks that are hollow.
func (p *Plot) Rings(at []Point, size float64, color string) *Mark {
	m := p.Dots(at, size, color)
	if size >= 6 {
		p.Dots(at, float64(size)-math.Max(2, float64(size*0.32)), p.Paper)
	}
	return m
}

// SideDots draws the dots of a side: those of the baseline are hollow.
func (p *Plot) SideDots(side int, at []Point, size float64) *Mark {
	if side == 0 {
		return p.Rings(at, size, p.Base)
	}
	return p.Dots(at, size, p.Cand)
}

// Grid draws the lines of a vertical axis with about n parts, their numbers, and above them the unit.
func (p *Plot) Grid(y Scale, n int, left, right float64, unit string) {
	for _, t := range y.Ticks(n, false) {
		p.Line(left, t.At, right, t.At, p.Rule, 1)
		p.Label(left-8, t.At+4, "end", t.Text)
	}
	if unit != "" {
		p.Label(left-8, y.To-12, "end", unit)
	}
}

// Series are values along a line, each at a pixel X, NaN where it breaks, with the ends of a band about them; nil: it
// has none.
type Series struct{ X, Mid, Lo, Hi []float64 }

// Lines draws a series, and returns its lines. A value alone is a dot.
func (p *Plot) Lines(s Series, y Scale, color string, width float64) (lines []*Mark) {
	var line, upper, lower []Point
	end := func() {
		if len(upper) > 1 {
			p.Area(append(upper, lower...), color).Opacity = faint
		}
		if len(line) == 1 {
			p.Dots(line, 2*width, color)
		} else if len(line) > 1 {
			lines = append(lines, p.Path(line, color, width))
		}
		line, upper, lower = nil, nil, nil
	}
	for i, v := range s.Mid {
		if math.IsNaN(v) {
			end()
			continue
		}
		at := s.X[i]
		line = append(line, Point{at, y.At(v)})
		if s.Lo != nil && s.Hi[i] > s.Lo[i] {
			upper, lower = append(upper, Point{at, y.At(s.Hi[i])}), append([]Point{{at, y.At(s.Lo[i])}}, lower...)
		}
	}
	end()
	return lines
}

// faint is how much of its colour a band has. Chosen, not measured: two of them over each other leave lines and grid
// to be seen.
const faint = 0.18

// TextWidth returns about how wide a text is: no font is at hand where the picture is drawn.
func TextWidth(text string, size float64, strong bool) float64 {
	each := 0.55
	if strong {
		each = 0.61
	}
	return float64(size * each * float64(utf8.RuneCountInString(text)))
}

// Titled adds what SVG says in place of a picture.
func Titled(label string) string { return fmt.Sprintf(` role="img" aria-label="%s"`, escaped(label)) }
