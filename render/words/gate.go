package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
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
		return "Also failing: " + joined(rest)
	case g.State == diff.GateNotJudged:
		return "Gate: not judged. " + joined(rest)
	}
	text := "Gate: " + string(g.State) + "."
	for i := range g.Causes {
		if c := &g.Causes[i]; c.Kind == diff.CauseHeadline && c.Against == nil { // which stands above
			text += gateNext[c.Next]
		} else {
			text += " " + gateCause(c)
		}
	}
	return text
}

// GateCauses writes a sentence for each reason for the state of a gate.
func GateCauses(g *diff.Gate) (out []string) {
	for i := range g.Causes {
		out = append(out, gateCause(&g.Causes[i]))
	}
	return out
}

func joined(causes []diff.GateCause) string {
	return strings.Join(GateCauses(&diff.Gate{Causes: causes}), " ")
}

// gateCause writes one reason, with what was compared and what to do; "" for an unknown kind.
func gateCause(c *diff.GateCause) string {
	of := gateCauses[c.Kind]
	if of == nil {
		return ""
	}
	text := of(c) + gateNext[c.Next]
	if c.Step != nil {
		text += " It came to main with " + cmp.Or(Origin(c.Step.Origin), c.Step.From) + " (" + percent(c.Step.By) + "): accept it with a waiver, or as the anchor."
	}
	if c.Against != nil {
		text = "Against " + AnchorAt(c.Against) + ": " + text
	}
	return text
}

// gateNext says what to do about a cause, after its sentence.
var gateNext = map[diff.GateNext]string{
	diff.NextRuns:  " Record runs until there are three per side: only they decide.",
	diff.NextTrend: " It came in small steps: perfdiff trend shows the runs.",
}

// gateCauses are the sentences, by kind.
var gateCauses = map[diff.GateCauseKind]func(*diff.GateCause) string{
	diff.CauseHeadline:  func(c *diff.GateCause) string { return Headline(c.Headline) },
	diff.CauseRegressed: func(c *diff.GateCause) string { return decided(c.Of) },
	diff.CauseLooksWorse: func(c *diff.GateCause) string {
		return subject(c.Of) + " looks worse by " + sizeOf(c.Of, c.Of.Estimate) + "."
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
		return what + " about these runs alone and no reason to fail: three runs a side would tell whether that holds."
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
