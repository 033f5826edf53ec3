package render

import (
	"math"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// metricRow is a comparison as texts, for tables.
type metricRow struct {
	metric, verdict string
	words.Row
	class   string // "better", "worse" or ""
	missing string // what to record, as a sentence; "" if both sides are recorded
}

func rowOf(c *verdict.Comparison) metricRow {
	return metricRow{shortName(metricKey(c)), words.RowVerdict(c), words.RowOf(c), c.Verdict.Class().String(), notRecordedText(c)}
}

// bareChange returns the change without its share of the baseline.
func (o *metricRow) bareChange() string { return strings.TrimSuffix(o.Change, o.Share) }

// bareInterval returns the interval without its unit, for a terminal: it is that of the change.
func (o *metricRow) bareInterval() string { return strings.TrimSuffix(o.Interval, number.Space+o.Unit) }

// metricSheet returns an empty table of rows: the change of the same steps has a column only in a table that
// needs one.
func metricSheet(r *diff.Report, sides [2]string, rows []metricRow) *sheet {
	s := &sheet{align: "lrrrrl", heads: []string{"metric", sides[0], sides[1], "change", intervalHeading(r), "verdict"}}
	if slices.ContainsFunc(rows, func(o metricRow) bool { return o.Steps != "" }) {
		s.align, s.heads = "lrrrrrl", slices.Insert(s.heads, 4, words.SameSteps)
	}
	return s
}

// metricCells returns a row of such a table, without its verdict.
func (s *sheet) metricCells(o *metricRow) []sheetCell {
	row := nameAndCells(o.metric, o.Base, o.Cand, o.Change, o.Interval)
	if len(s.heads) > len(row)+1 {
		row = slices.Insert(row, 4, cells(withWhy(o))...)
	}
	return row
}

// withWhy returns the change of the same steps, and why it is another.
func withWhy(o *metricRow) string {
	if o.Steps == "" {
		return ""
	}
	return o.Steps + " (" + o.Why + ")"
}

// rowsOfMetrics returns the rows of the main metrics.
func rowsOfMetrics(r *diff.Report) []metricRow {
	rows := make([]metricRow, len(r.Metrics))
	for i := range rows {
		rows[i] = rowOf(&r.Metrics[i])
	}
	return rows
}

func metricKey(c *verdict.Comparison) string {
	metric := c.Metric.Name
	if c.Includes != "" { // compute_or_unknown, which is as wide as the longest of the others
		metric = strings.TrimSuffix(metric, "_time") + "_or_" + c.Includes
	}
	if c.Part != "" {
		metric += "/" + c.Part
	}
	return metric
}

func valueText(s number.Scale, v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return s.With(v)
}

// largerMagnitude returns the larger absolute value. NaN does not count.
func largerMagnitude(a, b float64) float64 {
	if math.IsNaN(a) || math.Abs(b) > math.Abs(a) {
		return math.Abs(b)
	}
	return math.Abs(a)
}

// notRecordedText says what was not recorded and how to record it; "" if both sides have the
// metric.
func notRecordedText(c *verdict.Comparison) string {
	if c.NotRecorded == [2]verdict.Need{} {
		return ""
	}
	return shortSentence(words.Why(c))
}

// intervalHeading returns the heading of the column of intervals: "95 % interval".
func intervalHeading(r *diff.Report) string { return number.Setting(1-r.Policy.Alpha) + " interval" }
