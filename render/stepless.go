package render

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// How many names of each table a terminal and a comment show, and how much of a name.
const (
	maxCallsInText    = 3
	maxCallsInComment = 10
	maxLabel          = 30
)

const stepLessHeading = "What can be compared without steps"

// callTableNames are the headings of tables of calls.
var callTableNames = map[run.Table]string{
	run.KernelTable: "kernels, per call", run.CollectiveTable: "collectives, per call", run.MemoryTable: "copies, per call",
	run.RangeTable: "ranges, per call", run.OperatorTable: "operators, per call",
}

// stepLessRow is a row of the comparison without steps. A row without values is the heading of those below it.
type stepLessRow struct {
	metricRow
	calls string // number of calls on both sides
}

func (w *stepLessRow) isHeading() bool { return w.Base == "" }

// stepLessRows returns the rows of the comparison without steps: quantities of the whole capture, then at most most
// calls of each table. all adds those that did not change.
func stepLessRows(r *diff.Report, most int, all bool) []stepLessRow {
	var out []stepLessRow
	for i := range r.Capture {
		if c := &r.Capture[i]; all || c.Metric.Main || c.Metric.Name == "gap_rate" {
			o := rowOf(c)
			o.verdict = ""
			out = append(out, stepLessRow{metricRow: o})
		}
	}
	table, n, names := run.Table(""), 0, words.CallNames(r.Calls, maxLabel)
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Table != table {
			table, n = c.Table, 0
			out = append(out, stepLessRow{metricRow: metricRow{metric: callTableNames[table]}})
		}
		if n++; n <= most {
			out = append(out, callRow(c, names[i]))
		}
	}
	return out
}

// callRow returns the row of one name with the time of its median call. Copies are shown by their bandwidth, since a
// copy takes longer if it moves more.
func callRow(c *cause.Call, name string) stepLessRow {
	base, cand := medianOfCall(&c.Base), medianOfCall(&c.Cand)
	sc := number.GapScale(largerMagnitude(base, cand))
	if b, x := c.Bandwidth(); c.Table == run.MemoryTable && !(math.IsNaN(b) && math.IsNaN(x)) {
		base, cand, sc = b, x, number.ScaleOf("B/s", largerMagnitude(b, x))
	}
	o := stepLessRow{metricRow: metricRow{metric: shortName(name), Row: words.Row{Base: valueText(sc, base), Cand: valueText(sc, cand)}}}
	o.Change, o.Interval = number.None, number.None
	if change := cand/base - 1; !math.IsNaN(change) && !math.IsInf(change, 0) {
		o.Change = number.PercentFor(change, 0, 0).Signed(change) + number.Space + "%"
	}
	if c.Tick > 0 {
		o.Change = "one tick, " + number.GapScale(c.Tick).With(c.Tick)
	}
	if c.BeyondNoise {
		o.verdict = "look"
	}
	if o.calls = number.Count(int(c.Base.Count)); c.Base.Count != c.Cand.Count {
		o.calls += ", " + number.Count(int(c.Cand.Count))
	}
	return o
}

// medianOfCall returns the time of the median call, NaN on a side without calls.
func medianOfCall(x *cause.StatSide) float64 {
	if x.Count == 0 {
		return math.NaN()
	}
	return x.Median
}

// stepLessTable writes the comparison without steps.
func (t *text) stepLessTable(r *diff.Report) {
	whole := stepLessRows(r, maxCallsInText, false)
	if len(whole) == 0 {
		return
	}
	t.heading(stepLessHeading)
	rows := make([]metricRow, len(whole))
	for i, w := range whole {
		rows[i] = w.metricRow
		if rows[i].Interval = w.calls; i > 0 && w.calls != "" {
			rows[i].metric = "  " + rows[i].metric
		}
	}
	called := textHeads(r)
	lines := [][]string{{"", called[0], called[1], "change", "calls", ""}}
	for _, o := range rows {
		lines = append(lines, []string{o.metric, o.Base, o.Cand, o.Change, o.Interval, o.verdict})
	}
	if t.layNames(lines, "lrrrrl") || t.layNames(onlyColumns(lines, 0, 1, 2, 3, 5), "lrrrl") {
		return
	}
	for i := range rows { // of a narrow terminal
		o := &rows[i]
		t.line("", 0, o.metric)
		if !whole[i].isHeading() {
			o.Interval = number.None
			t.line("    ", 4, rowNumbers(o))
		}
	}
}

// leastName is how many columns of a terminal are kept for names.
const leastName = 24

// layNames writes rows whose first cells are names. One that is too long for the terminal has a line of its own above
// its values. It returns false where the terminal is too narrow all the same.
func (t *text) layNames(rows [][]string, align string) bool {
	room, short, own := t.width, make([][]string, len(rows)), make([]bool, len(rows))
	for _, w := range columnWidths(rows)[1:] {
		room -= w + 1
	}
	if room < leastName {
		return false
	}
	for i, row := range rows {
		short[i] = row
		if own[i] = columnsOf(row[0]) > room; own[i] {
			short[i] = append([]string{""}, row[1:]...)
		}
	}
	values := &text{width: t.width, color: t.color}
	if !values.layWhereItFits(short, align) {
		return false
	}
	for i, line := range strings.SplitAfter(values.String(), "\n") {
		if i < len(own) && own[i] {
			name := strings.TrimLeft(rows[i][0], " ")
			t.line(rows[i][0][:len(rows[i][0])-len(name)], 4, name)
		}
		t.WriteString(line)
	}
	return true
}

// How many names of each table the report on one run set without steps shows in a terminal.
const maxKernelsOfRun = 5

// writeCallsOfRun writes what a run set without steps holds: kernels, copies, ranges and gaps.
func writeCallsOfRun(t *text, r *diff.Report) {
	var rows [][]string
	table, n, names := run.Table(""), 0, words.CallNames(r.Calls, maxLabel)
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Table != table {
			table, n = c.Table, 0
			rows = append(rows, []string{strings.TrimSuffix(callTableNames[table], ", per call"), "", "", ""})
		}
		if n++; n <= maxCallsInText || n <= maxKernelsOfRun && table == run.KernelTable || t.all {
			one := callRow(c, names[i])
			rows = append(rows, []string{"  " + one.metric, number.Share(c.Cand.Share), number.Count(int(c.Cand.Count)), one.Cand})
		}
	}
	if len(rows) == 0 {
		return
	}
	t.heading("What was recorded")
	rows = append([][]string{{"", "time", "calls", "a call"}}, rows...)
	if !t.layNames(rows, "lrrr") {
		t.narrowGrid(rows[0], rows[1:])
	}
	if c := verdict.MetricOf(r.Capture, "gap_rate"); c != nil && !math.IsNaN(c.Cand) {
		t.line("", 0, "gaps on the GPU, of 1 \u00b5s and more: "+number.Format(c.Cand)+" a second")
	}
}

// stepLessTable writes the same in Markdown, with more rows.
func (c *comment) stepLessTable(r *diff.Report) {
	whole := stepLessRows(r, maxCallsInComment, true)
	if len(whole) == 0 {
		return
	}
	s := &sheet{heading: stepLessHeading, align: "lrrrrl", heads: []string{"", commentHeads(r)[0], commentHeads(r)[1], "change", "calls", ""}}
	for i := range whole {
		w := &whole[i]
		if w.isHeading() {
			s.add(inBold(cells(w.metric, "", "", "", "", ""))...)
			continue
		}
		s.add(nameAndCells(w.metric, w.Base, w.Cand, w.Change, w.calls, w.verdict)...)
	}
	c.foldedTable(s, "Of a call: the median, copies by their bytes per second. `look`: beyond what calls and runs differ by. "+
		"None of it is a verdict on the step time.")
}
