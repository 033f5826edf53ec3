package render

import (
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// storeSection writes what perfdiff gate found in its store.
func (c *comment) storeSection(h *diff.StoreFindings) {
	for _, l := range words.Store(h) {
		c.line("\n**" + number.Capital(l[0]) + "**: " + escapeMarkdown(Line(l[1])))
	}
}

// maxTrendRuns is how many runs a comment shows, the newest ones.
const maxTrendRuns = 20

// storeTrend writes the step time over the newest runs of a store.
func (c *comment) storeTrend(h *diff.StoreFindings) {
	if h == nil || len(h.Trend.Points) == 0 {
		return
	}
	points := h.Trend.Points
	first := max(0, len(points)-maxTrendRuns)
	largest, marks := 0.0, map[int]string{}
	for _, p := range points {
		largest = max(largest, p.Value)
	}
	for _, l := range h.Trend.Levels {
		marks[l.From] = words.Shift(&h.Trend.Metric, l.Change)
	}
	sc := number.ScaleOf(h.Trend.Metric.Unit, largest)
	s := &sheet{heading: "Trend of the step time, newest run last", align: "lllrl", heads: []string{"run", "from", "began (UTC)", "step time", "level changed"}}
	for i, p := range points[first:] {
		s.add(markedCells(codeSpan(shortName(p.Name)), originCell(p.From), dateText(p.Began), sc.With(p.Value), marks[first+i])...)
	}
	c.foldedTable(s)
}
