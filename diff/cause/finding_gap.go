package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// A gap before a collective is worth a line from these sizes on. Chosen, not measured: a
// launch takes some ten microseconds, and what is less than half a per cent of the step
// nobody looks for.
const (
	smallestGap = 100e-6 // s
	gapOfStep   = 0.005  // share of the candidate's step
	grownGap    = 1.5    // times the baseline, from which it is a change
	gapBefore   = run.GapBefore
)

// gapFinding reports how the longest gap before a collective changed, or that it is still there.
func gapFinding(p *Causes, somethingChanged bool) []Finding {
	var longest *verdict.Comparison
	size := func(c *verdict.Comparison) float64 { return math.Max(c.Base, c.Cand) }
	for i := range p.Parts {
		c := &p.Parts[i]
		if c.Metric.Name == gapBefore && !math.IsNaN(c.Delta) && (longest == nil || size(c) > size(longest)) {
			longest = c
		}
	}
	step := verdict.MetricOf(p.Metrics, sides.StepTime.Metric)
	if longest == nil || step == nil || size(longest) < smallestGap || size(longest) < gapOfStep*math.Max(step.Base, step.Cand) {
		return nil
	}
	calls := callsOf(p, longest.Part)
	cost := longest.Cand * calls
	f := NewFinding(policy.KindGapBefore)
	f.of(longest)
	f.Metric, f.Part, f.Section, f.Effect = gapBefore, longest.Part, "gaps", cost
	f.Evidence = Evidence{Kind: EvidenceCalls, Of: longest.Key, Counts: [2]int{int(math.Round(calls))}}
	f.Advice.Kind = AdviceGap
	switch {
	case longest.Changed() && longest.Cand > grownGap*longest.Base:
		f.Class = verdict.ClassWorse
		f.tested(longest)
		return []Finding{f}
	case longest.Changed() && longest.Base > grownGap*longest.Cand:
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
		f.tested(longest)
		return []Finding{f}
	case !somethingChanged || !(longest.Base >= longest.Cand/grownGap) || longest.Cand < smallestGap:
		return nil // nothing to be left over from
	}
	f.Class = verdict.ClassRemains
	return []Finding{f}
}

// callsOf returns how often a collective is called in a step of the candidate, 1
// where it is not known.
func callsOf(r *Causes, collective string) float64 {
	for i := range r.Parts {
		if c := &r.Parts[i]; c.Metric.Name == run.CollectiveCalls && c.Part == collective && c.Cand > 0 {
			return c.Cand
		}
	}
	return 1
}
