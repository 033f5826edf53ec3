package render

import (
	"strings"

	"math"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// tag is the one word, in capitals, with which a summary begins, and what qualifies it:
// "SLOWER, not yet beyond chance".
func tag(r *diff.Report) string {
	word, rest, qualified := strings.Cut(r.Outcome(), ",")
	if word = strings.ToUpper(word); qualified {
		word += "," + rest
	}
	return word
}

// row is a comparison in words and numbers, for the tables of people.
type row struct {
	metric     string
	base, cand string // with unit
	change     string // with sign and unit
	interval   string // in the unit of change, without its name
	unit       string // of change and interval
	verdict    string
	class      string // "better", "worse" or ""
	missing    string // what to record, as a sentence; "" where both sides are recorded
}

func rowOf(c *diff.Comparison) row {
	values := number.ScaleOf(c.Metric.Unit, larger(c.Base, c.Cand))
	out := row{
		metric: name(keyOf(c)), base: valueOf(values, c.Base), cand: valueOf(values, c.Cand),
		verdict: c.Outcome(), class: classOf(c.Verdict), missing: missingOf(c),
	}
	out.change, out.interval, out.unit = changeOf(c)
	return out
}

func keyOf(c *diff.Comparison) string {
	metric := c.Metric.Name
	if c.Holds != "" { // compute_or_unknown, which is as wide as the longest of the others
		metric = strings.TrimSuffix(metric, "_time") + "_or_" + c.Holds
	}
	if c.Part != "" {
		metric += "/" + c.Part
	}
	return metric
}

func valueOf(s number.Scale, v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return s.With(v)
}

// changeOf writes the change as the test sees it; where it was not tested, the
// plain difference.
func changeOf(c *diff.Comparison) (change, interval, unit string) {
	switch {
	case math.IsNaN(c.Estimate) && math.IsNaN(c.Delta):
		return number.None, number.None, ""
	case math.IsNaN(c.Estimate) && c.Metric.Unit == "ratio":
		p := number.PercentFor(c.Delta, 0, 0)
		return p.Signed(c.Delta) + number.Space + "pts", number.None, "pts"
	case math.IsNaN(c.Estimate):
		s := number.ScaleOf(c.Metric.Unit, larger(c.Base, c.Cand))
		return s.SignedWith(c.Delta), number.None, s.Name
	case c.Relative, c.Metric.Unit == "ratio":
		unit = "%"
		if !c.Relative {
			unit = "pts" // percentage points
		}
		p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
		return p.Signed(c.Estimate) + number.Space + unit, between(p.Signed, c), unit
	}
	s := number.ScaleOf(c.Metric.Unit, larger(c.Lo, c.Hi))
	return s.SignedWith(c.Estimate), between(s.Signed, c), s.Name
}

func between(signed func(float64) string, c *diff.Comparison) string {
	if math.IsNaN(c.Lo) || math.IsNaN(c.Hi) {
		return number.None
	}
	return signed(c.Lo) + " to " + signed(c.Hi)
}

// larger is the larger magnitude; one that is not a number does not count.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || math.Abs(b) > math.Abs(a) {
		return math.Abs(b)
	}
	return math.Abs(a)
}

func classOf(v diff.Verdict) string {
	return map[diff.Verdict]string{diff.Improved: "better", diff.Regressed: "worse"}[v]
}

// missingOf is what was not recorded and what would record it; "" for what was.
func missingOf(c *diff.Comparison) string {
	if c.NotRecorded == [2]string{} {
		return ""
	}
	return sentence(c.Why)
}

// intervalHead names the column of intervals: "95 % interval".
func intervalHead(r *diff.Report) string { return number.Setting(1-r.Policy.Alpha) + " interval" }
