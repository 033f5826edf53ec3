package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Headline is what became of the metric that speaks for a report; render/words makes the
// sentence, by the reason of Of.
type Headline struct {
	Of   verdict.Comparison // the metric that speaks, with its verdict and reason
	Lost []Lack             // parts of the sides: too little is left to judge; nil: enough is
	// Of sides without steps: those that keep none ("baseline", "candidate"), and whether
	// steps were found there and all left out. CutAt is after how many s a clock ended both
	// captures, where they hold different amounts of work; 0: that is not known.
	Silent  []string
	LeftOut bool
	CutAt   float64
	// Cut is about files of one side that end early, where nothing is judged for what they lack; nil else.
	Cut *Warning
	// Wide: the worst that the interval holds is so large that nobody learns from hearing
	// that more is excluded. AsksForRuns: the policy asks for more runs whatever a plan says.
	// Within: something within the step changed, where nothing tells the sides apart.
	Wide, AsksForRuns, Within bool
	// Step is the median of the step, where Of is of something else; nil: it is not, or no step
	// time is known. Mean is the mean of the step where it changed otherwise than the median, and
	// Stalls the steps that make it; nil: none do.
	Step, Mean *verdict.Comparison
	Stalls     *cause.Stalls
	// Sum is the change of the mean step as the sum of its parts, Because the finding that explains it, and Whole the
	// comparison of the mean step; nil: not known.
	Sum     *cause.Sum
	Because *cause.Finding
	Whole   *verdict.Comparison
	// Jump is a change of level within the runs of one side, and Growth how the steps of both go
	// where the candidate's grow, where that is what to say first; nil: it is not.
	Jump   *cause.Jump
	Growth *[2]cause.Line
	// Open is the metric of the step by which the candidate is slower for all that is known and not
	// beyond chance, so that nothing passes: the mean one, or the drift of one that jumped; "": none.
	Open string
	// Secondary are other metrics that got worse where the step takes less time.
	Secondary []verdict.Comparison
	// Unlike is in what the sides are not alike, so that a change may be due to that alone; nil: in
	// nothing.
	Unlike []Unlike
	// Others counts the other numbers that runs printed, where Of is one of them; nil: it is not.
	Others *Others
	// Main is what main itself is told; nil: nothing, or the candidate is a pull request's.
	Main *MainFindings
	// Work is how much more or less the steps of the candidate do, where that is another job than
	// the baseline's; nil: it is not, or not known.
	Work *sides.StepWork
}

// newHeadline is the headline of what was compared, of which some parts are lost.
func newHeadline(p *cause.Causes, lost []Lack) Headline {
	h := Headline{Of: p.Gate, Lost: lost, Wide: p.Wide(&p.Gate), AsksForRuns: p.AsksForRuns(), Unlike: unlike(p), Work: p.Lined.Work}
	if h.Work == nil {
		h.Work = p.OtherFLOPs()
	}
	switch h.Of.Reason {
	case verdict.ReasonNoSteps:
		h.Silent, h.LeftOut = silent(p)
		if w, ok := p.WorkRate(); ok && w.Fixed && w.Sure && math.Abs(w.Rate-1) > p.Policy.Threshold {
			h.CutAt = w.Length
		}
	case verdict.ReasonNoise:
		h.Within = worsened(p)
	}
	if p.Decided() {
		h.tellStep(p)
	}
	if lacksSteps(&p.Gate) {
		h.Cut = cutFiles(p)
	}
	if h.Of.Metric.OfResult {
		h.Others = othersOf(p.Metrics, &h.Of)
	}
	return h
}

// lacksSteps reports whether nothing is judged for want of steps, or of facts that a side does not say.
func lacksSteps(c *verdict.Comparison) bool {
	switch c.Reason {
	case verdict.ReasonNoSteps, verdict.ReasonNotRecorded:
		return true
	case verdict.ReasonTooFewSteps:
		return c.StepsUsed < sides.MinSteps
	case verdict.ReasonEnvironment:
		return !slices.ContainsFunc(c.Context.Unequal, func(u verdict.Unequal) bool { return u.Base != "" && u.Cand != "" })
	}
	return false
}

// cutFiles returns the first of the files of a side that end early, and counts them; nil: none does.
func cutFiles(p *cause.Causes) (out *Warning) {
	for _, s := range []*sides.Side{p.Cand, p.Base} {
		for _, w := range s.Set.Warnings {
			if w.Cut == "" || out != nil && out.Side != s.Name {
				continue
			}
			if out == nil {
				out = &Warning{Side: s.Name, Warning: w}
			}
			out.Count++
		}
	}
	return out
}

// Others counts what else runs printed, by what became of it: what gates, and what regressed Beside that.
type Others struct{ Judged, Regressed, Improved, Beside int }

func othersOf(all []verdict.Comparison, of *verdict.Comparison) *Others {
	out := &Others{}
	for i := range all {
		c := &all[i]
		switch {
		case !c.Metric.OfResult || c.Key == of.Key || math.IsNaN(c.Estimate):
			continue
		case !c.Gating && c.Verdict == verdict.Regressed:
			out.Beside++
		}
		if !c.Gating {
			continue
		}
		out.Judged++
		switch c.Verdict {
		case verdict.Regressed:
			out.Regressed++
		case verdict.Improved:
			out.Improved++
		}
	}
	return out
}

// tellStep adds what is to be said of the step beside the comparison that speaks.
func (h *Headline) tellStep(p *cause.Causes) {
	step, mean := verdict.MetricOf(p.Metrics, sides.StepTime.Metric), verdict.MetricOf(p.Parts, run.StepTimeMean)
	if step == nil || mean == nil || p.Loads != nil {
		return
	}
	if h.Of.Key != sides.StepTime {
		h.Step = step
	}
	if h.Whole = mean; mean.PartsFrom(step) {
		h.Mean, h.Stalls = mean, p.StallsOf(mean, step)
	}
	h.tellCourse(p, step.Threshold*p.Step)
	if p.Unprofiled != nil && p.Unprofiled.Decides { // the parts are of other runs than those that decide
		h.Whole = nil
	} else if sum := p.Sum(h.Jump); len(sum.Rows) > 0 {
		h.Sum, h.Because = &sum, sum.Because(p.Findings)
	} else {
		h.Because = cause.Explains(p.Findings, mean.Delta)
	}
	for i := range p.Metrics {
		if c := &p.Metrics[i]; c.Secondary {
			h.Secondary = append(h.Secondary, *c)
		}
	}
	switch {
	case h.Of.Verdict == verdict.Regressed || !p.Policy.GatesStep():
	case h.Jump.Worse(step.Threshold * p.Step):
		h.Open = run.Drift
	case h.Mean != nil && mean.Estimate > 0 && (mean.Waiver == nil || mean.Above() > 0):
		h.Open = run.StepTimeMean
	}
}

// tellCourse adds how the steps go over a run where that comes first: a jump of the candidate whatever
// was decided, but for the one that contradicts it, and what else there is where nothing was. least is
// the change of the step that matters, s.
func (h *Headline) tellCourse(p *cause.Causes, least float64) {
	jump, open := p.Jump(&h.Of), h.Of.Verdict == verdict.Inconclusive || h.Of.Verdict == verdict.Unchanged
	switch {
	case jump.Worse(least), jump.Better(least) && h.Of.Verdict != verdict.Regressed, jump != nil && jump.Match != "" && open:
		h.Jump = jump
	case open:
		for i := range p.Findings {
			if f := &p.Findings[i]; f.Kind == policy.KindDrift && f.LooksWorse() {
				h.Growth = f.Lines
			}
		}
	}
}

// unsettled reports whether it is about a jump in the baseline, or growth in the candidate: another run
// may say something else.
func (h *Headline) unsettled() bool { return h.Jump != nil && h.Jump.Match != "" || h.Growth != nil }

// goesOn reports whether the headline is about how the steps go over a run.
func (h *Headline) goesOn() bool { return h.Jump != nil || h.Growth != nil }

// silent are the sides that keep no step, and whether any was found there.
func silent(p *cause.Causes) (names []string, found bool) {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.Kept) > 0 }) {
			continue
		}
		names = append(names, s.Name)
		found = found || slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.DropReasons) > 0 })
	}
	return names, found
}
