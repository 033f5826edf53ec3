package render

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// table writes the table of main metrics. A narrow terminal gets narrower gaps, then no
// intervals, then two lines for each metric. Nothing is cut.
func (t *text) table(r *diff.Report) {
	if len(r.Metrics) == 0 {
		return
	}
	rows, called := t.rows(r), textHeads(r)
	all, classes := [][]string{{"metric", called[0], called[1], "change", intervalHeading(r), "verdict"}}, []string{""}
	for i := range rows {
		o := &rows[i]
		all, classes = append(all, []string{o.metric, o.base, o.cand, o.change, o.interval, o.verdict}), append(classes, o.class)
	}
	tight, few := onlyColumns(all, 0, 1, 2, 3, 4, 5), onlyColumns(all, 0, 1, 2, 3, 5)
	for i := range tight {
		tight[i][0] = strings.Replace(tight[i][0], " [", "[", 1)
	}
	t.WriteString("\n")
	for _, try := range []struct {
		rows  [][]string
		align string
		gap   int
	}{{all, "lrrrrl", 2}, {all, "lrrrrl", 1}, {tight, "lrrrrl", 1}, {few, "lrrrl", 2}, {few, "lrrrl", 1}} {
		if widthOf(try.rows, 0, try.gap) <= t.width {
			t.lay(try.rows, try.align, 0, try.gap, classes)
			t.reasonsWithoutNote(r)
			return
		}
	}
	t.stackedRows(rows)
	t.reasonsWithoutNote(r)
}

// reasonsWithoutNote says why rows without a note of their own have no verdict.
func (t *text) reasonsWithoutNote(r *diff.Report) {
	if note := words.Unmarked(r); note != "" {
		t.line("", 0, note)
	}
}

// rows returns the main metrics, with the marks of their footnotes.
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

// rowNumbers returns a row's numbers in one line. An arrow stands between the sides only if the
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
