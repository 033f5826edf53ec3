package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// unchangedCompute says that compute did not change: "unchanged" only where its interval lies within the equality
// band, and "no sign of a change" only where it moved by less than what matters.
func unchangedCompute(p *Causes, somethingChanged bool) []Finding {
	c := verdict.MetricOf(p.Metrics, run.ComputeTime)
	if !p.NotCompared.Known() {
		return nil
	}
	within := p.Cancelling(c)
	if c == nil || !somethingChanged && within == nil || c.Changed() || !(math.Abs(c.Estimate) <= p.Policy.Equal()) || !c.Relative || !(c.Base > 0) {
		return nil
	}
	f := NewFinding(policy.KindComputeUnchanged)
	f.of(c)
	f.tested(c)
	f.Metric, f.Class, f.Section, f.Effect = run.ComputeTime, verdict.ClassStayed, "kernels", c.Delta
	switch equal := p.Policy.Equal(); {
	case c.Verdict == verdict.Unchanged || math.Log1p(c.Lo) >= -math.Log1p(equal) && math.Log1p(c.Hi) <= math.Log1p(equal): // the same of the sides the other way round
		f.Class = verdict.ClassUnchanged
	case math.Max(math.Abs(c.Estimate), math.Abs(c.Delta/c.Base)) > p.Policy.Threshold:
		f.Unsure = true
	}
	f.Evidence = sampleOf(c)
	f.add(within...)
	f.addMean(c)
	return []Finding{f}
}

// Cancelling says which kernels moved against each other, or against the shift that all share, within compute that did
// not change as a whole.
func (p *Causes) Cancelling(c *verdict.Comparison) []Clause {
	if c == nil {
		return nil
	}
	least := p.Least()
	var up, down *KernelPart
	if shift := float64(p.KernelShift * c.Base); math.Abs(p.KernelShift) >= LeastChange && math.Abs(shift) >= least {
		all := &KernelPart{Kind: KernelAll, Shift: p.KernelShift, Base: c.Base, Cand: c.Base + shift, Delta: shift}
		if up = all; shift < 0 {
			up, down = nil, all
		}
	}
	parts := computeParts(p)
	for i := range parts { // the largest first
		switch x := &parts[i]; {
		case !x.sure || math.Abs(x.Delta) < least:
		case x.Delta > 0 && up == nil:
			up = x
		case x.Delta < 0 && down == nil:
			down = x
		}
	}
	if up == nil || down == nil {
		return nil
	}
	within := ClauseWithin.clause()
	within.Kernels = []KernelPart{*up, *down}
	return []Clause{within}
}
