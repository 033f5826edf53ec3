package render

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// table writes the table of main metrics. A narrow terminal gets narrower gaps, then no
// shares, no intervals, then two lines for each metric. Nothing is cut.
func (t *text) table(r *diff.Report) {
	if len(r.Metrics) == 0 {
		return
	}
	rows, called := t.rows(r), textHeads(r)
	all, classes := [][]string{{"metric", called[0], called[1], "change", intervalHeading(r), "verdict"}}, []string{""}
	for i := range rows {
		o := &rows[i]
		all, classes = append(all, []string{o.metric, o.Base, o.Cand, o.Change, o.bareInterval(), o.verdict}), append(classes, o.class)
	}
	bare := onlyColumns(all, 0, 1, 2, 3, 4, 5)
	for i := range rows {
		bare[i+1][3] = rows[i].bareChange()
	}
	tight, few := onlyColumns(bare, 0, 1, 2, 3, 4, 5), onlyColumns(bare, 0, 1, 2, 3, 5)
	for i := range tight {
		tight[i][0] = strings.Replace(tight[i][0], " [", "[", 1)
	}
	t.WriteString("\n")
	for _, try := range []struct {
		rows  [][]string
		align string
		gap   int
	}{{all, "lrrrrl", 2}, {all, "lrrrrl", 1}, {bare, "lrrrrl", 2}, {bare, "lrrrrl", 1}, {tight, "lrrrrl", 1}, {few, "lrrrl", 2}, {few, "lrrrl", 1}} {
		if widthOf(try.rows, 0, try.gap) <= t.width {
			t.lay(try.rows, try.align, 0, try.gap, classes)
			t.below(r)
			return
		}
	}
	t.stackedRows(rows)
	t.below(r)
}

// below says what the signs in the table mean, and what the same steps changed by where that is another number.
func (t *text) below(r *diff.Report) {
	for _, note := range []string{words.StepsApart(r), words.Unmarked(r)} {
		if note != "" {
			t.line("", 0, note)
		}
	}
}

// rows returns the main metrics, with the marks of their footnotes.
func (t *text) rows(r *diff.Report) []metricRow {
	rows := rowsOfMetrics(r)
	for i := range rows {
		c := &r.Metrics[i]
		if list := words.Notes(c); len(list) > 0 {
			rows[i].metric += " " + t.notes.mark(shortSentence(strings.Join(list, " ")))
		}
		if rows[i].missing == "" {
			continue
		}
		mark := t.notes.mark(rows[i].missing)
		if c.NotRecorded[0].Is() {
			rows[i].Base += " " + mark
		}
		if c.NotRecorded[1].Is() {
			rows[i].Cand += " " + mark
		}
	}
	return rows
}

// stackedRows writes two lines for each metric: its verdict, then its numbers.
func (t *text) stackedRows(rows []metricRow) {
	for i := range rows {
		o := &rows[i]
		fill := t.width - columnsOf(o.metric) - columnsOf(o.verdict)
		if o.verdict == "" {
			t.line("", 0, o.metric)
		} else if fill < 1 {
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
	out := hold(o.Base) + between + hold(o.Cand)
	if o.Change != number.None {
		out += ", " + hold(o.bareChange())
	}
	if o.Interval != number.None {
		out += " (" + hold(o.Interval) + ")"
	}
	return out
}
