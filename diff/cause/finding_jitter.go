package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// A change of jitter is worth a sentence from the ratio jitterRatio on: people look for one that doubles. It must be
// leastJitter of a step on the side where it is larger, and its p-value at most sureJitter: a few steps tell little
// about jitter. Chosen, not measured: TestDispersion holds that four times as much is seen, the story jitter that
// twice is.
const (
	jitterRatio = 1.6
	leastJitter = 0.01
	sureJitter  = 0.01
)

// jitterFinding says that steps differ more, or less, from one to the next, where it is
// sure: the median step hides it, and synchronous ranks wait for it.
func jitterFinding(p *Causes) []Finding {
	c := verdict.MetricOf(p.Parts, run.Dispersion)
	if c == nil || !c.Changed() || !(c.P <= sureJitter) || max(c.Base, c.Cand) < leastJitter {
		return nil
	}
	f := NewFinding(policy.KindJitter)
	f.of(c)
	f.tested(c)
	f.Metric, f.Section, f.Evidence = run.Dispersion, "steps", sampleOf(c)
	ratio := c.Cand / c.Base
	if f.Class = verdict.ClassLook; c.Delta < 0 { // a capture that lost launches jitters as well
		ratio = c.Base / c.Cand
	} else {
		f.Advice.Kind = AdviceJitter
	}
	if ratio < jitterRatio {
		return nil
	}
	return []Finding{f}
}
