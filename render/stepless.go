package render

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// Call is what a call of one name takes on both sides, where no step can be compared.
type Call struct {
	Table     string   `json:"table"` // "kernels", "collectives", "memory operations", "ranges" or "operators"
	Name      string   `json:"name"`
	Baseline  StatSide `json:"baseline"`
	Candidate StatSide `json:"candidate"`
	Change    Number   `json:"change"`       // of the median call, a fraction, of kernels without the shift that most share; null: not tested
	Q         Number   `json:"q"`            // share of false claims when all of the table of at most this are called changed
	Beyond    bool     `json:"beyond_noise"` // the change is beyond what calls and runs differ by
	Effect    Number   `json:"effect"`       // s a second that calls take longer
}

func callDocument(c *diff.Call) Call {
	return Call{
		string(c.Table), c.Name, statDocument(&c.Base), statDocument(&c.Cand),
		Number(c.Change), Number(c.Q), c.Beyond, Number(c.Effect),
	}
}

// How many names of a table a terminal and a comment show, and how much of a name.
const (
	mostInText   = 3
	mostInTable  = 10
	longestLabel = 30
)

const withoutStepsHead = "What can be compared without steps"

// tableWords are what a call of a table is called.
var tableWords = map[run.Table]string{
	run.KernelTable: "kernels, a call", run.CollectiveTable: "collectives, a call", run.MemoryTable: "copies, a call",
	run.RangeTable: "ranges, a call", run.OperatorTable: "operators, a call",
}

// wholeRow is a row of what is compared without steps; one without values heads others.
type wholeRow struct {
	row
	calls string // on both sides
}

func (w *wholeRow) heads() bool { return w.base == "" }

// wholeRows are what is compared without steps: of the capture, then of calls, so many of
// each table.
func wholeRows(r *diff.Report, most int, all bool) []wholeRow {
	var out []wholeRow
	for i := range r.Capture {
		if c := &r.Capture[i]; all || c.Metric.Main {
			o := rowOf(c)
			o.verdict = ""
			out = append(out, wholeRow{row: o})
		}
	}
	table, n, labels := run.Table(""), 0, labelsOf(r)
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Table != table {
			table, n = c.Table, 0
			out = append(out, wholeRow{row: row{metric: tableWords[table]}})
		}
		if n++; n <= most {
			out = append(out, callRow(c, labels[c.Label()] > 1))
		}
	}
	return out
}

// labelsOf counts the names that have a label.
func labelsOf(r *diff.Report) map[string]int {
	out := map[string]int{}
	for i := range r.Calls {
		out[r.Calls[i].Label()]++
	}
	return out
}

// callRow is one name by its median call; copies by their bandwidth, as one takes longer
// where it moves more. A kernel is named in full where several have its label.
func callRow(c *diff.Call, full bool) wholeRow {
	label := c.Label()
	if full {
		label = c.Name
	}
	base, cand := median(&c.Base), median(&c.Cand)
	sc := number.GapScale(larger(base, cand))
	if b, x := c.Bandwidth(); c.Table == run.MemoryTable && !(math.IsNaN(b) && math.IsNaN(x)) {
		base, cand, sc = b, x, number.ScaleOf("B/s", larger(b, x))
	}
	o := wholeRow{row: row{metric: short(label, longestLabel), base: valueOf(sc, base), cand: valueOf(sc, cand)}}
	o.change, o.interval = number.None, number.None
	if change := cand/base - 1; !math.IsNaN(change) && !math.IsInf(change, 0) {
		o.change = number.PercentFor(change, 0, 0).Signed(change) + number.Space + "%"
	}
	if c.Beyond {
		o.verdict = "look"
	}
	if o.calls = number.Count(int(c.Base.Count)); c.Base.Count != c.Cand.Count {
		o.calls += ", " + number.Count(int(c.Cand.Count))
	}
	return o
}

// median is that of a call, NaN on a side without one.
func median(x *diff.StatSide) float64 {
	if x.Count == 0 {
		return math.NaN()
	}
	return x.Median
}

// withoutSteps is the table of what needs no step.
func (t *text) withoutSteps(r *diff.Report) {
	whole := wholeRows(r, mostInText, false)
	if len(whole) == 0 {
		return
	}
	t.head(withoutStepsHead)
	rows := make([]row, len(whole))
	for i, w := range whole {
		rows[i] = w.row
		if rows[i].interval = w.calls; i > 0 && w.calls != "" {
			rows[i].metric = "  " + rows[i].metric
		}
	}
	list := []column{
		{head: "", cell: func(o *row) string { return o.metric }},
		{head: baseline, right: true, cell: func(o *row) string { return o.base }},
		{head: candidate, right: true, cell: func(o *row) string { return o.cand }},
		{head: "change", right: true, cell: func(o *row) string { return o.change }},
		{head: "calls", right: true, cell: func(o *row) string { return o.interval }},
		{head: "", cell: func(o *row) string { return o.verdict }},
	}
	for _, gap := range []int{2, 1} {
		if widths := widthsOf(list, rows); total(widths, gap) <= t.width {
			t.grid(list, widths, rows, gap)
			return
		}
	}
	for i := range rows { // of a narrow terminal
		o := &rows[i]
		t.line("", 0, o.metric)
		if !whole[i].heads() {
			o.interval = number.None
			t.line("    ", 4, numbers(o))
		}
	}
}

// withoutSteps is the same table in Markdown, with more rows.
func (c *comment) withoutSteps(r *diff.Report) {
	whole := wholeRows(r, mostInTable, true)
	if len(whole) == 0 {
		return
	}
	c.folded(withoutStepsHead, func() {
		c.cells("", baseline, candidate, "change", "calls", "")
		c.line("|:--|--:|--:|--:|--:|:--|")
		for i := range whole {
			w := &whole[i]
			if w.heads() {
				c.cells("**"+escape(w.metric)+"**", "", "", "", "", "")
				continue
			}
			c.cells(code(w.metric), w.base, w.cand, w.change, w.calls, w.verdict)
		}
		c.line("\nOf a call: the median, copies by their bytes a second. `look`: beyond what calls and runs differ by. " +
			"None of it is a verdict on the step time.")
	})
}
