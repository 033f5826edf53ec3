package render

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// How many detail metrics, and how many parts of each, a terminal and a comment show.
const (
	maxTextDetails    = 6
	maxDetailColumns  = 36 // width of their names on a terminal
	maxCommentDetails = 80
	maxPartsShown     = 3
)

// details writes the detail metrics that differ, the one with the largest difference first.
func (t *text) details(r *diff.Report) {
	all := slices.DeleteFunc(r.Details(), inTablesOnly)
	if len(all) == 0 {
		return
	}
	size := func(c *verdict.Comparison) float64 { return math.Abs(c.Estimate) / c.Threshold }
	slices.SortStableFunc(all, func(a, b *verdict.Comparison) int { return cmp.Compare(size(b), size(a)) })
	t.heading("Details that differ")
	var rows []metricRow
	for _, c := range all[:min(len(all), maxTextDetails)] {
		o := detailRow(c)
		o.metric = shorten(o.metric, maxDetailColumns)
		rows = append(rows, o)
	}
	called := textHeads(r)
	lines := [][]string{{"metric", called[0], called[1], "change"}}
	for i := range rows {
		lines = append(lines, []string{rows[i].metric, rows[i].Base, rows[i].Cand, rows[i].Change})
	}
	if !t.layWhereItFits(lines, "lrrl") {
		for i := range rows {
			t.line("", 0, rows[i].metric)
			t.line("    ", 4, rowNumbers(&rows[i]))
		}
	}
	if more := notShownText(len(all), maxTextDetails, "details"); more != "" {
		t.line("", 0, more)
	}
}

// detailRow returns a row without a verdict: details are not tested for better or worse.
func detailRow(c *verdict.Comparison) metricRow {
	o := rowOf(c)
	o.verdict, o.class, o.Interval = "", "", number.None
	return o
}

// details writes the table of detail metrics, with those that differ in bold. A metric without a value of its own is
// shown by its largest parts.
func (c *comment) details(r *diff.Report) {
	all := shownDetails(r)
	if len(all) == 0 {
		return
	}
	differ := r.Details()
	s := &sheet{heading: "Details", align: "lrrr", heads: []string{"metric", commentHeads(r)[0], commentHeads(r)[1], "change"}}
	for _, x := range all[:min(len(all), maxCommentDetails)] {
		o := detailRow(x)
		row := nameAndCells(o.metric, o.Base, o.Cand, o.Change)
		row[3].bold = slices.Contains(differ, x)
		s.add(row...)
	}
	c.foldedTable(s, "Bold: more than chance makes of these runs; none is a verdict. Of metrics that have only parts the largest, and the one that differs for the surest.")
}

// shownDetails returns the detail comparisons with a value on any side: each metric itself, or else
// its largest parts and the part that differs.
func shownDetails(r *diff.Report) (out []*verdict.Comparison) {
	differ := r.Details()
	for from := 0; from < len(r.Parts); {
		to := from + 1
		for to < len(r.Parts) && r.Parts[to].Key.Metric == r.Parts[from].Key.Metric {
			to++
		}
		largest := partsBySize(r.Parts[from:to])
		most := maxPartsShown
		if len(largest) > 0 && largest[0].Part == "" {
			most = 1
		}
		for i, c := range largest {
			if !diff.ByDimension(c) && !inTablesOnly(c) && (i < most || slices.Contains(differ, c)) {
				out = append(out, c)
			}
		}
		from = to
	}
	return out
}

// inTablesOnly reports whether a summary leaves a comparison to the tables of other outputs.
func inTablesOnly(c *verdict.Comparison) bool { return c.Metric.TablesOnly }

// partsBySize returns the comparisons of one metric that have a value: the metric itself first, then its parts, the
// largest first.
func partsBySize(list []verdict.Comparison) (out []*verdict.Comparison) {
	for i := range list {
		if c := &list[i]; !math.IsNaN(c.Base) || !math.IsNaN(c.Cand) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *verdict.Comparison) int {
		if (a.Part == "") != (b.Part == "") {
			return cmp.Compare(len(a.Part), len(b.Part))
		}
		return cmp.Compare(sizeOf(b), sizeOf(a))
	})
	return out
}

// sizeOf returns the larger value of both sides.
func sizeOf(c *verdict.Comparison) float64 { return largerMagnitude(c.Base, c.Cand) }
