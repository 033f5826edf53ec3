package render

import (
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// column is a column of the table of main metrics.
type column struct {
	head  string
	right bool // numbers stand at the right
	cell  func(*metricRow) string
	class func(*metricRow) string
}

// table writes the table of main metrics. A narrow terminal gets narrower gaps, then no
// intervals, then two lines for each metric. Nothing is cut.
func (t *text) table(r *diff.Report) {
	if len(r.Metrics) == 0 {
		return
	}
	rows := t.rows(r)
	all := tableColumns(r)
	tight := append([]column{{head: "metric", cell: func(o *metricRow) string { return strings.Replace(o.metric, " [", "[", 1) }}}, all[1:]...)
	few := append(slices.Clone(all[:4]), all[5])
	t.WriteString("\n")
	for _, try := range []struct {
		columns []column
		gap     int
	}{{all, 2}, {all, 1}, {tight, 1}, {few, 2}, {few, 1}} {
		if widths := columnWidths(try.columns, rows); total(widths, try.gap) <= t.width {
			t.gridRows(try.columns, widths, rows, try.gap)
			t.reasonsWithoutNote(r)
			return
		}
	}
	t.stackedRows(rows)
	t.reasonsWithoutNote(r)
}

// reasonsWithoutNote says why rows have no verdict, where no note of theirs says it.
func (t *text) reasonsWithoutNote(r *diff.Report) {
	if note := words.Unmarked(r); note != "" {
		t.line("", 0, note)
	}
}

// rows are the main metrics, with the marks of their footnotes.
func (t *text) rows(r *diff.Report) []metricRow {
	rows := make([]metricRow, len(r.Metrics))
	for i := range r.Metrics {
		c := &r.Metrics[i]
		rows[i] = rowOf(c)
		if list := words.Notes(c); len(list) > 0 {
			rows[i].metric += " " + t.notes.mark(shortSentence(strings.Join(list, " ")))
		}
		if rows[i].missing == "" {
			continue
		}
		mark := t.notes.mark(rows[i].missing)
		if c.NotRecorded[0].Is() {
			rows[i].base += " " + mark
		}
		if c.NotRecorded[1].Is() {
			rows[i].cand += " " + mark
		}
	}
	return rows
}

func tableColumns(r *diff.Report) []column {
	verdict, called := func(o *metricRow) string { return o.class }, textHeads(r)
	return []column{
		{head: "metric", cell: func(o *metricRow) string { return o.metric }},
		{head: called[0], right: true, cell: func(o *metricRow) string { return o.base }},
		{head: called[1], right: true, cell: func(o *metricRow) string { return o.cand }},
		{head: "change", right: true, cell: func(o *metricRow) string { return o.change }},
		{head: intervalHeading(r), right: true, cell: func(o *metricRow) string { return o.interval }},
		{head: "verdict", cell: func(o *metricRow) string { return o.verdict }, class: verdict},
	}
}

func columnWidths(list []column, rows []metricRow) []int {
	widths := make([]int, len(list))
	for i, c := range list {
		widths[i] = columnsOf(c.head)
		for j := range rows {
			widths[i] = max(widths[i], columnsOf(c.cell(&rows[j])))
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

// gridRows writes one line for each metric.
func (t *text) gridRows(list []column, widths []int, rows []metricRow, gap int) {
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
			line.WriteString(spaces.Replace(padTo(s, widths[i], c.right)))
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

// stackedRows writes two lines for each metric: its verdict, then its numbers.
func (t *text) stackedRows(rows []metricRow) {
	for i := range rows {
		o := &rows[i]
		fill := t.width - columnsOf(o.metric) - columnsOf(o.verdict)
		if fill < 1 {
			t.line("", 0, o.metric)
			t.paintedLine(o.class, "  "+strings.ReplaceAll(o.verdict, " ", unbreakable), 2, "")
		} else {
			t.WriteString(o.metric + strings.Repeat(" ", fill) + t.paint(o.class, o.verdict) + "\n")
		}
		t.line("  ", 2, rowNumbers(o))
	}
}

// rowNumbers are a row's numbers in one line. An arrow stands between the sides only if the
// change is certain.
func rowNumbers(o *metricRow) string {
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
