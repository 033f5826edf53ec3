package diff

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// unchangedCompute says that compute is not what changed: that it is unchanged only
// where its interval lies within the equality band, and that it shows no sign of a change
// only where it moved by less than what matters.
func (p *pair) unchangedCompute(r *Report, somethingChanged bool) []Finding {
	c := metricOf(r.Metrics, run.ComputeTime)
	if p.untold.why != "" {
		return nil
	}
	within := p.cancelling(r, c)
	if c == nil || !somethingChanged && within == "" || c.changed() || !(math.Abs(c.Estimate) <= p.policy.Equal()) || !c.Relative || !(c.Base > 0) {
		return nil
	}
	sc := c.scale()
	both := sc.Format(c.Base) + " and " + sc.With(c.Cand) + " a step"
	f := KindComputeUnchanged.finding()
	f.of(c)
	f.onMedians(c)
	f.Metric, f.Class, f.Section, f.Effect = run.ComputeTime, "stayed", "kernels", c.Delta
	f.Text = "Compute shows no sign of a change: " + both + "."
	switch equal := p.policy.Equal(); {
	case c.Verdict == Unchanged || math.Log1p(c.Lo) >= -math.Log1p(equal) && math.Log1p(c.Hi) <= math.Log1p(equal): // the same of the sides the other way round
		f.Class, f.Text = "unchanged", "Compute is unchanged: "+both+"."
	case math.Max(math.Abs(c.Estimate), math.Abs(c.Delta/c.Base)) > p.policy.Threshold:
		f.Text = "Compute may have changed, which this comparison cannot tell: " + both + "."
		if within != "" {
			f.Text = "Compute as a whole did not clearly change: " + both + "."
		}
	}
	f.Evidence = p.ground1(c)
	f.add(within)
	f.tellMean(c)
	return []Finding{f}
}

// cancelling says which kernels moved against each other within compute that did not
// change as a whole, or against what all of them share.
func (p *pair) cancelling(r *Report, c *Comparison) string {
	if c == nil {
		return ""
	}
	least := p.least()
	var up, down *computePart
	if shift := r.KernelShift * c.Base; math.Abs(r.KernelShift) >= leastChange && math.Abs(shift) >= least {
		sc := number.ScaleOf("s", c.Base)
		all := &computePart{delta: shift, words: allTake(r.KernelShift) + ", as with another clock (" + sc.SignedWith(shift) + ")"}
		if up = all; shift < 0 {
			up, down = nil, all
		}
	}
	parts := p.computeParts(r)
	for i := range parts { // the largest first
		switch x := &parts[i]; {
		case !x.sure || math.Abs(x.delta) < least:
		case x.delta > 0 && up == nil:
			up = x
		case x.delta < 0 && down == nil:
			down = x
		}
	}
	if up == nil || down == nil {
		return ""
	}
	return "; within it " + up.words + ", and " + down.words
}
