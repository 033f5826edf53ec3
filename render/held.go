package render

import (
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// held says in a comment what a store says beside its level.
func (c *comment) held(h *diff.Held) {
	for _, l := range h.Lines() {
		c.line("\n**" + number.Capital(l[0]) + "**: " + escape(Line(l[1])))
	}
}

// mostTrend is how many runs a comment shows, the newest.
const mostTrend = 20

// trend is the step time over the newest runs of a store.
func (c *comment) trend(h *diff.Held) {
	if h == nil || len(h.Trend.Points) == 0 {
		return
	}
	points := h.Trend.Points
	first := max(0, len(points)-mostTrend)
	largest, marks := 0.0, map[int]string{}
	for _, p := range points {
		largest = max(largest, p.Value)
	}
	for _, l := range h.Trend.Levels {
		marks[l.From] = l.Change
	}
	sc := number.ScaleOf(h.Trend.Metric.Unit, largest)
	c.folded("Trend of the step time, newest run last", func() {
		c.cells("run", "from", "began (UTC)", "step time", "level changed")
		c.line("|:--|:--|:--|--:|:--|")
		for i, p := range points[first:] {
			c.cells(code(name(p.Name)), originCell(p.From), dateOf(p.Began), sc.With(p.Value), marks[first+i])
		}
	})
}
