package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// What a finding says of a part of the step is what left the step, or came to it, as the
// waterfall has it; and where that is more than the step changed by, the reader is told
// why the one does not add up to the other.

// idleInput returns how long the device was idle waiting for input, as the waterfall has it; nil where that did not
// change together with the host's wait, by as much as matters.
func idleInput(p *Causes, wait *verdict.Comparison) *PartChange {
	for i := range p.Waterfall.Parts {
		x := &p.Waterfall.Parts[i].PartChange
		if x.Metric == run.IdleTime && x.Part == "input" && x.Delta*wait.Delta > 0 && math.Abs(x.Delta) >= p.Least() {
			return x
		}
	}
	return nil
}

// leftIdle turns a finding about the host's wait for input into one about the idle time of the device that it caused.
func (f *Finding) leftIdle(idle *PartChange) {
	f.Metric, f.Part = idle.Metric, idle.Part
	f.Base, f.Cand, f.Delta, f.Effect = idle.Base, idle.Cand, idle.Delta, idle.Delta
	f.Estimate, f.Lo, f.Hi, f.Relative = math.NaN(), idle.Lo, idle.Hi, false
	f.OfMeans = true
}

// largerThan is how many times larger than the change of the step a cause must be to be mentioned for it. Chosen, not
// measured: two medians of one change differ by less.
const largerThan = 1.1

// besideStep says of a finding about more time than the mean step changed by where the rest is.
func besideStep(p *Causes, f *Finding) {
	c := verdict.MetricOf(p.Metrics, sides.StepTime.Metric)
	if c == nil || f.Effect == 0 {
		return
	}
	sign := math.Copysign(1, f.Effect)
	base, cand := c.Shown()
	size, step := math.Abs(f.Effect), sign*(cand-base)
	if !(size > largerThan*step) || !(size-math.Max(0, step) >= p.Least()) {
		return
	}
	clause := ClauseStepLess.by(sign * step)
	if step < p.Least() {
		clause.Kind = ClauseStepSame
	}
	clause.Against = against(p, sign)
	f.add(clause)
}

// against returns the parts of the step that went the other way than sign, by as much as matters, the
// largest first: as the waterfall has them.
func against(p *Causes, sign float64) (out []PartChange) {
	for i := range p.Waterfall.Parts {
		if x := p.Waterfall.Parts[i].PartChange; -sign*x.Delta >= p.Least() {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b PartChange) int { return cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)) })
	return out[:min(len(out), mostParts)]
}
