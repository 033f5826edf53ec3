package diff_test

import (
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

// The tests of what is said read it as people do.
func init() {
	diff.ShownBasis, diff.ShownWhy = words.Basis, words.Why
	diff.ShownHeadline, diff.ShownGateLine, diff.ShownGate = words.Headline, words.GateLine, words.GateCauses
	diff.ShownLeftOut = words.WhyLeftOut
	diff.ShownHistory, diff.ShownWarning = words.History, words.Warning
	diff.Shown = func(r *diff.Report, f *cause.Finding) diff.Said {
		w := words.Of(r, f)
		return diff.Said{Number: w.Number, Unit: w.NumberIn, Text: w.Text, Evidence: w.Evidence, Advice: w.Advice}
	}
}
