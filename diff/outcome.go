package diff

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/diff/number"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// GateState is what a comparison says to a build: one state for exit status, JUnit,
// annotations and text, so that they cannot disagree.
type GateState string

// The states of a gate.
const (
	GatePassed    GateState = "passed"
	GateFailed    GateState = "failed"     // something of Policy.FailOn holds
	GateWarned    GateState = "warned"     // the same, and the policy only warns
	GateMoreRuns  GateState = "more runs"  // a first pair looks slower, and Policy.Escalate asks for more
	GateNotJudged GateState = "not judged" // nothing could be: it never passes
)

// Gate is the state with what led to it, a sentence each.
type Gate struct {
	State  GateState
	Causes []string
}

// outcomes are what can fail a comparison, each with what of a report says so.
var outcomes = []struct {
	name   string
	causes func(*Report) []string
}{
	{"regressed", (*Report).regressions},
	{policy.SlowerKernel, (*Report).slowerKernels},
	{"inconclusive", func(r *Report) []string {
		if r.Verdict != verdict.Inconclusive {
			return nil
		}
		return []string{"The verdict is inconclusive."}
	}},
	{"missing-rank", func(r *Report) []string {
		return named(r, func(s *Side) int { return len(s.Missing) }, "rank", "missing")
	}},
	{"missing-file", func(r *Report) []string { return named(r, leftOut, "file", "left out") }},
	{"warning", func(r *Report) []string {
		if len(r.Warnings) == 0 {
			return nil
		}
		verb := "There are "
		if len(r.Warnings) == 1 {
			verb = "There is "
		}
		return []string{verb + number.Counted(len(r.Warnings), "warning") + "."}
	}},
}

func named(r *Report, count func(*Side) int, what, became string) []string {
	var out []string
	for _, s := range []struct {
		name string
		side *Side
	}{{"baseline", &r.Base}, {"candidate", &r.Cand}} {
		if n := count(s.side); n > 0 {
			verb := " are "
			if n == 1 {
				verb = " is "
			}
			out = append(out, number.Counted(n, what)+" of the "+s.name+verb+became+".")
		}
	}
	return out
}

// leftOut is how many files of a side could not be read.
func leftOut(s *Side) (n int) {
	for _, f := range s.Files {
		if f.Err != "" {
			n++
		}
	}
	return n
}

// regressions are the gating metrics that regressed and that the policy neither lets
// through nor only warns of.
func (r *Report) regressions() []string {
	var out []string
	for i := range r.Metrics {
		if c := &r.Metrics[i]; c.Gate && c.Verdict == verdict.Regressed {
			out = append(out, decided(c))
		}
	}
	return out
}

// slowerKernels are the kernels that take longer beyond what the others differ by, by the
// threshold at least, a call where there are no steps. Of sides that are not the same
// machine and job nothing is said.
func (r *Report) slowerKernels() []string {
	if r.SameFiles || !r.Judged && !r.Stepless() || slices.ContainsFunc(r.Differences, func(d verdict.Difference) bool { return d.Class == policy.ClassInvalidates }) {
		return nil
	}
	var out []string
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Beyond && k.Change >= r.Policy.Threshold && k.Change*k.Share >= cause.LeastWeight {
			out = append(out, fmt.Sprintf("The kernel %s takes %s longer a %s.", cause.KernelLabel(k.Name), number.Share(k.Change), map[bool]string{true: "call", false: "step"}[r.Stepless()]))
		}
	}
	return out
}

// gate is what the report says to a build. With escalation a first pair that looks
// slower by the threshold asks for more runs and decides nothing else: only three
// runs a side do. lacks are what too little was measured of: it passes nothing.
func (r *Report) gate(lacks []lack) Gate {
	p := &r.Policy
	if !r.Judged && !(r.WithoutMetric() && slices.Contains(p.Allow, policy.AllowMetric)) {
		causes, _ := r.failingKinds()
		if slices.Contains(p.FailOn, policy.SlowerKernel) {
			causes = append(r.slowerKernels(), causes...)
		}
		if len(causes) > 0 && !p.WarnOnly {
			return Gate{GateFailed, causes} // which needs no step; what is not judged never passes
		}
		return Gate{GateNotJudged, []string{r.Headline}}
	}
	few := p.Escalate && min(len(r.Base.Runs), len(r.Cand.Runs)) < verdict.EnoughRuns
	var causes []string
	for _, o := range outcomes {
		if slices.Contains(p.FailOn, o.name) && !(few && o.name == "regressed") {
			causes = append(causes, o.causes(r)...)
		}
	}
	kinds, _ := r.failingKinds()
	causes = append(causes, kinds...)
	if p.GateCauses {
		causes = append(causes, r.Causes...)
	}
	switch {
	case len(causes) > 0 && !p.WarnOnly:
		return Gate{GateFailed, causes}
	case len(lacks) > 0:
		return Gate{GateNotJudged, r.lacking(lacks)}
	case len(causes) > 0:
		return Gate{GateWarned, causes}
	}
	if looks := r.suspicious(); few && looks != "" {
		state := GateMoreRuns
		if p.WarnOnly {
			state = GateWarned
		}
		return Gate{state, []string{looks + " Record runs until there are three a side: only they decide."}}
	}
	return Gate{State: GatePassed}
}

// suspicious says what looks worse: the step time by its threshold, whatever its
// interval, or a gating metric that regressed. Other metrics by their estimates alone
// would ask for more runs of two in five pairs that hold no change (simulated).
func (r *Report) suspicious() string {
	for i := range r.Metrics {
		c := &r.Metrics[i]
		worse := c.Metric.Better < 0 && c.Estimate >= c.Threshold || c.Metric.Better > 0 && c.Estimate <= -c.Threshold
		gates := c.Gate || c.AboveWaiver() != "" && r.Policy.LevelOf(c.Key.Metric) == policy.LevelFail
		if gates && (c.Verdict == verdict.Regressed || c.Key == sides.StepTime && worse) {
			return verdict.SubjectOf(c) + " looks worse by " + verdict.SizeOf(c, c.Estimate) + "."
		}
	}
	return ""
}

// GateLine says what the report makes of a build where the headline does not: "Gate:
// more runs. …", "Also failing: …"; "" where it does.
func (r *Report) GateLine() string {
	g := &r.Gate
	rest := slices.DeleteFunc(slices.Clone(g.Causes), func(cause string) bool { return cause == r.Headline })
	switch {
	case len(g.Causes) == 0, len(rest) == 0 && (g.State == GateFailed || g.State == GateNotJudged):
		return ""
	case g.State == GateFailed && len(rest) < len(g.Causes):
		return "Also failing: " + strings.Join(rest, " ")
	}
	if g.State == GateNotJudged {
		return "Gate: not judged. " + strings.Join(rest, " ")
	}
	return "Gate: " + string(g.State) + ". " + strings.Join(g.Causes, " ")
}

// Outcome is the verdict of the report in a word or two, for headings: a verdict, "not
// comparable" for jobs of different size, or "not judged". Of an inconclusive one it says
// what a reader makes of it: "slower, not yet beyond chance", or "passed" where the gate
// passes and nothing tells the sides apart that matters.
func (r *Report) Outcome() string {
	switch {
	case r.Reason == verdict.ReasonRankCount, r.Reason == verdict.ReasonEnvironment, r.Reason == verdict.ReasonOtherSteps, r.Reason == verdict.ReasonLoad:
		return "not comparable"
	case !r.Judged, r.Gate.State == GateNotJudged && r.Verdict != verdict.Regressed:
		return verdict.NotJudged
	case r.Verdict == verdict.Inconclusive && r.Leans != "":
		return r.Leans + verdict.NotYet
	case r.Verdict == verdict.Inconclusive && r.Quiet && r.Gate.State == GatePassed:
		return verdict.Passed
	}
	return r.Verdict.String()
}

// Calm reports whether a build needs nobody's look at the verdict: the gate passes, nothing
// regressed, and what is not decided does not point to the worse.
func (r *Report) Calm() bool {
	switch {
	case r.Gate.State != GatePassed, r.Verdict == verdict.Regressed:
		return false
	case r.Verdict != verdict.Inconclusive, r.Outcome() == verdict.Passed:
		return true
	}
	return slices.Contains([]string{verdict.ReasonNeedsRuns, verdict.ReasonManyMetrics}, r.Reason) && r.suspicious() == "" && r.Leans != "slower" && r.Leans != "worse"
}
