package html

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// show notes that a row of the page has the values of a series, and returns it.
func (s *sheet) show(c *diff.Comparison) *diff.Comparison {
	if c != nil {
		s.showKey(c.Key)
	}
	return c
}

func (s *sheet) showKey(key run.Key) {
	if s.shown == nil {
		s.shown = map[run.Key]bool{}
	}
	s.shown[key] = true
}

// details are, for each section, the measures that belong there and that no other table of
// the page has: whatever is measured is on the page. What belongs to no section of it stands
// below the main metrics.
func (s *sheet) details(sections []section) {
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
		sections[i].Blocks = append(sections[i].Blocks, block{Heading: "More measures", Table: t.cut(), Note: "Medians over steps and ranks, for a step."})
	}
}

func (s *sheet) detailRow(c *diff.Comparison) row {
	out := s.readRow(metricName(c.Metric.Name, c.Part), c)
	out.Cells[0].Title = c.Metric.Doc
	if c.Metric.Unit == "1" {
		out.Cells[1].Text, out.Cells[2].Text = orNone(c.Base), orNone(c.Cand)
	}
	return out
}
