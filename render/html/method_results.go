package html

import (
	"fmt"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// methodOfResults says how the verdict on what runs printed is made.
func methodOfResults(s *sheet) section {
	p := s.r.Policy
	gates := fmt.Sprintf("%s gate, all that runs printed of which it is known whether more is better or worse.", number.Capital(number.Counted(len(p.Gates()), "metric")))
	sec := section{
		ID: "method", Nav: "Method", Title: "How is the verdict made?",
		Reading: "Each metric has one number a run, and runs of both sides are compared.",
		Blocks: []block{{Paragraphs: []string{
			"Where all numbers of a metric are positive, their logarithms are compared, so that a change is a ratio. The interval is a t interval on runs, with the degrees of freedom that the runs have by themselves.",
			fmt.Sprintf("What runs differ by is learned for each metric from its own runs, and from past runs where there are five or more. Beside it, %s is assumed. One run per side decides nothing; its interval assumes %s.",
				number.Setting(p.Floor), number.Setting(p.FewFloor)),
			fmt.Sprintf("Improved or regressed: the %s interval leaves out zero and the estimate is at least %s. Unchanged: the %s interval lies inside \u00b1%s. Inconclusive: everything else, with what would decide it.",
				number.Setting(1-p.Alpha), number.Setting(p.Threshold), number.Setting(0.9), number.Setting(p.Equal())),
			gates + " Together they are held to one error rate by Holm's rule; their intervals hold for all of them at once.",
			fmt.Sprintf("How many runs would decide is planned for a chance of %s, if the difference is what it looks like.", number.Setting(verdict.Power)),
			s.historyText(),
		}}},
	}
	if terms := s.policyTerms(); terms != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "Policy", Terms: terms})
	}
	return sec
}
