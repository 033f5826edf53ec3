package render

import (
	"perfdiff/analyze/run"
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

// storeTrend writes the step time over the newest runs of a store.
func (c *comment) storeTrend(h *diff.StoreFindings) {
	if h == nil || len(h.Recent) == 0 {
		return
	}
	m := h.Job.MetricNamed(run.StepTime)
	s := &sheet{heading: "Main's newest runs, newest last", align: "llr", heads: []string{"run", "from", "step time"}}
	for _, p := range h.Recent {
		s.add(markedCells(codeSpan(shortName(p.Name)), originCell(p.From), words.LevelValue(m, p.Value))...)
	}
	c.foldedTable(s)
}
