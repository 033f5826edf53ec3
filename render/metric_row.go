package render

import (
	"cmp"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// verdictTag returns the word in capitals with which a summary begins, and what qualifies it:
// "SLOWER, not yet beyond chance".
func verdictTag(r *diff.Report) string {
	word, rest, qualified := strings.Cut(words.Outcome(r), ",")
	if word = strings.ToUpper(word); qualified {
		word += "," + rest
	}
	return word
}

// metricRow is a comparison as texts, for tables.
type metricRow struct {
	metric     string
	base, cand string // value and unit of each side
	change     string // with sign and unit
	interval   string // in the unit of change, which is not repeated
	unit       string // of change and interval
	verdict    string
	class      string // "better", "worse" or ""
	missing    string // what to record, as a sentence; "" if both sides are recorded
}

func rowOf(c *verdict.Comparison) metricRow {
	values := number.ScaleOf(c.Metric.Unit, largerMagnitude(c.Base, c.Cand))
	out := metricRow{
		metric: shortName(metricKey(c)), base: valueText(values, c.Base), cand: valueText(values, c.Cand),
		verdict: words.MetricOutcome(c), class: c.Verdict.Class().String(), missing: notRecordedText(c),
	}
	out.change, out.interval, out.unit = changeTexts(c)
	return out
}

// intervalWithUnit returns the interval for places where its unit is not shown.
func (o *metricRow) intervalWithUnit() string {
	if o.unit == "" || o.interval == number.None {
		return o.interval
	}
	return o.interval + number.Space + o.unit
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

// changeTexts writes the change with its unit, the interval, and the unit of both.
func changeTexts(c *verdict.Comparison) (change, interval, unit string) {
	_, unit, ends := words.Change(c.Change())
	change, _ = words.ChangeWithUnits(c.Change())
	return change, cmp.Or(ends, number.None), unit
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
