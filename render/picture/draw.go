package picture

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/render/plot"
)

// The widths that a picture is drawn for, in px: on a screen and on paper, and on a phone.
const (
	Wide   = 650
	Narrow = 360
)

// drawing is a picture while it is drawn: down to y.
type drawing struct {
	*plot.Plot
	*First
	left, right, size, large float64 // size and large are of letters: names, and the change
	room                     float64 // height of both sides' dots
	axis                     axis
}

// What the heights are made of, in px. Chosen, not measured: with three lines of text above and
// a height of 768 the picture ends above the fold.
const (
	lowDots, highDots = 176.0, 270.0 // of both sides together: beside few findings, and beside many
	manyFindings      = 4
	largestDot        = 13.0
	leastDot          = 5.0
	rowHeight         = 20.0
)

// SVG returns the picture, as wide as one of the widths. more is put into its first element.
func (f *First) SVG(width float64, ink plot.Ink, more string) string {
	return f.draw(width, ink).Plot.SVG(more)
}

func (f *First) draw(width float64, ink plot.Ink) *drawing {
	d := &drawing{Plot: &plot.Plot{Ink: ink, Width: width, Small: 12.5}, First: f, left: 10, right: width - 14, size: 14.5, large: 16.5}
	if width < Wide {
		d.Small, d.size, d.large = 12, 13, 15
	}
	d.room = lowDots
	if f.findings >= manyFindings && width >= Wide {
		d.room = highDots
	}
	d.axis = d.stepAxis()
	d.sides()
	if f.Estimate != nil {
		d.strip()
	}
	return d
}

// stepAxis holds all dots and both medians. Rows leave room for the names of their runs.
func (d *drawing) stepAxis() axis {
	var both [2][]float64
	var marks []float64
	for i := range d.Sides {
		s := &d.Sides[i]
		for _, x := range s.Dots {
			both[i] = append(both[i], x.Value)
		}
		slices.Sort(both[i])
		if s.Median != nil {
			marks = append(marks, s.Median.At)
		}
	}
	return axisOf(both, marks, d.left, d.right)
}

// sides draws both sides, the arrow between them, and the axis below.
func (d *drawing) sides() {
	size, pitch := d.dotSize()
	d.Height = d.size + 2
	var ground [2]float64
	for i := range d.Sides {
		s, top := &d.Sides[i], d.Height
		color := d.Side(i)
		if i == 1 && d.arrow(ground[0]) {
			top = d.Height - 12
			d.Height += d.size + 6
		}
		d.name(s, color)
		d.Height += 7
		marks := d.placed(s, size, pitch)
		ground[i] = d.Height
		d.axisLine(ground[i])
		if s.Median != nil {
			x := d.axis.at(s.Median.At)
			d.Line(x, top-10, x, ground[i]+5, color, 1.5)
		}
		for _, m := range marks {
			if dots := d.SideDots(i, m.at, m.size); dots != nil {
				dots.Opacity, dots.More = m.opacity, fmt.Sprintf(` data-side="%d"`, i)
			}
		}
		d.Height += 6
		if i == 0 && !d.Arrow {
			d.Height += d.size + 8
		}
	}
	d.scale(ground[1])
}

// name writes a side's name and median at its line, on the side with room.
func (d *drawing) name(s *Side, color string) {
	text, x, anchor := s.Name, d.left, "start"
	switch {
	case s.Median != nil:
		text += "\u2002" + s.Median.Text
		if x = d.axis.at(s.Median.At) + 7; x+plot.TextWidth(text, d.size, true) > d.Width {
			x, anchor = x-14, "end"
		}
	case len(s.Dots) == 0:
		text += ": no steps"
	}
	d.Text(x, d.Height, anchor, color, d.size, true, text)
}

// dotSize returns the largest size of a dot with which both stacks fit, and how far apart dots of a
// stack stand.
func (d *drawing) dotSize() (size, pitch float64) {
	for size = largestDot; ; size -= 0.5 {
		n := 0
		for i := range d.Sides {
			_, level := stacks(d.pixels(&d.Sides[i]), float64(size*1.06))
			n += tallest(level)
		}
		if float64(float64(n)*size) <= d.room || size <= leastDot {
			return size, min(size, d.room/float64(max(1, n)))
		}
	}
}

func (d *drawing) pixels(s *Side) []float64 {
	out := make([]float64, len(s.Dots))
	for i, x := range s.Dots {
		out[i] = d.axis.at(x.Value)
	}
	return out
}

// group are marks that look alike.
type group struct {
	at      []plot.Point
	size    float64
	opacity float64 // 0: opaque
}

// placed returns the marks of a side, those of one kind after each other: stacked or, with several runs, in a row for
// each. They go from d.Height down, which is moved to the ground.
func (d *drawing) placed(s *Side, size, pitch float64) []group {
	at, x := make([]plot.Point, len(s.Dots)), d.pixels(s)
	if d.rows {
		for i, dot := range s.Dots {
			at[i] = plot.Point{X: x[i], Y: d.Height + 4 + float64(rowHeight*(float64(dot.Run)+0.5))}
		}
		d.Height += 4 + float64(rowHeight*float64(len(s.runs)))
	} else {
		stacked, level := stacks(x, float64(size*1.06))
		ground := d.Height + float64(pitch*float64(tallest(level)-1)) + size
		for i := range at {
			at[i] = plot.Point{X: stacked[i], Y: ground - float64(size/2) - 1 - float64(pitch*float64(level[i]))}
		}
		d.Height = max(d.Height, ground)
	}
	return d.groups(s, at, size)
}

// groups returns the marks of a side in as few paths as look alike.
func (d *drawing) groups(s *Side, at []plot.Point, size float64) []group {
	look := map[Kind]group{OfStep: {size: size - 1}, OfShare: {size: size - 1}, OfExtreme: {size: max(4, size*0.55)}, OfRun: {size: size - 1}}
	if d.rows {
		pale := group{size: 5, opacity: 0.5}
		look = map[Kind]group{OfStep: pale, OfShare: pale, OfRun: {size: 12}}
	}
	var out []group
	for i, dot := range s.Dots {
		if n := len(out); n == 0 || look[dot.Kind].size != out[n-1].size {
			out = append(out, look[dot.Kind])
		}
		last := &out[len(out)-1]
		last.at = append(last.at, at[i])
	}
	return out
}

// arrow draws the change from median to median below the baseline's ground, and reports whether
// there is one.
func (d *drawing) arrow(ground float64) bool {
	if !d.Arrow || d.Sides[0].Median == nil || d.Sides[1].Median == nil {
		return false
	}
	from, to := d.axis.at(d.Sides[0].Median.At), d.axis.at(d.Sides[1].Median.At)
	y, color, sign := ground+float64(d.large*1.5)+6, d.color(), 1.0
	if to < from {
		sign = -1
	}
	d.Height = y + 8
	d.Line(from, ground+5, from, y, d.Base, 1).Dash = "2 3"
	length := math.Abs(to - from)
	if length > 14 {
		head := to - float64(sign*2)
		d.Line(from, y, head-float64(sign*9), y, color, 2)
		back := head - float64(sign*11)
		d.Area([]plot.Point{{X: head, Y: y}, {X: back, Y: y - 6}, {X: back, Y: y + 6}}, color)
	}
	if width := plot.TextWidth(d.Change, d.large, true); length > width+20 {
		d.Text((from+to)/2, y-9, "middle", color, d.large, true, d.Change)
	} else if x := max(from, to) + 12; x+width < d.Width {
		d.Text(x, y+5, "start", color, d.large, true, d.Change)
	} else {
		d.Text(min(from, to)-12, y+5, "end", color, d.large, true, d.Change)
	}
	return true
}

// color returns the colour of the verdict.
func (d *drawing) color() string {
	switch d.Verdict {
	case "improved":
		return d.Better
	case "regressed":
		return d.Worse
	case "unchanged":
		return d.Ink.Ink
	case "invalid", "none":
		return d.Ink2
	}
	return d.Hold
}

// axisLine writes the ground that dots stand on, with its breaks.
func (d *drawing) axisLine(y float64) {
	for i, p := range d.axis {
		d.Line(p.From, y, p.To, y, d.Rule2, 1)
		if i > 0 {
			d.Line(p.From-breakWidth+1, y+5, p.From-breakWidth+7, y-5, d.Rule2, 1)
			d.Line(p.From-7, y+5, p.From-1, y-5, d.Rule2, 1)
		}
	}
}

// scale writes the numbers under the axis, and the unit at its end.
func (d *drawing) scale(y float64) {
	d.Height = y + d.Small + 8
	d.Label(d.Width, d.Height, "end", d.Unit)
	last := math.Inf(-1)
	for _, p := range d.axis {
		n := int(math.Ceil((p.To - p.From) / 95))
		for _, t := range p.Ticks(n, false) {
			half := float64(plot.TextWidth(t.Text, d.Small, false) / 2)
			if t.At-half < last+6 || t.At+half > d.Width-28 || t.At < p.From || t.At > p.To {
				continue
			}
			last = t.At + half
			d.Line(t.At, y, t.At, y+5, d.Rule2, 1)
			d.Label(t.At, d.Height, "middle", t.Text)
		}
	}
}

// strip draws the change with its interval against what counts, in percent.
func (d *drawing) strip() {
	e, color := d.Estimate, d.color()
	lo, hi := min(e.Lo, -e.Band, 0), max(e.Hi, e.Band, 0)
	pad := float64((hi - lo) * 0.1)
	p := plot.Scale{Lo: lo - pad, Hi: hi + pad, From: d.left, To: d.right}
	at := p.At
	title := "Change of " + d.within + ", %"
	if d.Arrow { // which says it in the unit of the steps
		title = "This change, estimated, %"
	}
	d.Height += 36
	d.Text(0, d.Height, "start", d.Ink.Ink, d.size, true, title)
	x := plot.TextWidth(title, d.size, true) + 12
	d.Rect(x, d.Height-10, 18, 12, d.Rule)
	d.Line(x+9, d.Height-10, x+9, d.Height+2, d.Ink.Ink, 1)
	d.Label(x+25, d.Height, "start", e.Name)
	if d.Width >= Wide {
		d.Label(d.Width, d.Height, "end", d.ends)
	}
	y := d.Height + 42
	d.Rect(at(-e.Band), y-30, at(e.Band)-at(-e.Band), 48, d.Rule)
	d.Line(at(0), y-10, at(0), y+18, d.Ink.Ink, 1)
	d.Line(d.left, y+18, d.right, y+18, d.Rule2, 1)
	for _, t := range p.Ticks(int(math.Ceil(d.Width/110)), true) {
		d.Line(t.At, y+18, t.At, y+23, d.Rule2, 1)
		d.Label(t.At, y+24+d.Small, "middle", t.Text)
	}
	d.Rect(at(e.Lo), y-3, at(e.Hi)-at(e.Lo), 6, color)
	for _, v := range []float64{e.Lo, e.Hi} {
		d.Line(at(v), y-8, at(v), y+8, color, 2)
	}
	d.Rings([]plot.Point{{X: at(e.Value), Y: y}}, 17, color)
	half := float64(plot.TextWidth(e.Text, d.size, true) / 2)
	if right := at(e.Hi) + 12; right+float64(2*half) < min(at(-e.Band), d.right) {
		d.Text(right, y+5, "start", color, d.size, true, e.Text)
	} else {
		d.Text(max(half, min(d.Width-half, at(e.Value))), y-14, "middle", color, d.size, true, e.Text)
	}
	d.Height = y + 24 + d.Small + 6
}
