// Package difftest has the jobs and run sets of which the tests of diff and of its rooms are
// made, and what a report says of them, as people read it.
package difftest

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// Said is a finding in words.
type Said struct{ Number, Unit, Text, Evidence, Advice string }

// Shown returns a finding of r in words.
func Shown(r *diff.Report, f *cause.Finding) Said {
	w := words.Of(r, f)
	return Said{Number: w.Number, Unit: w.NumberIn, Text: w.Text, Evidence: w.Evidence, Advice: w.Advice}
}

// WhyLeft says why a past run does not count.
func WhyLeft(r *verdict.PastRun) string { return words.WhyLeftOut(&r.Why) }

// BasisOf says what was measured, and what the verdict of a report is based on.
func BasisOf(r *diff.Report) string {
	a := words.AnswerOf(r)
	return a.Text()
}

// HeadlineOf returns the headline of a report.
func HeadlineOf(r *diff.Report) string { return words.Headline(&r.Headline) }

// GateLineOf returns the line on the gate.
func GateLineOf(r *diff.Report) string { return words.GateLine(r) }

// WhySaid says why a comparison got its verdict.
func WhySaid(c *verdict.Comparison) string { return words.Why(c) }

// TextOf returns the sentence of a finding.
func TextOf(r *diff.Report, f *cause.Finding) string { return Shown(r, f).Text }

// SaidOf returns the first finding about a metric in words: number, unit, class and sentence; "" without one.
func SaidOf(r *diff.Report, metric string) string {
	for _, f := range r.Findings {
		if f.Metric == metric {
			x := Shown(r, &f)
			return strings.ReplaceAll(x.Number+" "+x.Unit+" "+f.Class.String()+": "+x.Text, number.Space, " ")
		}
	}
	return ""
}

// Plain writes a sentence with ordinary spaces and minus signs.
func Plain(s string) string {
	return strings.NewReplacer("\u202f", " ", "\u2009", " ", "\u2212", "-", "\u2192", "->", "\u00d7", "x", "\u00b1", "+-").Replace(s)
}
