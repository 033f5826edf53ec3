package picture

import (
	"fmt"
	"math"
	"slices"
)

// The widths that a picture is drawn for, in px: on a screen and on paper, and on a phone.
const (
	Wide   = 650
	Narrow = 360
)

// drawing is a picture while it is drawn: down to y.
type drawing struct {
	*pen
	*First
	width, left, right, y float64
	room                  float64 // height of both sides' dots
	axis                  axis
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
func (f *First) SVG(width float64, ink Ink, more string) string {
	d := f.draw(width, ink)
	return fmt.Sprintf(`<svg viewBox="0 0 %s %s" fill="%s" font-size="%s"%s>%s</svg>`,
		px(width), px(d.y), ink.Ink2, px(d.small), more, d.String())
}

func (f *First) draw(width float64, ink Ink) *drawing {
	p := &pen{Ink: ink, small: 12.5, size: 14.5, large: 16.5}
	d := &drawing{pen: p, First: f, width: width, left: 10, right: width - 14}
	if width < Wide {
		p.small, p.size, p.large = 12, 13, 15
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
	d.y = d.size + 2
	var ground [2]float64
	for i := range d.Sides {
		s, top := &d.Sides[i], d.y
		color := []string{d.Base, d.Cand}[i]
		if i == 1 && d.arrow(ground[0]) {
			top = d.y - 12
			d.y += d.size + 6
		}
		d.name(s, color)
		d.y += 7
		marks := d.placed(s, size, pitch)
		ground[i] = d.y
		d.axisLine(ground[i])
		if s.Median != nil {
			x := d.axis.at(s.Median.At)
			d.line(x, top-10, x, ground[i]+5, color, 1.5, "")
		}
		for _, m := range marks {
			d.marks(i, m.at, m.size, m.more)
		}
		d.y += 6
		if i == 0 && !d.Arrow {
			d.y += d.size + 8
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
		if x = d.axis.at(s.Median.At) + 7; x+textWidth(text, d.size, true) > d.width {
			x, anchor = x-14, "end"
		}
	case len(s.Dots) == 0:
		text += ": no steps"
	}
	d.write(x, d.y, anchor, color, d.size, true, text)
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
	at   [][2]float64
	size float64
	more string
}

// placed returns the marks of a side, those of one kind after each other: stacked or, with several runs, in a row for
// each. They go from d.y down, which is moved to the ground.
func (d *drawing) placed(s *Side, size, pitch float64) []group {
	at, x := make([][2]float64, len(s.Dots)), d.pixels(s)
	if d.rows {
		for i, dot := range s.Dots {
			at[i] = [2]float64{x[i], d.y + 4 + float64(rowHeight*(float64(dot.Run)+0.5))}
		}
		d.y += 4 + float64(rowHeight*float64(len(s.runs)))
	} else {
		stacked, level := stacks(x, float64(size*1.06))
		ground := d.y + float64(pitch*float64(tallest(level)-1)) + size
		for i := range at {
			at[i] = [2]float64{stacked[i], ground - float64(size/2) - 1 - float64(pitch*float64(level[i]))}
		}
		d.y = max(d.y, ground)
	}
	return d.groups(s, at, size)
}

// groups returns the marks of a side in as few paths as look alike.
func (d *drawing) groups(s *Side, at [][2]float64, size float64) []group {
	look := map[Kind]group{OfStep: {size: size - 1}, OfShare: {size: size - 1}, OfExtreme: {size: max(4, size*0.55)}, OfRun: {size: size - 1}}
	if d.rows {
		pale := group{size: 5, more: ` opacity="0.5"`}
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
	d.y = y + 8
	d.line(from, ground+5, from, y, d.Base, 1, ` stroke-dasharray="2 3"`)
	length := math.Abs(to - from)
	if length > 14 {
		head := to - float64(sign*2)
		d.line(from, y, head-float64(sign*9), y, color, 2, "")
		fmt.Fprintf(d, `<path d="M%s %sl%s -6v12z" fill="%s"/>`, px(head), px(y), px(-11*sign), color)
	}
	if width := textWidth(d.Change, d.large, true); length > width+20 {
		d.write((from+to)/2, y-9, "middle", color, d.large, true, d.Change)
	} else if x := max(from, to) + 12; x+width < d.width {
		d.write(x, y+5, "start", color, d.large, true, d.Change)
	} else {
		d.write(min(from, to)-12, y+5, "end", color, d.large, true, d.Change)
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
		d.line(p.from, y, p.to, y, d.Rule2, 1, "")
		if i > 0 {
			d.line(p.from-breakWidth+1, y+5, p.from-breakWidth+7, y-5, d.Rule2, 1, "")
			d.line(p.from-7, y+5, p.from-1, y-5, d.Rule2, 1, "")
		}
	}
}

// scale writes the numbers under the axis, and the unit at its end.
func (d *drawing) scale(y float64) {
	d.y = y + d.small + 8
	d.write(d.width, d.y, "end", d.Ink2, d.small, false, d.Unit)
	last := math.Inf(-1)
	for _, p := range d.axis {
		n := int(math.Ceil((p.to - p.from) / 95))
		for _, t := range p.ticks(n, false) {
			half := float64(textWidth(t.text, d.small, false) / 2)
			if t.x-half < last+6 || t.x+half > d.width-28 || t.x < p.from || t.x > p.to {
				continue
			}
			last = t.x + half
			d.line(t.x, y, t.x, y+5, d.Rule2, 1, "")
			d.write(t.x, d.y, "middle", d.Ink2, d.small, false, t.text)
		}
	}
}

// strip draws the change with its interval against what counts, in percent.
func (d *drawing) strip() {
	e, color := d.Estimate, d.color()
	lo, hi := min(e.Lo, -e.Band, 0), max(e.Hi, e.Band, 0)
	pad := float64((hi - lo) * 0.1)
	p := piece{lo - pad, hi + pad, d.left, d.right}
	at := func(v float64) float64 { return axis{p}.at(v) }
	title := "Change of " + d.within + ", %"
	if d.Arrow { // which says it in the unit of the steps
		title = "This change, estimated, %"
	}
	d.y += 36
	d.write(0, d.y, "start", d.Ink.Ink, d.size, true, title)
	x := textWidth(title, d.size, true) + 12
	d.rect(x, d.y-10, 18, 12, d.Rule)
	d.line(x+9, d.y-10, x+9, d.y+2, d.Ink.Ink, 1, "")
	d.write(x+25, d.y, "start", d.Ink2, d.small, false, e.Name)
	if d.width >= Wide {
		d.write(d.width, d.y, "end", d.Ink2, d.small, false, d.ends)
	}
	y := d.y + 42
	d.rect(at(-e.Band), y-30, at(e.Band)-at(-e.Band), 48, d.Rule)
	d.line(at(0), y-10, at(0), y+18, d.Ink.Ink, 1, "")
	d.line(d.left, y+18, d.right, y+18, d.Rule2, 1, "")
	for _, t := range p.ticks(int(math.Ceil(d.width/110)), true) {
		d.line(t.x, y+18, t.x, y+23, d.Rule2, 1, "")
		d.write(t.x, y+24+d.small, "middle", d.Ink2, d.small, false, t.text)
	}
	d.rect(at(e.Lo), y-3, at(e.Hi)-at(e.Lo), 6, color)
	for _, v := range []float64{e.Lo, e.Hi} {
		d.line(at(v), y-8, at(v), y+8, color, 2, "")
	}
	fmt.Fprintf(d, `<circle cx="%s" cy="%s" r="7" fill="%s" stroke="%s" stroke-width="3"/>`, px(at(e.Value)), px(y), d.Paper, color)
	half := float64(textWidth(e.Text, d.size, true) / 2)
	if right := at(e.Hi) + 12; right+float64(2*half) < min(at(-e.Band), d.right) {
		d.write(right, y+5, "start", color, d.size, true, e.Text)
	} else {
		d.write(max(half, min(d.width-half, at(e.Value))), y-14, "middle", color, d.size, true, e.Text)
	}
	d.y = y + 24 + d.small + 6
}
