package diff

import "perfdiff/diff/verdict"

// Advice says what to do about a report. It follows from the outcome and the state of the gate, and so cannot disagree
// with the exit status.
type Advice string

// What there is to do.
const (
	AdviceMerge       Advice = "merge"
	AdviceMergeIf     Advice = "merge-if"     // on a condition that the sentence names
	AdviceRunAgain    Advice = "run-again"    // more runs would decide
	AdviceDoNotMerge  Advice = "do-not-merge" // as it stands
	AdviceRecordAlike Advice = "record-alike" // the sides are of other jobs or machines
	AdviceRecordAgain Advice = "record-again" // too little was measured
)

// Advice returns what to do about the report.
func (r *Report) Advice() Advice {
	switch r.Gate.State {
	case GateFailed:
		return AdviceDoNotMerge
	case GateMoreRuns:
		return AdviceRunAgain
	case GateNotJudged:
		return r.unjudgedAdvice()
	case GateWarned:
		return AdviceMergeIf
	}
	switch o := r.Outcome(); {
	case r.Verdict == verdict.Regressed, o == verdict.OutcomePassed, o == verdict.OutcomeLeans && r.Leans == verdict.LeansBetter,
		o == verdict.OutcomeNotJudged, o == verdict.OutcomeNotComparable, r.Headline.Open != "", r.looksBetter():
		return AdviceMergeIf // what the policy lets through, or what one cannot see
	case r.Verdict == verdict.Improved, r.Verdict == verdict.Unchanged:
		return AdviceMerge
	}
	return AdviceRunAgain
}

// unjudgedAdvice returns what to do where nothing was judged.
func (r *Report) unjudgedAdvice() Advice {
	switch {
	case r.holdsBack() && len(r.Headline.Lost) == 0:
		return AdviceRecordAlike
	case r.Headline.Open != "", r.Verdict == verdict.Regressed:
		return AdviceDoNotMerge
	case r.Outcome() == verdict.OutcomeNotComparable:
		return AdviceRecordAlike
	}
	return AdviceRecordAgain
}

// looksBetter reports whether the headline of an undecided report says that the step takes less.
func (r *Report) looksBetter() bool {
	h := &r.Headline
	jump := h.Jump != nil && h.Jump.Match == "" && h.Jump.Change < 0
	return r.Verdict == verdict.Inconclusive && (jump || h.Jump == nil && h.Growth == nil && h.Mean != nil && h.Mean.Estimate < 0)
}
