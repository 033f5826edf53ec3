package words

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// GateLine says what a report makes of a build where the headline does not: "Gate: more
// runs. …", "Also failing: …"; "" where it does.
func GateLine(r *diff.Report) string {
	g, rest := &r.Gate, r.Unsaid()
	switch {
	case len(g.Causes) == 0, len(rest) == 0 && (g.State == diff.GateFailed || g.State == diff.GateNotJudged):
		return ""
	case g.State == diff.GateFailed && len(rest) < len(g.Causes):
		if f := r.Headline.Because; f != nil && f.Kind == policy.KindStraggler {
			return "What follows from it fails too: " + joined(rest)
		}
		return "Also failing: " + joined(rest)
	case g.State == diff.GateNotJudged:
		return "Gate: not judged. " + joined(rest)
	}
	text := "Gate: " + string(g.State) + "."
	for i := range g.Causes {
		if c := &g.Causes[i]; c.Kind == diff.CauseHeadline { // which stands above
			text += gateNext[c.Next]
		} else {
			text += " " + gateCause(c)
		}
	}
	return text
}

// gateResults say what a gate comes to, with the exit status of the program.
var gateResults = map[diff.GateState]string{
	diff.GatePassed: "Gate passed, exit 0.", diff.GateWarned: "Gate passed with a warning, exit 0.", diff.GateFailed: "Gate failed, exit 1.",
	diff.GateNotJudged: "The gate does not decide, exit 3.", diff.GateMoreRuns: "Gate asks for more runs, exit 4.",
}

// GateResult says what the gate of a report comes to.
func GateResult(r *diff.Report) string {
	if r.Gate.State == diff.GateFailed && r.Headline.Of.Key.Metric == run.StepTimeMean {
		return "Gate failed by the mean step, exit 1."
	}
	return gateResults[r.Gate.State]
}

// GateCauses writes a sentence for each reason for the state of a gate.
func GateCauses(g *diff.Gate) (out []string) {
	for i := range g.Causes {
		out = append(out, gateCause(&g.Causes[i]))
	}
	return out
}

// mostResults is how many numbers that runs print a line on the gate names. Chosen, not measured: a line has room for them.
const mostResults = 3

func joined(causes []diff.GateCause) string {
	named, more := 0, 0
	causes = slices.DeleteFunc(slices.Clone(causes), func(c diff.GateCause) bool {
		if c.Kind != diff.CauseRegressed || !c.Of.Metric.OfResult {
			return false
		}
		named++
		more = max(0, named-mostResults)
		return named > mostResults
	})
	if more > 0 {
		return strings.Join(GateCauses(&diff.Gate{Causes: causes}), " ") + " So did " + number.Counted(more, "other metric") + "."
	}
	return strings.Join(GateCauses(&diff.Gate{Causes: causes}), " ")
}

// gateCause writes one reason, with what was compared and what to do; "" for an unknown kind.
func gateCause(c *diff.GateCause) string {
	of := gateCauses[c.Kind]
	if of == nil {
		return ""
	}
	return of(c) + gateNext[c.Next]
}

// gateNext says what to do about a cause, after its sentence.
var gateNext = map[diff.GateNext]string{
	diff.NextRuns: " Record runs until there are three per side: only they decide.",
	diff.NextSame: "",
	diff.NextMain: " Run main's newest commit again, and save that run: then this can be judged.",
}

// mainOff says what to do about main's newest run, which is off its level.
func mainOff(m *diff.MainFindings) string {
	commit := "this commit"
	if m.Newest.Commit != "" {
		commit = m.Newest.Short()
	}
	return fmt.Sprintf("Run %s again and save that run too (run %d of at most 3): this one is %s main's level by %.1f times what runs differ by.",
		commit, min(m.Runs+1, 3), aboveOrBelow(m), m.Off)
}

// gateCauses are the sentences, by kind.
var gateCauses = map[diff.GateCauseKind]func(*diff.GateCause) string{
	diff.CauseHeadline:  func(c *diff.GateCause) string { return Headline(c.Headline) },
	diff.CauseRegressed: func(c *diff.GateCause) string { return decided(c.Of) },
	diff.CauseLooksWorse: func(c *diff.GateCause) string {
		return subject(c.Of) + " looks worse by " + shownSize(c.Of) + "."
	},
	diff.CauseSlowerKernel: func(c *diff.GateCause) string {
		of := "step"
		if c.Call {
			of = "call"
		}
		return fmt.Sprintf("The kernel %s takes %s longer per %s.", cause.KernelLabel(c.Name), number.Share(c.Change), of)
	},
	diff.CauseUndecided:    func(*diff.GateCause) string { return "The verdict is inconclusive." },
	diff.CauseMissingRanks: func(c *diff.GateCause) string { return lostOf(c, "rank", "missing") },
	diff.CauseMissingFiles: func(c *diff.GateCause) string { return lostOf(c, "file", "left out") },
	diff.CauseWarnings: func(c *diff.GateCause) string {
		return "There " + isOrAre(c.Count) + " " + number.Counted(c.Count, "warning") + "."
	},
	diff.CauseFindings: func(c *diff.GateCause) string {
		if c.Count == 1 {
			return "A finding of the kind " + c.Name + " fails by the policy."
		}
		return number.Count(c.Count) + " findings of the kind " + c.Name + " fail by the policy."
	},
	diff.CauseOfTheseRuns: func(c *diff.GateCause) string {
		what := "A finding of the kind " + c.Name + " is"
		if c.Count > 1 {
			what = number.Count(c.Count) + " findings of the kind " + c.Name + " are"
		}
		return what + " about these runs alone and no reason to fail: three runs per side would tell whether that holds."
	},
	diff.CauseMainChanged: func(c *diff.GateCause) string { return howToAccept(c.Shift) },
	diff.CauseMainCrept:   func(c *diff.GateCause) string { return howToAccept(c.Shift) },
	diff.CauseMainOff: func(c *diff.GateCause) string {
		return mainOff(c.Main)
	},
	diff.CauseMainUnsure: func(c *diff.GateCause) string {
		return subject(c.Of) + " is above main's level by " + sizeOf(c.Of, c.Of.Estimate) + ", and main's newest run may be so too."
	},
	diff.CausePart:        func(c *diff.GateCause) string { return alone(c.Part) },
	diff.CauseTooLittle:   func(c *diff.GateCause) string { return tooLittle(c.Lacks) },
	diff.CauseNotMeasured: notMeasured,
	diff.CauseNotAlike: func(c *diff.GateCause) string {
		return number.Capital(saidOf(c.Headline.Unlike, alike)) + ", or judge all the same with --force."
	},
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lostOf says what a side has lost: "2 ranks of the baseline are missing."
func lostOf(c *diff.GateCause, what, became string) string {
	return number.Counted(c.Count, what) + " of the " + c.Side + " " + isOrAre(c.Count) + " " + became + "."
}

// notMeasured says what to do about what was not measured.
func notMeasured(c *diff.GateCause) string {
	var names []string
	for _, l := range c.Lacks {
		if !slices.Contains(names, l.Allow) {
			names = append(names, l.Allow)
		}
	}
	return "What was not measured does not pass: record it, or allow it with --allow " + strings.Join(names, ",") + "."
}
