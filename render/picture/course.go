package picture

import (
	"fmt"
	"html"
	"math"

	"perfdiff/diff/history"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// The widths of the course of a metric, in px: on a screen, and on a phone.
const (
	CourseWide   = 1040
	CourseNarrow = 358
)

// The frame of a course, in px. Chosen, not measured: tall enough for 1 % to be seen among changes of 10 %.
const (
	courseTall                = 300.0
	courseLeft, courseRight   = 64.0, 14.0 // of its frame
	courseTop, courseBottom   = 44.0, 28.0 // two rows of labels above, the dates below
	courseTicks               = 6
	dateRoom                  = 120.0 // that a date takes
	sparkWide, sparkTall      = 240.0, 44.0
	sparkRuns                 = 20
	sparkDot, dotSize, aspect = 4.0, 7.0, 0.08 // aspect: of the range, free at both ends
)

// course is the drawing of a metric over the runs of main.
type course struct {
	*plot.Plot
	j                        *history.Job
	m                        *history.Metric
	sc                       number.Scale
	first, last              int // runs that are drawn, last behind them
	left, right, top, bottom float64
	y                        plot.Scale
}

// Course draws a metric over the runs of a job: a dot for each run, levels with the noise band about them, changes
// with the runs between which they came. Every mark says in attributes data-run, data-value, data-commit and
// data-change what it is. href returns the address that the dot of a run leads to; nil: dots lead
// nowhere and are marks alone, for places where a page has many.
func Course(j *history.Job, m *history.Metric, width float64, ink plot.Ink, more string, href func(run int) string) string {
	c := &course{Plot: &plot.Plot{Ink: ink, Width: width, Height: courseTall, Small: 12}, j: j, m: m, last: len(j.Runs),
		left: courseLeft, right: width - courseRight, top: courseTop, bottom: courseTall - courseBottom}
	c.scale()
	c.Grid(c.y, courseTicks, c.left, c.right, c.sc.Name)
	c.levels()
	c.changes()
	c.dots(dotSize, href)
	c.outside()
	c.dates()
	return c.SVG(fmt.Sprintf(` role="group" aria-label="%s"%s`, html.EscapeString(CourseLabel(j, m)), more))
}

// CourseLabel says in words what the course of a metric shows.
func CourseLabel(j *history.Job, m *history.Metric) string {
	return number.Capital(words.LevelNow(j, m)) + ". " + number.Counted(len(m.Changes), "change") + " of level over " +
		number.Counted(len(j.Runs), "run") + "."
}

// Spark draws the newest runs of a job's first metric with their levels, small enough to stand below a sentence; ""
// where it has none.
func Spark(j *history.Job, ink plot.Ink, more string) string {
	m := j.MetricNamed("")
	if m == nil || len(j.Runs) == 0 {
		return ""
	}
	c := &course{Plot: &plot.Plot{Ink: ink, Width: sparkWide, Height: sparkTall, Small: 12}, j: j, m: m, first: max(0, len(j.Runs)-sparkRuns),
		last: len(j.Runs), left: 2, right: sparkWide - 2, top: 4, bottom: sparkTall - 4}
	c.scale()
	c.levels()
	c.dots(sparkDot, nil)
	return c.SVG(fmt.Sprintf(` width="%g" height="%g"%s%s`, sparkWide, sparkTall, plot.Titled(words.SparkSentence(j)), more))
}

// scale chooses the range of values: levels, bands and all runs that count; others where they are near.
func (c *course) scale() {
	lo, hi := math.Inf(1), math.Inf(-1)
	hold := func(v ...float64) {
		for _, x := range v {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	for _, l := range c.m.Levels {
		if l.To > c.first {
			hold(l.Value, l.Lo, l.Hi)
		}
	}
	for i := c.first; i < c.last; i++ {
		if c.j.Counts(c.m, i) {
			hold(c.m.Values[i])
		}
	}
	near := hi - lo
	for i := c.first; i < min(c.last, len(c.m.Values)); i++ {
		if v := c.m.Values[i]; v > lo-near && v < hi+near {
			hold(v)
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	pad := math.Max(float64((hi-lo)*aspect), math.Max(float64(math.Abs(hi)*1e-3), 1e-12))
	c.sc = number.ScaleOf(c.m.Metric.Unit, math.Max(math.Abs(lo), math.Abs(hi)))
	c.y = plot.Scale{Lo: (lo - pad) * c.sc.Factor, Hi: (hi + pad) * c.sc.Factor, From: c.bottom, To: c.top}
}

// at returns where a value stands, at the edge where it is outside.
func (c *course) at(v float64) float64 {
	return c.y.At(min(max(v*c.sc.Factor, c.y.Lo), c.y.Hi))
}

// x returns where a run stands; half a run off is between two.
func (c *course) x(run float64) float64 {
	return c.left + float64((c.right-c.left)*(run-float64(c.first)+0.5)/float64(max(1, c.last-c.first)))
}

// levels draws each level as a line within its band.
func (c *course) levels() {
	for _, l := range c.m.Levels {
		if l.To <= c.first {
			continue
		}
		from, to := c.x(float64(max(l.From, c.first))-0.5), c.x(float64(min(l.To, c.last))-0.5)
		if lo, hi := c.at(l.Lo), c.at(l.Hi); !math.IsNaN(l.Lo+l.Hi) && lo > hi {
			c.Rect(from, hi, to-from, lo-hi, c.Base).Opacity = 0.16
		}
		c.Line(from, c.at(l.Value), to, c.at(l.Value), c.Base, 2).More = fmt.Sprintf(` data-level="%v"`, l.Value)
	}
}

// changes draws each change as a line from its label down, and over which runs it may have come.
func (c *course) changes() {
	var ends [2]float64 // of the labels in both rows
	for i := range c.m.Changes {
		ch := &c.m.Changes[i]
		x := c.x(float64(ch.At) - 0.5)
		if from, to := c.x(float64(ch.First)-0.5), c.x(float64(ch.Last)-0.5); to > from {
			c.Rect(from, c.top, to-from, c.bottom-c.top, c.Ink.Ink).Opacity = 0.07
		}
		color, text := c.colorOf(ch), words.Sized(c.m, ch.Size)
		if ch.Accepted != nil {
			text += " accepted"
		}
		line := c.Line(x, c.top-4, x, c.bottom, color, 1)
		line.Dash, line.More = "3 3", fmt.Sprintf(` data-change="%v" data-run="%s"`, ch.Size, html.EscapeString(c.j.Runs[ch.At].Name))
		wide := plot.TextWidth(text, c.Small, true)
		from := min(max(c.left, x-float64(wide/2)), c.right-wide)
		for row, end := range ends {
			if from > end+6 {
				c.Text(from, c.top-10-float64(float64(row)*16), "start", color, c.Small, true, text)
				ends[row] = from + wide
				break
			}
		}
	}
}

// colorOf returns the colour of a change: what nobody accepted for the worse, and what is better.
func (c *course) colorOf(ch *history.Change) string {
	switch {
	case !ch.Worse:
		return c.Better
	case ch.Accepted != nil:
		return c.Ink2
	}
	return c.Worse
}

// dots draws the runs, each as a link with its name and value; without addresses as marks that take a tenth of the bytes.
// Those that do not count, or whose commit left main, are rings.
func (c *course) dots(size float64, href func(run int) string) {
	var full, rings []plot.Point
	for i := c.first; i < min(c.last, len(c.m.Values)); i++ {
		v := c.m.Values[i]
		if math.IsNaN(v) {
			continue
		}
		at, ring := plot.Point{X: c.x(float64(i)), Y: c.at(v)}, !c.j.Counts(c.m, i) || c.j.Runs[i].Gone
		switch {
		case href != nil:
			c.dot(i, at, size, ring, href(i))
		case ring:
			rings = append(rings, at)
		default:
			full = append(full, at)
		}
	}
	c.Dots(full, size, c.Cand)
	c.Dots(rings, size, c.Hold)
	c.Dots(rings, size-2.5, c.Paper)
}

func (c *course) dot(i int, at plot.Point, size float64, ring bool, link string) {
	r, look := &c.j.Runs[i], fmt.Sprintf(`fill="%s" stroke="%s"`, c.Cand, c.Paper)
	if ring {
		look = fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.5"`, c.Paper, c.Hold)
	}
	fmt.Fprintf(c,
		`<a href="%s" tabindex="-1"><circle cx="%s" cy="%s" r="%s" %s data-run="%s" data-commit="%s" data-value="%v"><title>%s</title></circle></a>`,
		html.EscapeString(link), plot.Px(at.X), plot.Px(at.Y), plot.Px(size/2), look, html.EscapeString(r.Name), html.EscapeString(r.From.Commit), c.m.Values[i], html.EscapeString(c.title(i)))
}

// outside writes the values of runs that stand at an edge, as they are outside.
func (c *course) outside() {
	for i, v := range c.m.Values {
		if at := v * c.sc.Factor; at > c.y.Hi || at < c.y.Lo {
			c.Label(c.x(float64(i))+8, c.at(v)+4, "start", words.LevelValue(c.m, v))
		}
	}
}

// title says what a dot is.
func (c *course) title(i int) string {
	r := &c.j.Runs[i]
	text := words.RunAt(c.j, i) + ": " + words.LevelValue(c.m, c.m.Values[i])
	if t := r.Time(); t != 0 {
		text = words.Day(t) + " " + text
	}
	switch {
	case r.Why.Is():
		text += ", left out"
	case r.Gone:
		text += ", not on main any more"
	}
	return text
}

// dates writes when runs were saved, as many as have room.
func (c *course) dates() {
	n := c.last - c.first
	each := max(1, int(math.Ceil(float64(n)*dateRoom/(c.right-c.left))))
	for i := c.first; i < c.last; i += each {
		text := words.RunAt(c.j, i)
		if t := c.j.Runs[i].Time(); t != 0 {
			text = words.Day(t)
		}
		x, wide := c.x(float64(i)), plot.TextWidth(text, c.Small, false)
		c.Line(x, c.bottom, x, c.bottom+4, c.Rule2, 1)
		c.Label(min(x, c.right-wide), c.bottom+18, "start", text)
	}
}
