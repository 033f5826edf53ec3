package words

import (
	"fmt"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

// NotJudged is the outcome of something without a verdict.
const NotJudged = "not judged"

// notYet follows the direction of an undecided change: "slower, not yet beyond chance".
const notYet = ", not yet beyond chance"

// outcomes are the words for what is no verdict.
var outcomes = map[verdict.Outcome]string{
	verdict.OutcomeNotRecorded:   "not recorded",
	verdict.OutcomeNotJudged:     NotJudged,
	verdict.OutcomeNotComparable: "not comparable",
	verdict.OutcomePassed:        "passed",
}

// Outcome returns the outcome of a report in a word or two, for headings: a verdict, "not comparable", "not judged",
// "passed", "slower, not yet beyond chance", or "slower from step 20 on".
func Outcome(r *diff.Report) string {
	if j := r.Headline.Jump; j != nil && j.Match == "" && r.Verdict == verdict.Inconclusive && r.Judged {
		return fmt.Sprintf("%s from step %d on", slowerOrFaster(j.Change), j.Step)
	}
	if o := r.Outcome(); o != verdict.OutcomeLeans {
		return outcome(o)
	}
	if c := &r.Headline.Of; c.Main != nil && verdict.LeavesOutZero(c) {
		return Leaning(r) + " in one run"
	}
	return Leaning(r) + notYet
}

// MetricOutcome returns the outcome of a comparison: a verdict, "not recorded" or "not judged".
func MetricOutcome(c *verdict.Comparison) string { return outcome(c.Outcome()) }

func outcome(o verdict.Outcome) string {
	if text := outcomes[o]; text != "" {
		return text
	}
	return verdict.Verdict(o).String()
}

// Leaning returns where an inconclusive report points: "slower", "faster", "worse" or "better"; "" nowhere.
func Leaning(r *diff.Report) string { return leaning(r.Leans, &r.Headline.Of) }

// NotYet returns where an inconclusive comparison points: "slower, not yet beyond chance"; "" nowhere.
func NotYet(c *verdict.Comparison) string {
	if text := leaning(c.Leans(), c); text != "" {
		return text + notYet
	}
	return ""
}

// leaning returns a direction in the words for a metric: people say slower of steps alone.
func leaning(l verdict.Leaning, c *verdict.Comparison) string {
	words := map[verdict.Leaning]string{verdict.LeansWorse: "worse", verdict.LeansBetter: "better"}
	if c.OfSteps() {
		words = map[verdict.Leaning]string{verdict.LeansWorse: "slower", verdict.LeansBetter: "faster"}
	}
	return words[l]
}
