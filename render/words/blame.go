package words

import (
	"fmt"
	"regexp"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// blames are the answers to whether the change is why.
var blames = map[diff.Blame]string{
	diff.BlameLikely: "likely", diff.BlameOpen: "open", diff.BlameUnlikely: "unlikely", diff.BlameUnknown: "cannot be told",
}

// Blame says whether the change under test is why; "" where nothing is to blame.
func Blame(r *diff.Report) string {
	answer, why := r.Blame()
	if answer == diff.BlameNothing {
		return ""
	}
	return blames[answer] + ": " + blameWhy(r, why)
}

func blameWhy(r *diff.Report, why diff.WhyBlame) string {
	few := "in " + number.Counted(min(len(r.Base.Runs), len(r.Cand.Runs)), "run") + " per side"
	switch why {
	case diff.WhyClock:
		return "the clock of the GPUs moved by as much as the kernels did"
	case diff.WhyDevice:
		who, several := lateOf(r)
		return "it looks like the machine, since only " + who + " " + are[several] + " slow"
	case diff.WhyAll:
		return "all kernels moved alike, as a different GPU clock would cause"
	case diff.WhyLink:
		return "links and other jobs on the network can do it as well"
	case diff.WhyOnce:
		return "seen " + few
	case diff.WhyRuns:
		return "seen " + few + ", which may differ by as much by themselves"
	case diff.WhyUnlike:
		return saidOf(r.Headline.Unlike, unlike)
	case diff.WhyDiffers:
		return "the sides differ in something else as well"
	case diff.WhyCode:
		if f := r.Headline.Because; f.Kind == policy.KindInputWait && len(r.Suspects) > 0 { // all of them are about reading
			return inBrackets.ReplaceAllString(number.Lower(strings.TrimSuffix(Suspect(&r.Suspects[0]), ".")), "") + ", which coincides with it; hosts, devices and settings are alike"
		}
		return "it is something that code does, and nothing else that was recorded differs"
	}
	if r.Headline.Sum == nil && len(r.Kernels) == 0 {
		return "what takes the time was not recorded"
	}
	return "nothing that was recorded tells the program from the machine"
}

var inBrackets = regexp.MustCompile(` \([^)]*\)`)

// Tag returns the answer in a word or two. It is about the runs, and not about what was changed.
func Tag(r *diff.Report) string {
	h := &r.Headline
	if j := h.Jump; j != nil && j.Match == "" && r.Verdict == verdict.Inconclusive && r.Judged {
		return strings.ToUpper(fmt.Sprintf("%s from step %d on", slowerOrFaster(j.Change), j.Step))
	}
	of := [2]string{"WORSE", "BETTER"}
	if h.Of.OfSteps() {
		of = [2]string{"SLOWER", "FASTER"}
	}
	but := ""
	for _, u := range h.Unlike {
		but = map[diff.Unlike]string{diff.UnlikeRecorded: ", BUT RECORDED DIFFERENTLY"}[u]
		if but == "" {
			but = ", BUT ON OTHER MACHINES"
		}
	}
	switch o := r.Outcome(); o {
	case verdict.OutcomeNotComparable:
		if h.Cut != nil {
			return "NOT JUDGED"
		}
		return strings.ToUpper(outcome(o))
	case verdict.OutcomeRegressed:
		if h.Of.OfSteps() || h.Of.Metric.OfResult || h.Step != nil && h.Step.Verdict == verdict.Regressed {
			return of[0] + but
		}
		return "WORSE" + but
	case verdict.OutcomeImproved:
		return of[1] + but
	case verdict.OutcomeUnchanged:
		return "UNCHANGED"
	case verdict.OutcomeLeans:
		if r.Leans == verdict.LeansWorse {
			return "LOOKS " + of[0]
		}
		return "LOOKS " + of[1]
	case verdict.OutcomeInconclusive:
		if h.Growth != nil {
			return "SLOWER AS IT RUNS"
		}
		return "NOT SURE"
	default:
		return strings.ToUpper(outcome(o))
	}
}

// clockMovedBy says that the clock explains it, in the headline's words.
func clockMovedBy(f *cause.Finding) string {
	if f == nil || !f.Has(cause.ClauseClockMoved) {
		return ""
	}
	if f.Effect > 0 {
		return ", by as much as the GPU clock fell"
	}
	return ", by as much as the GPU clock rose"
}
