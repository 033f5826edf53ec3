package words

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Worse says against what the newest level of a trend is worse.
func Worse(t *verdict.Trend, w *verdict.Worsening) string {
	against := "on the level before"
	if w.Anchor != "" {
		against = "at the anchor (" + w.Anchor + ")"
	}
	return t.Metric.Name + " is worse than " + against + ", by " + Shift(&t.Metric, w.By) + ", from " + w.From + " on"
}

// Shift says by how much the level of a metric changed: "+4.2 %", in points for a ratio, in its unit if it was zero
// before; "" where there is no level before.
func Shift(m *run.Metric, s verdict.Shift) string {
	switch {
	case s == verdict.Shift{}:
		return ""
	case s.Relative:
		return number.PercentFor(s.By, 0, 0).Signed(s.By) + number.Space + "%"
	case m.Unit == "ratio":
		return number.SignedWith(100*s.By, Points)
	}
	return number.ScaleOf(m.Unit, math.Abs(s.By)).SignedWith(s.By)
}
