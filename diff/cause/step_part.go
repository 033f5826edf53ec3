package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// partsTold holds what other findings already tell when those about the parts of the step are made.
type partsTold struct {
	late     *explainedByLate    // by late ranks; nil: they explain nothing
	schedule *verdict.Comparison // the bubble that another schedule makes; nil: none
	pageable []Finding           // about pageable copies
	apart    bool                // waiting and transfer are told apart, which moved against each other
	said     map[string]float64  // s a step, by metric: what findings about parts say so far
}

// explained is who explains whom: a part of the step has no finding where another one says the same
// more exactly. of is the part; "" is any.
var explained = []struct {
	of string
	by func(p *Causes, t *partsTold, c *verdict.Comparison) bool
}{
	{run.CommTime, exposedIsKnown},
	{run.ExposedMemoryTime, func(_ *Causes, t *partsTold, c *verdict.Comparison) bool { return explainCopies(t.pageable, c) }},
	{run.ExposedCommTime, func(_ *Causes, t *partsTold, _ *verdict.Comparison) bool { return t.apart }},
	{run.IdleTime, inputIsTold},
	{"", func(_ *Causes, t *partsTold, c *verdict.Comparison) bool { return t.late.explains(c) }},
	{"", madeBySchedule},
}

// isExplained reports whether another finding already reports a change of a part of the step.
func (t *partsTold) isExplained(p *Causes, c *verdict.Comparison) bool {
	for i := range explained {
		if x := &explained[i]; (x.of == "" || x.of == c.Metric.Name) && x.by(p, t, c) {
			return true
		}
	}
	return false
}

// exposedIsKnown reports whether exposed communication is known: hidden communication costs nothing.
func exposedIsKnown(p *Causes, _ *partsTold, _ *verdict.Comparison) bool {
	exposed := verdict.MetricOf(p.Metrics, run.ExposedCommTime)
	return exposed != nil && !math.IsNaN(exposed.Delta)
}

// inputIsTold reports whether a change of idle time is at least half explained by waiting for input.
func inputIsTold(_ *Causes, t *partsTold, c *verdict.Comparison) bool {
	within := t.said[run.InputWaitTime]
	return within*c.Delta > 0 && math.Abs(within) >= math.Abs(c.Delta)/2
}

// madeBySchedule reports whether another schedule explains a change: in its bubble ranks neither compute nor wait for
// input.
func madeBySchedule(_ *Causes, t *partsTold, c *verdict.Comparison) bool {
	return c.Metric.Name != run.InputWaitTime && c.Metric.Name != run.ComputeTime && withinBubble(t.schedule, c)
}

// partReasons say why a part of the step changed, by metric.
var partReasons = map[string]func(p *Causes, t *partsTold, f *Finding, c *verdict.Comparison){
	run.ExposedCommTime: exposedReasons,
	run.IdleTime:        giveIdleReasons,
	run.InputWaitTime:   inputReasons,
	run.ComputeTime: func(p *Causes, _ *partsTold, f *Finding, c *verdict.Comparison) {
		f.because(p.ComputeWhy(c))
		f.add(sameWork(p, c)...)
	},
	run.ExposedMemoryTime: func(p *Causes, _ *partsTold, f *Finding, c *verdict.Comparison) { f.because(memoryWhy(p, c)) },
}

// because adds reasons after the sentence, and advice about them; without reasons it does nothing.
func (f *Finding) because(why []Clause, advice Advice) {
	if len(why) > 0 {
		f.add(why...)
		f.Advice = advice
	}
}

func exposedReasons(p *Causes, t *partsTold, f *Finding, c *verdict.Comparison) {
	why, advice := Arrivals(p, t.late)
	if len(why) == 0 {
		why, advice = Inseparable(p)
	}
	f.because(why, advice)
	f.pushed = pushedOut(p, t.late)
	o := verdict.MetricOf(p.Metrics, run.Overlap)
	if o != nil && math.Max(o.Base, o.Cand) < noOverlap && c.Delta < 0 && c.Cand >= p.Least() {
		for _, b := range p.Bounds {
			if b.If == AllHidden && b.Cand > 0 {
				f.add(ClauseNoOverlap.fromTo(b.Base, b.Cand))
			}
		}
	}
}

// noOverlap is the share of communication below which compute hides none of it. Chosen, not measured: it is shown as 0 %.
const noOverlap = 0.005

func giveIdleReasons(p *Causes, _ *partsTold, f *Finding, c *verdict.Comparison) {
	why, advice, reasons := p.IdleWhy(c)
	f.because(why, advice)
	f.Reasons = reasons
}

// inputReasons replaces the host's wait by the idle time of the device that it caused, where that is known.
func inputReasons(p *Causes, t *partsTold, f *Finding, c *verdict.Comparison) {
	f.Advice = adviceOfIdle("input")
	if m := c.MayBeInput; m != [2]float64{} {
		f.add(ClauseAtLeast.fromTo(m[0], m[1]))
	}
	if idle := idleInput(p, c); idle != nil {
		f.leftIdle(idle)
		t.said[run.InputWaitTime] = idle.Delta
		return
	}
	f.add(idleOfInput(p, c)...)
}

// changedTimes returns the findings about parts of the step, the largest first. A part that contains another one that
// moved as far comes after it, or gets none: see explained.
func changedTimes(p *Causes, t *partsTold) (out []Finding) {
	against, apart := movedAgainst(p, t.late)
	for i := range against {
		if c := verdict.MetricOf(p.Parts, against[i].Metric); c == nil || !withinBubble(t.schedule, c) {
			out = append(out, against[i])
		}
	}
	t.apart, t.said = apart, map[string]float64{}
	for _, s := range partsOfStep {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c != nil && c.Changed() && !t.isExplained(p, c) {
			out = append(out, partFinding(p, t, s, c))
		}
	}
	return slices.Concat(out, idleCauses(p, t.said[run.IdleTime], t.late))
}

// partFinding returns the one about a part of the step, with its reasons.
func partFinding(p *Causes, t *partsTold, s subject, c *verdict.Comparison) Finding {
	t.said[s.metric] = c.Delta
	f := changeFinding(p, s, c)
	if give := partReasons[s.metric]; give != nil {
		give(p, t, &f, c)
	}
	if f.Metric == s.metric {
		f.addMean(c)
	}
	if f.Class == verdict.ClassBetter {
		f.Advice = Advice{}
	}
	return f
}
