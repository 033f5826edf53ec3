package words

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// intervalOf writes an interval with its signs: "−3.1 to +9.4 %".
func intervalOf(c *verdict.Comparison) string { return endsOf(c, " to ") }

// endsOf writes both ends of an interval, joined.
func endsOf(c *verdict.Comparison, joint string) string {
	if math.IsNaN(c.Lo) {
		return number.None
	}
	signed, unit := changeFormat(c.Change())
	return signed(c.Lo) + joint + withUnit(signed(c.Hi), unit) + per(c)
}

// changeOf writes an effect with its sign and unit.
func changeOf(c *verdict.Comparison, v float64) string {
	signed, unit := changeFormat(c.Change())
	return withUnit(signed(v), unit) + per(c)
}

// sizeOf writes the size of an effect, without its sign.
func sizeOf(c *verdict.Comparison, v float64) string {
	return strings.TrimPrefix(changeOf(c, math.Abs(v)), "+")
}

// per returns what a count refers to, such as steps; "" for what has a unit.
func per(c *verdict.Comparison) string {
	if c.Metric.Unit == "1" && c.Key.Metric == run.Tail {
		return inSteps
	}
	return ""
}

// Amount writes a size of an effect that was set, such as a threshold.
func Amount(c *verdict.Comparison, v float64) string {
	switch {
	case c.Relative:
		return number.Setting(v)
	case c.Metric.Unit == "ratio":
		return strings.TrimSuffix(number.Setting(v), "%") + Points
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v)
}

// percentUnit returns the unit of a share of the baseline, or of a difference of shares.
func percentUnit(c *verdict.Comparison) string {
	if c.Relative {
		return number.Space + "%"
	}
	return number.Space + Points
}

// longerOrLess returns the word for a change of time: "longer" or "less".
func longerOrLess(v float64) string {
	if v > 0 {
		return "longer"
	}
	return "less"
}
