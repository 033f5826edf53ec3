package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// headline says in one sentence what became of the step time.
func (p *Causes) headline(r *Report, c *Comparison) string {
	switch c.Reason {
	case ReasonSameFiles:
		return "Nothing was measured: both sides are " + p.sameWhat() + "."
	case ReasonNoSteps:
		if w, ok := p.workRate(); ok && w.Fixed && w.sure && math.Abs(w.Rate-1) > p.policy.Threshold {
			return fmt.Sprintf("No verdict: the clock ended both captures after %s, and they hold different amounts of work.", number.With(w.Length, "s"))
		}
		return "No verdict: " + p.without() + "."
	case ReasonOtherSteps:
		return "No verdict: a step is not the same unit of work on both sides."
	case ReasonLoad:
		return "No verdict: no engine step of one side is like one of the other."
	case ReasonNotRecorded:
		return "No verdict: " + within(c) + " was not recorded."
	case ReasonNotJudged, ReasonNeedsHistory, ReasonKinds:
		return "No verdict: " + within(c) + " is not judged."
	case ReasonUnclear:
		return p.doubtHeadline()
	case ReasonRankCount:
		return "No verdict: the jobs differ in size."
	case ReasonEnvironment:
		return "No verdict: the two sides are not comparable."
	case ReasonNoSteadyState:
		return "Cannot tell: the steps do not settle."
	case ReasonTooFewSteps:
		if c.StepsUsed < minSteps {
			return fmt.Sprintf("Too few steps to judge: %s. Record at least %d after the warm-up, better %d.", strings.ToLower(p.stepsHeld(c.StepsUsed)), minSteps, goodSteps)
		}
		return "Cannot tell: " + strings.ToLower(p.stepsHeld(c.StepsUsed)) + ", and " + p.known(c) + "."
	case ReasonNoCommonSteps:
		if p.like != nil {
			return "Cannot tell: steps of like load change over the run, and the sides hold other numbers of them."
		}
		return "Cannot tell yet. Record the same steps on both sides."
	case ReasonNeedsRuns, ReasonManyMetrics:
		if c.leans() {
			return p.probably(c)
		}
		return "Cannot tell yet: " + possible(c) + ". " + record(c)
	case ReasonNoise:
		return p.withinNoise(r, c)
	}
	return decided(c)
}

// sameWhat is what both sides are where they are the same.
func (p *Judged) sameWhat() string {
	if p.again {
		return "one recording, exported twice"
	}
	return "the same files"
}

// withinNoise is the headline where nothing tells the sides apart.
func (p *Causes) withinNoise(r *Report, c *Comparison) string {
	joint := ": "
	if p.wide(c) {
		joint = ", but "
	}
	switch {
	case leavesOutZero(c):
		return subjectOf(c) + " changed by less than what matters: " + p.known(c) + "."
	case p.meanMoved(r, c):
		return "No change seen in the median step" + joint + p.known(c) + "; the mean step changed."
	case p.worsened(r):
		return "No change seen in the step as a whole" + joint + p.known(c) + "; something within it changed."
	case !p.wide(c):
		return "No regression found; " + shows(c) + "."
	}
	return "No change seen" + joint + p.known(c) + "."
}

// leavesOutZero reports whether an interval holds a change for sure, taken alone.
func leavesOutZero(c *Comparison) bool { return c.Lo > 0 || c.Hi < 0 }

// sayNothing is the size of a change from which nobody learns anything from hearing that
// larger ones are excluded: as a fraction of the baseline, of the step for a time.
// Chosen, not measured: a step that takes a quarter longer is seen without a test.
const sayNothing = 0.25

// wide reports whether the worst that an interval holds is so large.
func (p *Judged) wide(c *Comparison) bool {
	worst := c.Hi
	if c.Metric.Better == run.Higher {
		worst = -c.Lo
	}
	switch {
	case c.Relative, c.Metric.Unit == "ratio":
		return worst >= sayNothing
	case c.Metric.Unit == "s":
		return worst >= sayNothing*p.step
	}
	return false
}

// known says what is known of a change that an interval does not decide: what it leaves
// out where that is worth saying, else all that it holds.
func (p *Causes) known(c *Comparison) string {
	if p.wide(c) {
		return possible(c)
	}
	return excluded(c)
}

// possible says all that an interval holds.
func possible(c *Comparison) string { return "anything between " + span(c) + " is possible" }

// span is an interval within a sentence: "−4 and +135 %".
func span(c *Comparison) string { return ends(c, " and ") }

// excluded says what an interval that does not decide leaves out: "a rise above
// 5.8 % is excluded".
func excluded(c *Comparison) string {
	worse, bound, beyond := "a rise", c.Hi, " above "
	if c.Metric.Better == run.Higher {
		worse, bound, beyond = "a fall", -c.Lo, " by more than "
	}
	if bound <= 0 {
		return worse + " is excluded"
	}
	return worse + beyond + sizeOf(c, bound) + " is excluded"
}

func decided(c *Comparison) string {
	by := sizeOf(c, c.Estimate)
	if c.meanOpposes() { // who reads no further must not take the one for the other
		by += " in the median, but " + c.meanMoved
	}
	switch c.Verdict {
	case Improved:
		return subjectOf(c) + " improved by " + by + "."
	case Regressed:
		if above := c.aboveWaiver(); above != "" && c.Gate {
			by += ", " + above
		}
		return subjectOf(c) + " regressed by " + by + "."
	}
	if (c.Lo > 0 || c.Hi < 0) && c.Equal > 0 {
		return subjectOf(c) + " changed by less than " + amount(c, c.Equal) + "."
	}
	return subjectOf(c) + " did not change."
}

// within is the subject within a sentence.
func within(c *Comparison) string {
	if c.Key == stepTime {
		return "the step time"
	}
	return lower(subjectOf(c))
}

// lower is text as it stands within a sentence.
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// without says which sides have no steps.
func (p *Causes) without() string {
	var names []string
	found := false
	for _, s := range []*side{p.base, p.cand} {
		if slices.ContainsFunc(s.runs, func(r *oneRun) bool { return len(r.kept) > 0 }) {
			continue
		}
		names = append(names, "the "+s.name)
		found = found || slices.ContainsFunc(s.runs, func(r *oneRun) bool { return len(r.state) > 0 })
	}
	if found {
		return "every step was left out in " + strings.Join(names, " and in ")
	}
	return "no steps were found in " + strings.Join(names, " and in ")
}

// basis says on what the headline stands.
func (p *Causes) basis(r *Report, c *Comparison) string {
	text := p.ground(r, c)
	if len(p.forced) > 0 {
		text = "Judged only because of --force: " + strings.Join(p.forced, "; ") + ". " + text
		r.Key = ""
	}
	if p.same && c.Reason != ReasonSameFiles { // the headline says something else
		text += " Both sides are " + p.sameWhat() + "."
	}
	return text + r.kindsLetThrough()
}

func (p *Causes) ground(r *Report, c *Comparison) string {
	if c.Reason == ReasonNoSteps {
		return noStepsBasis(r)
	}
	switch {
	case c.Reason == ReasonOtherSteps:
		return number.Capital(p.unit) + ". Record both sides with the same ranges around steps, or name a marker that both have; --force compares all the same."
	case c.Reason == ReasonLoad:
		return p.like.held() + " Steps of other classes, sizes or contexts do other work, and their times say nothing of speed."
	case c.Reason == ReasonUnclear:
		return p.whyDoubted(r)
	case slices.Contains([]string{ReasonNotRecorded, ReasonNotJudged, ReasonNeedsHistory, ReasonKinds}, c.Reason):
		return c.Why
	}
	if c.Key == stepTime && p.loadKinds() == nil {
		r.Key = medians(c) + p.mediansAlone(c)
	}
	text := p.typicalOf(c) + medians(c) + p.mediansAlone(c) + ". " + cmp.Or(p.levelNote(c), p.meanStep(c)) +
		p.withinRuns(c) + p.overRun(c) + p.interval(c) + p.sample(c) + p.floorNote(c) + "." + p.tipping(c) + p.allAlike(c)
	if c.Verdict == Regressed && !c.Gate {
		text += c.letThrough()
	}
	if p.environment != "" {
		text += " Measured, not judged: " + p.environment + "."
	}
	if p.sizes != "" {
		text += " Measured, not judged: " + p.sizes + "."
	}
	if !p.plan.paired && p.plan.steps >= minSteps {
		text += " Steps are not compared one by one: " + p.inCommon() + "."
	}
	return text + p.like.basis() + p.saidOfCopies() + missing("baseline", r.Base) + missing("candidate", r.Cand)
}

// meanStep states the mean step where it tells another story than the median, and the
// changes of both where the estimate is neither.
func (p *Causes) meanStep(c *Comparison) (text string) {
	if c.Key != stepTime {
		return ""
	}
	if c.MeanNote != "" {
		sc := number.ScaleOf("s", math.Max(c.BaseMean, c.CandMean))
		text = fmt.Sprintf("Mean step %s and %s: %s. ", sc.Format(c.BaseMean), sc.With(c.CandMean), c.meanSince)
	}
	if c.EstimateNote != "" && c.beyond() > farOutside*c.Threshold {
		medians, means := c.changes()
		text += fmt.Sprintf("The medians changed by %s, the means by %s, the estimate is %s: %s. ",
			change(c, medians), change(c, means), change(c, c.Estimate), c.estimateWhy)
	}
	return text
}

// meanMoved reports whether the mean step changed for sure where the median did not: by
// its own interval, or by steps that stand out, by theirs.
func (p *Causes) meanMoved(r *Report, c *Comparison) bool {
	mean := metricOf(r.Parts, run.StepTimeMean)
	return c.Key == stepTime && c.MeanNote != "" && mean != nil && (leavesOutZero(mean) || slices.ContainsFunc(p.spikeFindings(), func(f Finding) bool { return f.Class != "look" }))
}

func noStepsBasis(r *Report) string {
	text := "Nothing is judged and no totals are compared: captures without steps may hold different amounts of work."
	if hint := cmp.Or(r.Base.Steps.Hint, r.Cand.Steps.Hint); hint != "" {
		r.Hints = []string{hint}
		return text + " Hint: " + hint + "."
	}
	return text
}

// medians writes both medians, with an arrow only where a change is certain.
func medians(c *Comparison) string {
	sc := c.scale()
	between := " and "
	if c.Verdict == Improved || c.Verdict == Regressed {
		between = " \u2192 "
	}
	if c.Metric.Unit == "ratio" {
		return number.Share(c.Base) + between + number.Share(c.Cand)
	}
	return sc.Format(c.Base) + between + sc.With(c.Cand)
}

// interval writes what the test says.
func (p *Causes) interval(c *Comparison) string {
	if c.Reason == ReasonSameFiles || math.IsNaN(c.Lo) {
		return ""
	}
	return number.Setting(1-p.policy.Alpha) + " interval " + interval(c) + "; threshold " + amount(c, c.Threshold) + "; "
}

func (p *Causes) floorNote(c *Comparison) string {
	if c.Reason == ReasonSameFiles || math.IsNaN(c.Lo) {
		return ""
	}
	floor := amount(c, c.Floor)
	if c.History > 0 {
		return "; runs differ by " + floor + ", from " + number.Counted(c.History, "past run")
	}
	return "; no history, noise floor " + floor + " assumed"
}

// sample writes what was compared: "1 run of 16 ranks × 18 steps a side".
func (p *Causes) sample(c *Comparison) string {
	runs := number.Counted(c.Runs[0], "run")
	if c.Runs[0] != c.Runs[1] {
		runs = number.Count(c.Runs[0]) + " and " + number.Counted(c.Runs[1], "run")
	}
	ranks := number.Counted(c.Ranks[0], "rank")
	if c.Ranks[0] != c.Ranks[1] {
		ranks = number.Count(c.Ranks[0]) + " and " + number.Counted(c.Ranks[1], "rank")
	}
	steps := number.Counted(c.StepsUsed, "step")
	if !p.plan.paired {
		steps = number.Count(c.StepsUsed) + " or more steps"
	}
	return runs + " of " + ranks + " \u00d7 " + steps + " a side"
}

func (p *Judged) inCommon() string {
	if p.plan.unnumbered {
		return "steps found by launches have no numbers, and the runs have different numbers of them"
	}
	if p.plan.disjoint {
		return "no step number is on both sides"
	}
	return "only " + number.Counted(p.plan.common, "step number") + " on both sides"
}

// missing names the ranks and files that a side lacks.
func missing(name string, s Side) string {
	text := ""
	switch n := len(s.Missing); {
	case n == 1:
		text += fmt.Sprintf(" Rank %d of the %s is missing.", s.Missing[0], name)
	case n > 1:
		text += fmt.Sprintf(" %s of the %s are missing: %s.", number.Counted(n, "rank"), name, number.Ranges(s.Missing))
	}
	bad := 0
	for _, f := range s.Files {
		if f.Err != "" {
			bad++
		}
	}
	if bad == 1 {
		return text + " 1 file of the " + name + " was left out."
	}
	if bad > 1 {
		text += " " + number.Counted(bad, "file") + " of the " + name + " were left out."
	}
	return text
}
