package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// perUnit returns what times and counts of kernels, summaries and gaps are divided by: "step" or "second".
func (s *sheet) perUnit() string {
	if s.r.Stepless() {
		return cause.PerSecond
	}
	return cause.PerStep
}

// callSection returns the comparison without steps: of whole captures, and of single calls.
func (s *sheet) callSection() section {
	sec := section{ID: "calls", Nav: "Calls", Title: "What can be compared without steps?", Reading: s.callsReading()}
	if len(s.r.Capture)+len(s.r.Calls) == 0 {
		sec.Blocks = []block{{Empty: &empty{What: "Nothing that both sides recorded can be compared by its calls.",
			How: "Record kernels and ranges on both sides alike; a summary that an earlier perfdiff saved does not hold them: make it again."}}}
		return sec
	}
	t := &table{Label: "Whole captures", Heads: heads("Capture", "Baseline", "Candidate", "Change", "Source")}
	for i := range s.r.Capture {
		c := &s.r.Capture[i]
		out := s.readRow(metricName(c.Metric.Name, ""), c)
		out.Cells[0].Title = c.Metric.Doc
		t.Rows = append(t.Rows, out)
	}
	sec.Blocks = []block{{Table: t, Note: "The median rank, from the first to the last work of its device; without a device from the first to the last activity of the host. Nothing here is judged: without steps nobody knows whether both captures hold the same work."}}
	if len(s.r.Calls) > 0 {
		sec.Blocks = append(sec.Blocks, block{Heading: "Per call", Table: s.callTable(),
			Note: "Medians of single calls over whole captures, the median rank. Beyond noise: the change of a call that is more than what calls, runs and, of kernels, other kernels differ by; it is no verdict on the step time."})
	}
	return sec
}

func (s *sheet) callsReading() string {
	beyond := 0
	for i := range s.r.Calls {
		if s.r.Calls[i].BeyondNoise {
			beyond++
		}
	}
	if len(s.r.Calls) == 0 {
		return "No name was recorded on both sides."
	}
	return fmt.Sprintf("Of %s, %s longer or shorter per call, beyond noise.", number.Counted(len(s.r.Calls), "name"),
		map[bool]string{true: number.Word(beyond) + " takes", false: number.Word(beyond) + " take"}[beyond == 1])
}

func (s *sheet) callTable() *table {
	t := &table{Label: "Calls", Heads: []head{
		{Text: "Name", Left: true}, {Text: "Kind", Left: true, Wide: true}, {Text: "Calls"}, {Text: "Each", Unit: "base, \u00b5s"}, {Text: "Each", Unit: "cand., \u00b5s"},
		{Text: "Change", Unit: "%"}, {Text: "Bandwidth", Unit: "GB/s", Wide: true}, {Text: "Beyond noise", Unit: "%"}}}
	for i, text := range words.CallNames(s.r.Calls, longestName) {
		t.Rows = append(t.Rows, callRow(&s.r.Calls[i], text))
	}
	return t
}

func callRow(c *cause.Call, text string) row {
	count := func(x *cause.StatSide) string {
		if x.Count == 0 {
			return number.None
		}
		return number.Count(int(x.Count))
	}
	calls := count(&c.Base)
	if other := count(&c.Cand); other != calls {
		calls += " \u2192 " + other
	}
	each := func(x *cause.StatSide) cell {
		if x.Count == 0 {
			return numberCell(math.NaN())
		}
		return numberCell(x.Median * 1e6)
	}
	percent := func(v float64, known bool) cell {
		if !known || math.IsNaN(v) || math.IsInf(v, 0) {
			return cell{Text: number.None}
		}
		return cell{Text: alignNumber(number.PercentFor(v, 0, 0).Signed(v))}
	}
	bandwidth := cell{Text: number.None, Wide: true}
	if b, x := c.Bandwidth(); !math.IsNaN(b) || !math.IsNaN(x) {
		bandwidth.Text = number.Format(b*1e-9) + " \u2192 " + number.Format(x*1e-9)
	}
	change := percent(c.Cand.Median/c.Base.Median-1, c.Base.Count > 0 && c.Cand.Count > 0)
	if c.Tick > 0 {
		change = cell{Text: "one tick", Title: "one tick of the clock, " + number.GapScale(c.Tick).With(c.Tick)}
	}
	return row{Cells: []cell{
		{Text: text, Title: c.Name, Head: true, Class: "kn"}, {Text: kindOfRow(c.Table), Left: true, Wide: true},
		{Text: calls}, each(&c.Base), each(&c.Cand), change, bandwidth, percent(c.Change, c.BeyondNoise),
	}}
}

// kindOfRow returns the word for one row of a table.
func kindOfRow(t run.Table) string {
	return map[run.Table]string{run.KernelTable: "kernel", run.CollectiveTable: "collective", run.MemoryTable: "copy", run.RangeTable: "range", run.OperatorTable: "operator"}[t]
}

// captureMetric returns a quantity of the whole captures, nil if there is none of that name.
func (s *sheet) captureMetric(name string) *verdict.Comparison {
	for i := range s.r.Capture {
		if c := &s.r.Capture[i]; c.Key.Metric == name {
			return c
		}
	}
	return nil
}
