package render

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// How many metrics of detail a terminal shows, and how many rows of them a comment, of each
// metric so many parts.
const (
	mostDetails    = 6
	longestDetail  = 36 // columns of its name on a terminal
	mostDetailRows = 80
	mostParts      = 3
)

// details are the metrics of detail that differ, those first that differ by most beside what
// matters.
func (t *text) details(r *diff.Report) {
	all := r.Details()
	if len(all) == 0 {
		return
	}
	size := func(c *diff.Comparison) float64 { return math.Abs(c.Estimate) / c.Threshold }
	slices.SortStableFunc(all, func(a, b *diff.Comparison) int { return cmp.Compare(size(b), size(a)) })
	t.head("Details that differ")
	var rows []row
	for _, c := range all[:min(len(all), mostDetails)] {
		o := detailRow(c)
		o.metric = short(o.metric, longestDetail)
		rows = append(rows, o)
	}
	t.rowsOf(rows, []column{
		{head: "metric", cell: func(o *row) string { return o.metric }},
		{head: baseline, right: true, cell: func(o *row) string { return o.base }},
		{head: candidate, right: true, cell: func(o *row) string { return o.cand }},
		{head: "change", right: true, cell: func(o *row) string { return o.change }},
	})
	if more := fold(len(all), mostDetails, "details"); more != "" {
		t.line("", 0, more)
	}
}

// rowsOf writes a table as wide as the terminal allows, or two lines for each row.
func (t *text) rowsOf(rows []row, list []column) {
	for _, gap := range []int{2, 1} {
		if widths := widthsOf(list, rows); total(widths, gap) <= t.width {
			t.grid(list, widths, rows, gap)
			return
		}
	}
	for i := range rows {
		t.line("", 0, rows[i].metric)
		t.line("    ", 4, numbers(&rows[i]))
	}
}

// detailRow has no verdict: who reads it looks there and is not told that it is worse.
func detailRow(c *diff.Comparison) row {
	o := rowOf(c)
	o.verdict, o.class, o.interval = "", "", number.None
	if c.Metric.Unit == "1" {
		o.base, o.cand = timesOf(c.Base), timesOf(c.Cand)
	}
	return o
}

// timesOf is a count.
func timesOf(v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return number.Times(v)
}

// details is the table of all metrics of detail, by themselves or by their largest parts,
// with those in bold that differ.
func (c *comment) details(r *diff.Report) {
	all := shownDetails(r)
	if len(all) == 0 {
		return
	}
	differ := r.Details()
	c.folded("Details", func() {
		c.cells("metric", baseline, candidate, "change")
		c.line("|:--|--:|--:|--:|")
		for _, x := range all[:min(len(all), mostDetailRows)] {
			o := detailRow(x)
			if slices.Contains(differ, x) {
				o.change = "**" + o.change + "**"
			}
			c.cells(code(o.metric), o.base, o.cand, o.change)
		}
		c.line("\nBold: more than chance makes of these runs; none is a verdict. Of metrics that have only parts the largest, and the one that differs for the surest.")
	})
}

// shownDetails are the comparisons of detail that were measured on any side: each metric by
// itself, or else by its largest parts, and by the part that differs.
func shownDetails(r *diff.Report) (out []*diff.Comparison) {
	differ := r.Details()
	for from := 0; from < len(r.Parts); {
		to := from + 1
		for to < len(r.Parts) && r.Parts[to].Key.Metric == r.Parts[from].Key.Metric {
			to++
		}
		largest := partsBySize(r.Parts[from:to])
		most := mostParts
		if len(largest) > 0 && largest[0].Part == "" {
			most = 1
		}
		for i, c := range largest {
			if i < most || slices.Contains(differ, c) {
				out = append(out, c)
			}
		}
		from = to
	}
	return out
}

// partsBySize are the comparisons of one metric that have a value, that of the metric itself
// first and then the largest.
func partsBySize(list []diff.Comparison) (out []*diff.Comparison) {
	for i := range list {
		if c := &list[i]; !math.IsNaN(c.Base) || !math.IsNaN(c.Cand) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *diff.Comparison) int {
		if (a.Part == "") != (b.Part == "") {
			return cmp.Compare(len(a.Part), len(b.Part))
		}
		return cmp.Compare(sizeOf(b), sizeOf(a))
	})
	return out
}

// sizeOf is the larger of both sides.
func sizeOf(c *diff.Comparison) float64 { return larger(c.Base, c.Cand) }
