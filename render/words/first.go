package words

import (
	"cmp"
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// What a headline says of the step where the comparison that speaks does not say all of it.

// first says how the steps go over a run, how their mean moved, or that another metric regressed and the step did not;
// "" if the sentence of the reason says it all.
func first(h *diff.Headline) string {
	switch {
	case h.Jump != nil:
		return jump(h)
	case h.Growth != nil:
		return growth(h)
	case h.Of.Key.Metric == run.StepTimeMean && h.Step != nil:
		return number.Capital(meanStory(h)) + "."
	case h.Step != nil && h.Of.Verdict == verdict.Regressed:
		return stepBeside(h) + "; " + number.Lower(decided(&h.Of))
	}
	return ""
}

// jump returns a change of level in the runs of per side: of the candidate by the means of the steps from there on.
func jump(h *diff.Headline) string {
	j := h.Jump
	if j.Match != "" {
		return fmt.Sprintf("The baseline itself got %s at step %d; the candidate matches %s.", slowerOrFaster(j.Change), j.Step, matches[j.Match])
	}
	base, cand := j.Before, j.After
	if s := h.Sum; s != nil && s.From == j.Step {
		base, cand = s.Base, s.Cand
	}
	by := cand - base
	return fmt.Sprintf("From step %d on, steps take %s %s (%s).", j.Step, number.RowOf("s", base, cand, cand-base).With(math.Abs(by)), longerOrLess(by), asPercent(by/base))
}

// matches names what per side without a jump matches of the one with it.
var matches = map[cause.Match]string{
	cause.MatchesBefore: "the time before", cause.MatchesAfter: "the time after", cause.MatchesNeither: "neither level",
}

func slowerOrFaster(change float64) string {
	if change > 0 {
		return "slower"
	}
	return "faster"
}

// growth says that steps take longer as the run goes on.
func growth(h *diff.Headline) string {
	x := &h.Growth[1]
	return "Steps get slower as the run goes on: " + times(x.First, x.Last) + " over " + number.Counted(h.Of.StepsUsed, "step") + "."
}

// slight is the change from which on steps that change by less than the limit no longer take as long as before, a
// fraction. Chosen, not measured: a reader takes less for none.
const slight = 0.01

// decidedOf writes the headline of what was decided: of steps by how much, and why.
func decidedOf(h *diff.Headline) string {
	c := spoken(h)
	switch {
	case !c.OfSteps():
		text := decided(c)
		if h.Mean == nil || c.MeanOpposes() {
			return text
		}
		return text[:len(text)-1] + "; " + meanRose(h) + "."
	case h.Mean != nil:
		return number.Capital(meanStory(h)) + "."
	}
	if c.Verdict == verdict.Unchanged && verdict.LeavesOutZero(c) && math.Abs(c.Estimate) >= slight {
		return "Steps take " + stepChange(h) + ", less than the limit of " + Amount(c, c.Threshold) + "."
	}
	if c.Verdict == verdict.Unchanged {
		base, cand, _ := stepTimes(h)
		sc := number.ScaleOf("s", math.Max(base, cand))
		within := ""
		if widest := math.Max(math.Abs(c.Lo), math.Abs(c.Hi)); !math.IsNaN(widest) {
			within = ", within " + sizeOf(c, widest)
		}
		return "Steps take as long as before" + within + ": " + sc.Format(base) + " and " + sc.With(cand) + "."
	}
	return "Steps take " + stepChange(h) + why(h) + "."
}

// stepChange says how much longer steps take: "5.0 ms longer (+17 %)". Where both values say otherwise than the estimate,
// which compares the same steps, or is of other runs, or not half of it, it is the estimate alone.
func stepChange(h *diff.Headline) string {
	base, cand, row := stepTimes(h)
	if by := cand - base; float64(by*h.Of.Estimate) >= 0 && math.Abs(by/base) >= math.Abs(h.Of.Estimate)/2 {
		return row.With(math.Abs(by)) + " " + longerOrLess(by) + " (" + asPercent(by/base) + ")"
	}
	return sizeOf(&h.Of, h.Of.Estimate) + " " + longerOrLess(h.Of.Estimate)
}

// why follows the size of a change in the headline: what a waiver lets through of it, what went the other way, or the
// cause; "" where nothing of it is known.
func why(h *diff.Headline) string {
	if above := aboveWaiver(&h.Of); above != "" && h.Of.Gating && h.Of.Verdict == verdict.Regressed {
		return ", " + above
	}
	if h.Unlike != nil {
		return ""
	}
	if h.Sum != nil && h.Of.Verdict == verdict.Improved {
		for i := range h.Sum.Rows {
			if x := &h.Sum.Rows[i]; !x.Follows && sumClass(x) == verdict.ClassWorse {
				return ", although " + cmp.Or(sumNouns[x.Kind], number.Lower(sumPart(x.Kind))) + " takes " + number.RowOf("s", x.Base, x.Cand, x.Delta).With(x.Delta) + " more"
			}
		}
	}
	if by := clockMovedBy(h.Because); by != "" {
		return by
	}
	if text := because(h.Because); text != "" {
		return ", because " + text
	}
	return ""
}

// stepBeside says what the step did when another metric regressed.
func stepBeside(h *diff.Headline) string {
	c := h.Step
	row, by := number.RowOf("s", c.Base, c.Cand, c.Delta), c.Cand-c.Base
	steps := "Steps take " + row.With(math.Abs(by)) + " " + longerOrLess(by) + " (" + asPercent(by/c.Base) + ")"
	switch {
	case h.Mean != nil:
		return number.Capital(meanStory(h))
	case c.Verdict == verdict.Regressed:
		return steps + ", which the policy lets through"
	case c.Verdict == verdict.Improved:
		return steps
	case c.Verdict == verdict.Unchanged:
		return "Steps take as long as before"
	case c.DoesLean():
		return "Steps took " + sizeOf(c, c.Estimate) + " " + longerOrLess(c.Estimate) + notYet
	}
	return "No change seen in the step as a whole"
}

// meanStory returns how the mean step moved, why, and what the median did.
func meanStory(h *diff.Headline) string { return meanRose(h) + "; " + medianDid(usualStep(h)) }

// meanRose returns how the mean step moved, and why where that is known.
func meanRose(h *diff.Headline) string {
	mean := cmp.Or(h.Mean, &h.Of)
	base, cand := meanOfRow(h, mean)
	text := "the mean step " + verb(mean.Delta) + " " + times(base, cand)
	if h.Stalls == nil {
		return text
	}
	return text + ", because " + stalled(h.Stalls)
}

// meanOfRow returns the mean step of both sides as its row in every table has it, which of several runs is not what
// was tested; where there is no such row, what was.
func meanOfRow(h *diff.Headline, mean *verdict.Comparison) (base, cand float64) {
	if s := usualStep(h); s.Key == sides.StepTime && s.BaseMean > 0 && s.CandMean > 0 {
		return s.BaseMean, s.CandMean
	}
	return mean.Base, mean.Cand
}

// stalled says which steps took long, to follow "because".
func stalled(s *cause.Stalls) string {
	longest := seconds(s.Time)
	switch {
	case s.Period > 0:
		return fmt.Sprintf("every %s step of the %s takes far longer", number.Ordinal(s.Period), s.Side)
	case s.Steps == 1 && s.OfRuns == 1:
		return "one step of the " + s.Side + " took " + longest
	case s.Steps == 1:
		return "one step of run " + s.Run + " of the " + s.Side + " took " + longest
	case s.OfRuns == 1:
		return number.Word(s.Steps) + " steps of the " + s.Side + " took up to " + longest
	case s.Steps == s.Runs && s.Runs == s.OfRuns:
		return "of one stalled step in each run"
	}
	return fmt.Sprintf("of %s stalled steps in %d of %d runs of the %s", number.Word(s.Steps), s.Runs, s.OfRuns, s.Side)
}

// medianDid says what the median did when the mean changed.
func medianDid(c *verdict.Comparison) string {
	moved := "the median " + verb(c.Delta) + " " + times(c.Base, c.Cand)
	switch {
	case c.Verdict == verdict.Unchanged:
		return "the median did not change"
	case math.Abs(c.Estimate) < c.Threshold:
		return "the median shows no change"
	case c.Verdict == verdict.Inconclusive:
		return moved + notYet
	}
	return moved
}

// stall describes the longest of the stalled steps, with a space at the end; "" without any.
func stall(s *cause.Stalls) string {
	if s == nil {
		return ""
	}
	of := "the " + s.Side
	if s.OfRuns > 1 {
		of = "run " + s.Run + " of " + of
	}
	text := fmt.Sprintf("Step %d of %s took %s instead of %s", s.Step, of, seconds(s.Time), seconds(s.Usual))
	if g := s.Gap; g != nil {
		length := float64(g.Length) * 1e-9
		text += fmt.Sprintf(": nothing ran on rank %d for %s", g.Rank, seconds(length))
		switch during := g.During(); during {
		case "":
		case "unknown":
			text += ", and what its host did was not recorded"
		default:
			text += ", while " + causes[during]
		}
	}
	return text + ". "
}

// Advice says what to do about a report, as the last sentence of its first paragraph.
func Advice(r *diff.Report) string {
	h := &r.Headline
	if r.StoreFindings != nil && r.StoreFindings.Main != nil {
		return ofMain(r)
	}
	switch r.Advice() {
	case diff.AdviceMerge:
		return mergeAnd(r)
	case diff.AdviceMergeIf:
		return mergeIf(r)
	case diff.AdviceDoNotMerge:
		return doNotMerge(r)
	case diff.AdviceRecordAlike:
		switch {
		case h.Of.Reason == verdict.ReasonRankCount:
			return "Run both sides with as many ranks, and compare again."
		case h.Cut == nil:
			return recordAlike(h)
		}
		return "Record again: what was not measured does not pass."
	case diff.AdviceRecordAgain:
		if r.SameFiles {
			return "Record again: check the two paths, one of them is not what you meant."
		}
		return "Record again: what was not measured does not pass."
	}
	switch {
	case r.Gate.State == diff.GateMoreRuns && len(h.Unlike) > 0 && !r.Policy.Force:
		return recordAlike(h)
	case r.Gate.State == diff.GateMoreRuns:
		return "Run again: three runs per side decide."
	case h.Jump != nil && h.Jump.Match != "":
		return "Run the baseline again: as it stands, the answer depends on which half you compare with."
	case h.Within:
		return "Before you merge, look at what changed."
	case len(r.Ground.RunSteps) > 0:
		return "Find out why runs differ (hosts, load) before you record more."
	case h.Of.RunsNeeded > 0:
		return "Run again: " + number.Lower(record(&h.Of))
	}
	return "Run again: this does not decide."
}

// ofMain says what to do about main's own run, which is merged.
func ofMain(r *diff.Report) string {
	switch {
	case r.Gate.State == diff.GatePassed || r.Gate.State == diff.GateWarned:
		return "Main passes."
	case len(r.StoreFindings.Main.Changes) > 0:
		return "Find the commit, mend it or accept it."
	case r.Gate.State == diff.GateMoreRuns:
		return ""
	}
	return "Main does not pass."
}

// recordAlike says what to do about sides that are not alike.
func recordAlike(h *diff.Headline) string {
	if len(h.Unlike) == 0 {
		return "Record both sides alike."
	}
	return number.Capital(saidOf(h.Unlike, alike)) + ", and compare again."
}

func mergeAnd(r *diff.Report) string {
	switch h := &r.Headline; {
	case len(h.Secondary) > 0:
		return "Merge, and look at " + inSentence(&h.Secondary[0]) + "."
	case len(r.Looks()) > 0:
		return "Merge if the difference named next is meant."
	}
	return "Merge."
}

func mergeIf(r *diff.Report) string {
	c := spoken(&r.Headline)
	switch {
	case r.Gate.State == diff.GateWarned:
		return "Merge only if you accept what the gate warns of."
	case r.Verdict == verdict.Regressed, r.Headline.Open != "", !r.Judged:
		return "Merge only if what the policy lets through is meant."
	case r.Outcome() != verdict.OutcomePassed:
		return "Merge if you only need it not to be slower."
	}
	bound := c.Hi
	if c.Metric.Better == run.Higher {
		bound = -c.Lo
	}
	if c.Metric.OfResult || !c.OfSteps() {
		return "Merge, unless " + inSentence(c) + " that is worse by up to " + sizeOf(c, bound) + " would matter to you."
	}
	return "Merge, unless steps that are up to " + unsigned(bound) + " longer would matter to you."
}

func doNotMerge(r *diff.Report) string {
	h := &r.Headline
	answer, _ := r.Blame()
	one := answer != diff.BlameLikely && r.FewRuns() && h.Of.History == 0 && !r.Unprofiled.Enough()
	switch {
	case h.Open == run.StepTimeMean && one:
		return "Do not merge on this alone: see whether it comes back."
	case h.Open != "" && one:
		return "Do not merge yet: see whether it comes back."
	case h.Open != "":
		return "Do not merge yet: find out what these steps wait for."
	case r.Verdict != verdict.Regressed:
		return "Do not merge: the gate fails by the policy."
	case r.BlamesClock():
		return "Do not merge, and do not blame the change yet: lock the clocks, and compare again."
	case one:
		return "Do not merge yet: one run per side does not tell the change from the machine."
	}
	return "Do not merge."
}
