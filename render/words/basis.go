package words

import (
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Basis says on what the headline stands.
func Basis(r *diff.Report) string {
	text := notJudgedSince(r) + r.Basis
	if len(r.Forced) > 0 {
		text = "Judged only because of --force: " + strings.Join(r.Forced, "; ") + ". " + text
	}
	if r.Left != "" {
		text = "Of what is left: " + sides.Lower(r.Left) + " " + text
	}
	return text
}

// notJudgedSince is the reason for which the metric that speaks for a report is not judged;
// "" it is, or the headline says it.
func notJudgedSince(r *diff.Report) string {
	at := slices.IndexFunc(r.Metrics, func(c verdict.Comparison) bool { return c.Key == r.Speaks })
	if at < 0 || !r.WithoutMetric() {
		return ""
	}
	c := r.Metrics[at]
	c.Reason = r.Reason // which may be that it needs past runs to gate
	return Why(&c)
}
