package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// NotYet is what follows the direction of a change that is not decided: "slower, not yet
// beyond chance".
const NotYet = ", not yet beyond chance"

// Power is the chance with which a change of the stated size is found, and with which as
// many runs as are planned decide.
const Power = stat.Power

// Leans is the direction of a change that is large enough to matter and not yet beyond
// chance: "slower", "faster", or "worse", "better" of what is no step; "" where there is
// none. The estimate is at least the threshold, and the interval leaves out a change by
// the threshold the other way (or, of a gating metric, would leave out zero alone): that
// it went the other way is excluded, and only how far it went this way is open.
func (c *Comparison) Leans() string {
	if !c.leans() {
		return ""
	}
	words := [2]string{"worse", "better"}
	if c.ofSteps() {
		words = [2]string{"slower", "faster"}
	}
	if c.better() {
		return words[1]
	}
	return words[0]
}

func (c *Comparison) leans() bool {
	if c.Verdict != Inconclusive || c.Metric.Better == run.Neither || math.IsNaN(c.Lo) {
		return false
	}
	back := -c.Threshold // the same change the other way round
	if c.Logs {
		back = 1/(1+c.Threshold) - 1
	}
	switch {
	case c.Reason == ReasonManyMetrics:
		return true
	case c.Reason != ReasonNeedsRuns:
		return false
	case c.Estimate > 0:
		return c.Lo > back
	}
	return c.Hi < c.Threshold
}

// ofSteps reports whether people say slower and faster of a metric.
func (c *Comparison) ofSteps() bool { return c.Key == stepTime || c.Key.Metric == run.HostStepTime }

// better reports whether the estimate points to the better side.
func (c *Comparison) better() bool {
	return (c.Estimate < 0) == (c.Metric.Better == run.Lower)
}

// probably is the headline of a change that is not yet beyond chance: the estimate with
// both bounds, of which the nearer is the one to know, and what would decide.
func (p *Causes) probably(c *Comparison) string {
	text := "Probably " + c.Leans()
	if !c.ofSteps() {
		text = subjectOf(c) + " is probably " + c.Leans()
	}
	text += ": " + change(c, c.Estimate) + " (" + interval(c) + "). "
	if c.better() {
		text += "Not certain"
	} else {
		text += "Not certain enough to fail"
	}
	if p.asksForRuns() {
		return text + "." // by a rule of its own, which the gate's line says
	}
	return text + "; " + lower(record(c))
}

// asksForRuns reports whether the policy asks for three runs a side, whatever a plan says.
func (p *Judged) asksForRuns() bool {
	return p.policy.Escalate && min(len(p.base.runs), len(p.cand.runs)) < enoughRuns
}

// record says which runs would decide: "two more runs a side should decide."
func record(c *Comparison) string {
	more := c.RunsNeeded - min(c.Runs[0], c.Runs[1])
	switch {
	case c.RunsNeeded >= stat.MaxRuns:
		return "A difference this small would need " + number.Counted(stat.MaxRuns, "run") + " a side or more."
	case c.Runs[0] != c.Runs[1]:
		return number.Capital(number.Word(c.RunsNeeded)) + " runs a side should decide."
	case more == 1:
		return "One more run a side should decide."
	}
	return number.Capital(number.Word(more)) + " more runs a side should decide."
}

// shows says what pairs like this one would have shown: "this set-up would have shown
// 7.3 % or more (80 %)".
func shows(c *Comparison) string {
	return "this set-up would have shown " + sizeOf(c, c.Shown) + " or more (" + number.Setting(Power) + ")"
}

// setShown fills in what a comparison could have shown.
func (c *Comparison) setShown(t tested) {
	worse := 1.0
	if c.Metric.Better == run.Higher {
		worse = -1
	}
	c.Detectable = settled(t.back(stat.Detectable(t.Effect, t.Limits)))
	c.Shown = settled(math.Abs(t.back(worse * stat.Shown(t.Effect, t.Limits))))
}

// quiet reports whether nothing tells the sides apart that matters: no verdict of the
// comparison that speaks for the report, which could have shown a change of usual size, an
// estimate below the threshold, and no finding of something that got worse.
func (p *Causes) quiet(r *Report, c *Comparison) bool {
	if !r.Judged || c.Verdict != Inconclusive || c.Reason != ReasonNoise || p.wide(c) || p.meanMoved(r, c) {
		return false
	}
	return !p.worsened(r)
}

// worsened reports whether a finding says that something got worse, or may have.
func (p *Causes) worsened(r *Report) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Class == "worse" || f.Class == "look" && f.Effect >= p.least()
	})
}
