package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// headline says in one sentence what became of the step time.
func headline(p *cause.Causes, r *Report, c *verdict.Comparison) string {
	switch c.Reason {
	case verdict.ReasonSameFiles:
		return "Nothing was measured: both sides are " + p.SameWhat() + "."
	case verdict.ReasonNoSteps:
		if w, ok := p.WorkRate(); ok && w.Fixed && w.Sure && math.Abs(w.Rate-1) > p.Policy.Threshold {
			return fmt.Sprintf("No verdict: the clock ended both captures after %s, and they hold different amounts of work.", number.With(w.Length, "s"))
		}
		return "No verdict: " + without(p) + "."
	case verdict.ReasonOtherSteps:
		return "No verdict: a step is not the same unit of work on both sides."
	case verdict.ReasonLoad:
		return "No verdict: no engine step of one side is like one of the other."
	case verdict.ReasonNotRecorded:
		return "No verdict: " + verdict.Within(c) + " was not recorded."
	case verdict.ReasonNotJudged, verdict.ReasonNeedsHistory, verdict.ReasonKinds:
		return "No verdict: " + verdict.Within(c) + " is not judged."
	case verdict.ReasonUnclear:
		return doubtHeadline(p)
	case verdict.ReasonRankCount:
		return "No verdict: the jobs differ in size."
	case verdict.ReasonEnvironment:
		return "No verdict: the two sides are not comparable."
	case verdict.ReasonNoSteadyState:
		return "Cannot tell: the steps do not settle."
	case verdict.ReasonTooFewSteps:
		if c.StepsUsed < sides.MinSteps {
			return fmt.Sprintf("Too few steps to judge: %s. Record at least %d after the warm-up, better %d.", strings.ToLower(p.StepsHeld(c.StepsUsed)), sides.MinSteps, sides.GoodSteps)
		}
		return "Cannot tell: " + strings.ToLower(p.StepsHeld(c.StepsUsed)) + ", and " + known(p, c) + "."
	case verdict.ReasonNoCommonSteps:
		if p.Like != nil {
			return "Cannot tell: steps of like load change over the run, and the sides hold other numbers of them."
		}
		return "Cannot tell yet. Record the same steps on both sides."
	case verdict.ReasonNeedsRuns, verdict.ReasonManyMetrics:
		if c.DoesLean() {
			return probably(p, c)
		}
		return "Cannot tell yet: " + possible(c) + ". " + verdict.Record(c)
	case verdict.ReasonNoise:
		return withinNoise(p, r, c)
	}
	return decided(c)
}

// withinNoise is the headline where nothing tells the sides apart.
func withinNoise(p *cause.Causes, r *Report, c *verdict.Comparison) string {
	joint := ": "
	if p.Wide(c) {
		joint = ", but "
	}
	switch {
	case verdict.LeavesOutZero(c):
		return verdict.SubjectOf(c) + " changed by less than what matters: " + known(p, c) + "."
	case meanMoved(p, r, c):
		return "No change seen in the median step" + joint + known(p, c) + "; the mean step changed."
	case worsened(p, r):
		return "No change seen in the step as a whole" + joint + known(p, c) + "; something within it changed."
	case !p.Wide(c):
		return "No regression found; " + verdict.Shows(c) + "."
	}
	return "No change seen" + joint + known(p, c) + "."
}

// known says what is known of a change that an interval does not decide: what it leaves
// out where that is worth saying, else all that it holds.
func known(p *cause.Causes, c *verdict.Comparison) string {
	if p.Wide(c) {
		return possible(c)
	}
	return excluded(c)
}

// possible says all that an interval holds.
func possible(c *verdict.Comparison) string { return "anything between " + span(c) + " is possible" }

// span is an interval within a sentence: "−4 and +135 %".
func span(c *verdict.Comparison) string { return verdict.Ends(c, " and ") }

// excluded says what an interval that does not decide leaves out: "a rise above
// 5.8 % is excluded".
func excluded(c *verdict.Comparison) string {
	worse, bound, beyond := "a rise", c.Hi, " above "
	if c.Metric.Better == run.Higher {
		worse, bound, beyond = "a fall", -c.Lo, " by more than "
	}
	if bound <= 0 {
		return worse + " is excluded"
	}
	return worse + beyond + verdict.SizeOf(c, bound) + " is excluded"
}

func decided(c *verdict.Comparison) string {
	by := verdict.SizeOf(c, c.Estimate)
	if c.MeanOpposes() { // who reads no further must not take the one for the other
		by += " in the median, but " + c.MeanMoved()
	}
	switch c.Verdict {
	case verdict.Improved:
		return verdict.SubjectOf(c) + " improved by " + by + "."
	case verdict.Regressed:
		if above := c.AboveWaiver(); above != "" && c.Gate {
			by += ", " + above
		}
		return verdict.SubjectOf(c) + " regressed by " + by + "."
	}
	if (c.Lo > 0 || c.Hi < 0) && c.Equal > 0 {
		return verdict.SubjectOf(c) + " changed by less than " + verdict.Amount(c, c.Equal) + "."
	}
	return verdict.SubjectOf(c) + " did not change."
}

// without says which sides have no steps.
func without(p *cause.Causes) string {
	var names []string
	found := false
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.Kept) > 0 }) {
			continue
		}
		names = append(names, "the "+s.Name)
		found = found || slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return len(r.State) > 0 })
	}
	if found {
		return "every step was left out in " + strings.Join(names, " and in ")
	}
	return "no steps were found in " + strings.Join(names, " and in ")
}

// basis says on what the headline stands, as far as render/words does not say it by what
// else is known: of what is compared it says what metrics do not hold.
func basis(p *cause.Causes, r *Report, c *verdict.Comparison) string {
	r.Forced, r.ForcedUnequal = p.Forced, p.ForcedUnequal
	return ground(p, r, c)
}

func ground(p *cause.Causes, r *Report, c *verdict.Comparison) string {
	if c.Reason == verdict.ReasonNoSteps {
		return noStepsBasis(r)
	}
	switch {
	case c.Reason == verdict.ReasonOtherSteps:
		return number.Capital(p.Unit) + ". Record both sides with the same ranges around steps, or name a marker that both have; --force compares all the same."
	case c.Reason == verdict.ReasonLoad:
		return cause.Held(p.Like) + " Steps of other classes, sizes or contexts do other work, and their times say nothing of speed."
	case c.Reason == verdict.ReasonUnclear:
		return whyDoubted(p, r)
	case r.WithoutMetric():
		return ""
	}
	r.Level = p.LevelOfOne(c)
	r.Alike = p.AllAlike(c)
	return cause.Basis(p.Like) + p.SaidOfCopies()
}

// meanMoved reports whether the mean step changed for sure where the median did not: by
// its own interval, or by steps that stand out, by theirs.
func meanMoved(p *cause.Causes, r *Report, c *verdict.Comparison) bool {
	mean := verdict.MetricOf(r.Parts, run.StepTimeMean)
	return c.Key == sides.StepTime && c.MeanApart.Is() && mean != nil && (verdict.LeavesOutZero(mean) || slices.ContainsFunc(p.SpikeFindings(), func(f cause.Finding) bool { return f.Class != "look" }))
}

func noStepsBasis(r *Report) string {
	text := "Nothing is judged and no totals are compared: captures without steps may hold different amounts of work."
	if hint := cmp.Or(r.Base.Steps.Hint, r.Cand.Steps.Hint); hint != "" {
		r.Hints = []string{hint}
		return text + " Hint: " + hint + "."
	}
	return text
}
