package diff

import (
	"slices"

	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
)

// quiet reports whether nothing tells the sides apart that matters: no verdict of the
// comparison that speaks for the report, which could have shown a change of usual size, an
// estimate below the threshold, and no finding of something that got worse.
func quiet(p *cause.Causes, h *Headline) bool {
	c := &h.Of
	if c.Metric.OfResult {
		same := func(c verdict.Comparison) bool { return c.Metric.OfResult && c.Verdict == verdict.Unchanged }
		unseen := p.Decided() && c.Verdict == verdict.Inconclusive && !c.DoesLean() && !c.Assumed() && (c.Main == nil || !c.Main.Asks)
		return unseen && slices.ContainsFunc(p.Metrics, same)
	}
	if !p.Decided() || c.Verdict != verdict.Inconclusive || c.Reason != verdict.ReasonNoise || h.Wide || h.goesOn() {
		return false
	}
	return !worsened(p)
}

// worsened reports whether a finding says that something got worse, or may have.
func worsened(p *cause.Causes) bool {
	return slices.ContainsFunc(p.Findings, func(f cause.Finding) bool {
		return f.LooksWorse() || f.Class == verdict.ClassLook && f.Effect >= p.Least()
	})
}
