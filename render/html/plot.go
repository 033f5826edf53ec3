package html

import (
	"html/template"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// frame is where the axes of a picture of lines stand, in px, and about how many parts the vertical one has.
type frame struct {
	width, height, left, right, top, bottom float64
	parts                                   int
}

var wideFrame = frame{1100, 262, 60, 1090, 24, 230, plot.EndTicks}

// plotPoints is the most points of a line: if there are more, several are drawn as one with the band that they reach.
const plotPoints = 600

// lines is a picture of lines over time or steps, from 0 up.
type lines struct {
	label, unit, first, last string
	top                      float64 // where the axis ends, in unit; 0: where the lines need
	under                    func(*plot.Plot, plot.Scale)
	all                      []curve
}

// curve is one line, in the picture's unit. lo and hi are the ends of its band; nil: it has none.
type curve struct {
	color       string
	mid, lo, hi []float64
}

// draw draws the lines. Those of a baseline are dashed.
func (l *lines) draw(f frame) template.HTML {
	top := l.top
	for _, x := range l.all {
		for _, v := range [][]float64{x.mid, x.hi} {
			if l.top == 0 {
				top = max(top, largestMagnitude(existing(v)...))
			}
		}
	}
	p := &plot.Plot{Ink: plot.PageInk, Width: f.width, Height: f.height, Small: 12}
	y := plot.Scale{Hi: plot.Ceiling(top), From: f.bottom, To: f.top}
	if l.under != nil {
		l.under(p, y)
	}
	p.Grid(y, f.parts, f.left, f.right, l.unit)
	for _, line := range l.all {
		x := plot.Scale{Hi: float64(len(line.mid)), From: f.left, To: f.right}
		s := plot.Series{X: make([]float64, len(line.mid)), Mid: line.mid, Lo: line.lo, Hi: line.hi}
		for i := range s.X {
			s.X[i] = x.At(float64(i) + 0.5)
		}
		for _, m := range p.Lines(s, y, line.color, 1.6) {
			if line.color == p.Base {
				m.Dash = "4 3"
			}
		}
	}
	p.Label(f.left, f.height-6, "start", l.first)
	p.Label(f.right-2, f.height-6, "end", l.last)
	return template.HTML(p.SVG(` class="panelled"` + plot.Titled(l.label)))
}

// thinned is a line of at most so many places. Where there are more values, several share a place as their middle, and
// the band is what they reach.
func thinned(color string, v []float64, places int, middle func([]float64) float64) curve {
	each := (len(v) + places - 1) / places
	if each <= 1 {
		return curve{color: color, mid: v}
	}
	out := curve{color: color}
	for i := 0; i < len(v); i += each {
		group := existing(v[i:min(i+each, len(v))])
		out.mid = append(out.mid, middle(group))
		out.lo, out.hi = append(out.lo, interpolatedQuantile(group, 0)), append(out.hi, interpolatedQuantile(group, 1))
	}
	return out
}

// meanOfRanks returns the mean over ranks of a course in half percents, in percent.
func meanOfRanks(ranks []diff.RankActivity, pick func(*diff.RankActivity) []uint8) (out []float64) {
	var count []float64
	for i := range ranks {
		for k, v := range pick(&ranks[i]) {
			if k == len(out) {
				out, count = append(out, 0), append(count, 0)
			}
			out[k], count[k] = out[k]+float64(float64(v)/2), count[k]+1
		}
	}
	for k := range out {
		out[k] /= count[k]
	}
	return out
}

// Where bars of parts begin, and how far they are apart.
const barLeft, barPitch = 70.0, 24.0

// partBar is a bar of values that follow each other, one for each part of the step.
type partBar struct {
	name   string
	values []float64
}

// drawBars draws bars on an axis that ends at longest.
func drawBars(label string, width, right, longest float64, bars []partBar, parts []cause.Part, sc number.Scale) template.HTML {
	p := &plot.Plot{Ink: plot.PageInk, Width: width, Height: float64(len(bars)) * barPitch, Small: 12}
	x := plot.Scale{Hi: longest, From: barLeft, To: right}
	for i, bar := range bars {
		y, total := float64(float64(i)*barPitch), 0.0
		p.Label(barLeft-6, y+13, "end", bar.name)
		for k, v := range bar.values {
			if v > 0 {
				from := x.At(total)
				total += v
				p.Rect(from, y, x.At(total)-from, 18, "var(--k-"+parts[k].Kind+")").Hint = words.StepPart(parts[k].StepPart) + ": " + sc.With(v)
			}
		}
		p.Label(x.At(total)+6, y+13, "start", sc.With(total))
	}
	return template.HTML(p.SVG(` class="partbars"` + plot.Titled(label)))
}

// rankBars draws a bar for each rank: its mean step by parts; "" where the parts of no rank are known.
func (s *portraitSheet) rankBars() template.HTML {
	longest, bars := 0.0, []partBar(nil)
	for i := range s.r.Ranks[:min(len(s.r.Ranks), maxPortraitBars)] {
		r, sum := &s.r.Ranks[i], 0.0
		for _, v := range existing(r.Cand.Parts) {
			sum += v
		}
		longest = math.Max(longest, sum)
		bars = append(bars, partBar{"rank " + rankName(r.Rank), r.Cand.Parts})
	}
	if longest == 0 {
		return ""
	}
	return drawBars("Mean step of each rank by its parts", wideFrame.width, 1000, longest, bars, s.r.Waterfall.Parts, s.ms)
}
