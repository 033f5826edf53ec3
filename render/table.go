package render

import (
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// column is one column of the table of main metrics.
type column struct {
	head  string
	right bool // numbers stand at the right
	cell  func(*row) string
	class func(*row) string
}

// table is the main metrics. A narrow terminal gets narrower gaps, also before marks, then
// no intervals, then two lines for each metric; nothing is cut.
func (t *text) table(r *diff.Report) {
	if len(r.Metrics) == 0 {
		return
	}
	rows := t.rows(r)
	all := tableColumns(r)
	tight := append([]column{{head: "metric", cell: func(o *row) string { return strings.Replace(o.metric, " [", "[", 1) }}}, all[1:]...)
	few := append(slices.Clone(all[:4]), all[5])
	t.WriteString("\n")
	for _, try := range []struct {
		columns []column
		gap     int
	}{{all, 2}, {all, 1}, {tight, 1}, {few, 2}, {few, 1}} {
		if widths := widthsOf(try.columns, rows); total(widths, try.gap) <= t.width {
			t.grid(try.columns, widths, rows, try.gap)
			t.unmarked(r)
			return
		}
	}
	t.stack(rows)
	t.unmarked(r)
}

// unmarked says why rows have no verdict whose notes do not say so.
func (t *text) unmarked(r *diff.Report) {
	if note := r.UnmarkedNote(); note != "" {
		t.line("", 0, note)
	}
}

// rows are the main metrics with the marks of what was not recorded, and of what is to be
// known of their numbers.
func (t *text) rows(r *diff.Report) []row {
	rows := make([]row, len(r.Metrics))
	for i := range r.Metrics {
		c := &r.Metrics[i]
		rows[i] = rowOf(c)
		if list := c.Notes(); len(list) > 0 {
			rows[i].metric += " " + t.notes.mark(sentence(strings.Join(list, " ")))
		}
		if rows[i].missing == "" {
			continue
		}
		mark := t.notes.mark(rows[i].missing)
		if c.NotRecorded[0] != "" {
			rows[i].base += " " + mark
		}
		if c.NotRecorded[1] != "" {
			rows[i].cand += " " + mark
		}
	}
	return rows
}

func tableColumns(r *diff.Report) []column {
	verdict := func(o *row) string { return o.class }
	return []column{
		{head: "metric", cell: func(o *row) string { return o.metric }},
		{head: baseline, right: true, cell: func(o *row) string { return o.base }},
		{head: candidate, right: true, cell: func(o *row) string { return o.cand }},
		{head: "change", right: true, cell: func(o *row) string { return o.change }},
		{head: intervalHead(r), right: true, cell: func(o *row) string { return o.interval }},
		{head: "verdict", cell: func(o *row) string { return o.verdict }, class: verdict},
	}
}

func widthsOf(list []column, rows []row) []int {
	widths := make([]int, len(list))
	for i, c := range list {
		widths[i] = columns(c.head)
		for j := range rows {
			widths[i] = max(widths[i], columns(c.cell(&rows[j])))
		}
	}
	return widths
}

func total(widths []int, gap int) int {
	sum := gap * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// grid writes one line for each metric.
func (t *text) grid(list []column, widths []int, rows []row, gap int) {
	write := func(cell func(column) (s, class string)) {
		var line strings.Builder
		for i, c := range list {
			s, class := cell(c)
			if i > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			if i == len(list)-1 {
				line.WriteString(t.paint(class, spaces.Replace(s)))
				break
			}
			line.WriteString(spaces.Replace(pad(s, widths[i], c.right)))
		}
		t.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	write(func(c column) (string, string) { return c.head, "" })
	for i := range rows {
		write(func(c column) (string, string) {
			if c.class == nil {
				return c.cell(&rows[i]), ""
			}
			return c.cell(&rows[i]), c.class(&rows[i])
		})
	}
}

// stack writes two lines for each metric: its verdict, then its numbers.
func (t *text) stack(rows []row) {
	for i := range rows {
		o := &rows[i]
		fill := t.width - columns(o.metric) - columns(o.verdict)
		if fill < 1 {
			t.line("", 0, o.metric)
			t.lead(o.class, "  "+strings.ReplaceAll(o.verdict, " ", unbreakable), 2, "")
		} else {
			t.WriteString(o.metric + strings.Repeat(" ", fill) + t.paint(o.class, o.verdict) + "\n")
		}
		t.line("  ", 2, numbers(o))
	}
}

// numbers are a row's numbers in a line; the arrow only where a change is
// certain.
func numbers(o *row) string {
	between := " and "
	if o.class != "" {
		between = " → "
	}
	hold := func(s string) string { return strings.ReplaceAll(s, " ", unbreakable) }
	out := hold(o.base) + between + hold(o.cand)
	if o.change != number.None {
		out += ", " + hold(o.change)
	}
	if o.interval != number.None {
		out += " (" + hold(o.interval) + ")"
	}
	return out
}
