package words

import "perfdiff/diff/verdict"

// Worse says against what the newest level of a trend is worse.
func Worse(t *verdict.Trend, w *verdict.Worsening) string {
	against := "on the level before"
	if w.Anchor != "" {
		against = "at the anchor (" + w.Anchor + ")"
	}
	return t.Metric.Name + " is worse than " + against + ", by " + w.By + ", from " + w.From + " on"
}
