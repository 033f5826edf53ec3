package html

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// markShown notes that a row of the page shows a series, and returns the comparison.
func (s *sheet) markShown(c *verdict.Comparison) *verdict.Comparison {
	if c != nil {
		s.markKeyShown(c.Key)
	}
	return c
}

func (s *sheet) markKeyShown(key run.Key) {
	if s.shown == nil {
		s.shown = map[run.Key]bool{}
	}
	s.shown[key] = true
}

// addOtherMetrics adds to each section the metrics that belong there and that no table shows
// yet, so that every metric is on the page. Those of no section stand below the main metrics.
func (s *sheet) addOtherMetrics(sections []section) {
	at := func(id string) int {
		return slices.IndexFunc(sections, func(sec section) bool { return sec.ID == id })
	}
	tables := map[int]*table{}
	for i := range s.r.Parts {
		c := &s.r.Parts[i]
		if s.shown[c.Key] || math.IsNaN(c.Base) && math.IsNaN(c.Cand) {
			continue
		}
		place := at(c.Metric.Section)
		if place < 0 {
			place = at("metrics")
		}
		if place < 0 {
			continue
		}
		if tables[place] == nil {
			tables[place] = &table{Label: "More measures of " + sections[place].Nav, Heads: heads("Metric", "Baseline", "Candidate", "Change", "Source")}
		}
		tables[place].Rows = append(tables[place].Rows, s.detailRow(c))
	}
	for i, t := range tables {
		b := block{Heading: "More measures", Note: "Means over ranks and steps, per step."}
		if s.r.OfResults {
			b.Note = "Means over runs."
		}
		b.Table = t.cutRows()
		sections[i].Blocks = append(sections[i].Blocks, b)
	}
}

func (s *sheet) detailRow(c *verdict.Comparison) row {
	name := metricName(c.Metric.Name, c.Part)
	if c.Metric.OfResult {
		name = c.Metric.Name
	}
	out := s.readRow(name, c)
	out.Cells[0].Title = c.Metric.Doc
	return out
}
