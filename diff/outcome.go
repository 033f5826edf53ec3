package diff

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// GateState is the result of a comparison for a build: one state for exit status, JUnit, annotations and text, so that
// they cannot disagree.
type GateState string

// The states of a gate.
const (
	GatePassed    GateState = "passed"
	GateFailed    GateState = "failed"     // something of Policy.FailOn holds
	GateWarned    GateState = "warned"     // the same, and the policy only warns
	GateMoreRuns  GateState = "more runs"  // a first pair looks slower, and Policy.Escalate asks for more
	GateNotJudged GateState = "not judged" // nothing could be: it never passes
)

// Gate is the state of a gate with its causes.
type Gate struct {
	State  GateState   `report:"state"`
	Causes []GateCause `report:"because"`
}

// severity is the order in which states of a gate prevail.
var severity = []GateState{GatePassed, GateWarned, GateMoreRuns, GateNotJudged, GateFailed}

// outcomes lists what can fail a comparison, each with the function that finds it in a report.
var outcomes = []struct {
	name   string
	causes func(*Report) []GateCause
}{
	{"regressed", (*Report).regressions},
	{policy.SlowerKernel, (*Report).slowerKernels},
	{"inconclusive", func(r *Report) []GateCause {
		if r.Verdict != verdict.Inconclusive {
			return nil
		}
		return []GateCause{{Kind: CauseUndecided}}
	}},
	{"missing-rank", func(r *Report) []GateCause {
		return ofSides(r, CauseMissingRanks, func(s *Side) int { return len(s.Missing) + len(s.WithoutSteps) })
	}},
	{"missing-file", func(r *Report) []GateCause { return ofSides(r, CauseMissingFiles, leftOut) }},
	{"warning", func(r *Report) []GateCause {
		if len(r.Warnings) == 0 {
			return nil
		}
		return []GateCause{{Kind: CauseWarnings, Count: len(r.Warnings)}}
	}},
}

// ofSides returns a cause for each side that has something to count.
func ofSides(r *Report, kind GateCauseKind, count func(*Side) int) (out []GateCause) {
	for _, s := range []struct {
		name string
		side *Side
	}{{"baseline", &r.Base}, {"candidate", &r.Cand}} {
		if n := count(s.side); n > 0 {
			out = append(out, GateCause{Kind: kind, Side: s.name, Count: n})
		}
	}
	return out
}

// leftOut returns how many files of a side could not be read.
func leftOut(s *Side) (n int) {
	for _, f := range s.Files {
		if f.Err != "" {
			n++
		}
	}
	return n
}

// regressions returns the gating metrics that regressed and that the policy neither lets
// through nor only warns of.
func (r *Report) regressions() (out []GateCause) {
	if main := r.toldMain(); main != nil {
		return main.causes()
	}
	for _, c := range r.gating() {
		if c.Gating && c.Verdict == verdict.Regressed {
			out = append(out, GateCause{Kind: CauseRegressed, Of: c})
		}
	}
	return out
}

// gating returns the metrics that can gate: the main ones, and the mean of the step where it speaks and
// no waiver lets the steps through that make it.
func (r *Report) gating() (out []*verdict.Comparison) {
	for i := range r.Metrics {
		out = append(out, &r.Metrics[i])
	}
	if h := &r.Headline; h.Of.Key.Metric == run.StepTimeMean && (h.Stalls == nil || waiverOfKind(r.Policy, string(policy.KindSpike)) == nil) {
		out = append(out, &r.Headline.Of)
	}
	return out
}

// slowerKernels returns the kernels that take longer by more than the others differ, and by the threshold at least;
// without steps, for a call. A kernel that takes as long as before while all others got shorter, as by another clock,
// is not among them. Sides that are not the same machine and job have none.
func (r *Report) slowerKernels() (out []GateCause) {
	if r.SameFiles || !r.Judged && !r.Stepless() || slices.ContainsFunc(r.Differences, func(d verdict.Difference) bool { return d.Class == policy.ClassInvalidates }) {
		return nil
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.BeyondNoise && min(k.Change, k.OwnChange(r.KernelShift)) >= r.Policy.Threshold && k.Change*k.Share >= cause.LeastWeight {
			out = append(out, GateCause{Kind: CauseSlowerKernel, Name: k.Name, Change: k.Change, Call: r.Stepless()})
		}
	}
	return out
}

// gate returns the result for a build. With escalation, a first pair that looks slower by the threshold asks for more
// runs and decides nothing else: only three runs a side do. lacks is what was measured too little: it never passes.
func (r *Report) gate(lacks []Lack) Gate {
	p := &r.Policy
	if !r.Judged && !(r.WithoutMetric() && slices.Contains(p.Allow, policy.AllowMetric)) {
		causes, _, _ := r.failingKinds()
		if p.FailsOn(policy.SlowerKernel) {
			causes = append(r.slowerKernels(), causes...)
		}
		if len(causes) > 0 && !p.WarnOnly {
			return Gate{GateFailed, causes} // which needs no step; what is not judged never passes
		}
		return Gate{GateNotJudged, []GateCause{{Kind: CauseHeadline, Headline: &r.Headline}}}
	}
	few := r.Headline.AsksForRuns && !r.Unprofiled.Enough()
	var causes []GateCause
	for _, o := range outcomes {
		if p.FailsOn(o.name) && !(few && o.name == policy.Regressed) {
			causes = append(causes, o.causes(r)...)
		}
	}
	kinds, unsure, _ := r.failingKinds()
	causes = append(causes, kinds...)
	if p.GateCauses {
		for i := range r.Causes {
			causes = append(causes, GateCause{Kind: CausePart, Part: &r.Causes[i]})
		}
	}
	switch {
	case len(causes) > 0 && !p.WarnOnly:
		g := r.failed(causes)
		g.Causes = append(g.Causes, unsure...)
		return g
	case len(lacks) > 0:
		return Gate{GateNotJudged, r.lacking(lacks)}
	case len(causes) > 0:
		return Gate{GateWarned, append(causes, unsure...)}
	}
	if r.Headline.Open != "" && r.toldMain() == nil {
		return r.openGate(few)
	}
	if main := r.toldMain(); main != nil && main.Again {
		return Gate{GateMoreRuns, []GateCause{{Kind: CauseMainOff, Main: main, Next: NextSame}}}
	}
	if of := r.mainAgain(); of != nil {
		return Gate{GateMoreRuns, []GateCause{{Kind: CauseMainUnsure, Of: of, Next: NextMain}}}
	}
	looks := r.suspicious()
	if looks != nil && (few || r.holdsBack()) || few && r.Headline.unsettled() {
		return r.asks(looks, few)
	}
	return Gate{GatePassed, unsure}
}

// asks returns the gate of a pair that looks worse by looks (nil: the headline says why it is not settled) and fails
// nothing: more runs decide if the policy asks for them. Sides that are not alike may look so by that alone, and more
// runs of the same would not tell.
func (r *Report) asks(looks *verdict.Comparison, few bool) Gate {
	cause := GateCause{Kind: CauseLooksWorse, Of: looks}
	if looks == nil {
		cause = GateCause{Kind: CauseHeadline, Headline: &r.Headline}
	}
	state, causes := GateNotJudged, []GateCause{cause}
	switch {
	case r.Policy.WarnOnly:
		state = GateWarned
	case few:
		state = GateMoreRuns
	}
	if r.holdsBack() {
		causes = append(causes, r.notAlike())
	} else {
		causes[0].Next = NextRuns
	}
	return Gate{state, causes}
}

// openGate returns the gate of a step that is slower as far as is known, by its mean or since it jumped: more runs
// decide if the policy asks for them, and otherwise nothing is judged. few: there are not enough runs yet.
func (r *Report) openGate(few bool) Gate {
	p, cause := &r.Policy, GateCause{Kind: CauseHeadline, Headline: &r.Headline}
	metric, kind := sides.StepTime.Metric, string(policy.KindSpike)
	if r.Headline.Open == run.Drift {
		metric, kind = run.Drift, string(policy.KindLevelChange)
	}
	switch {
	case waiverOfKind(*p, kind) != nil:
		return Gate{State: GatePassed}
	case p.WarnOnly, p.LevelOf(metric) == policy.LevelWarn:
		return Gate{GateWarned, []GateCause{cause}}
	case few:
		cause.Next = NextRuns
		return Gate{GateMoreRuns, []GateCause{cause}}
	}
	return Gate{GateNotJudged, []GateCause{cause}}
}

// suspicious returns what looks worse, nil where nothing does: the step time if it reaches its threshold, whatever its
// interval, or a gating metric that regressed. Other metrics by their estimates alone would ask for more runs in two
// of five pairs without a change (simulated).
func (r *Report) suspicious() *verdict.Comparison {
	for _, c := range r.gating() {
		worse := c.Metric.Better < 0 && c.Estimate >= c.Threshold || c.Metric.Better > 0 && c.Estimate <= -c.Threshold
		gates := c.Gating || c.Above() > 0 && r.Policy.LevelOf(c.Key.Metric) == policy.LevelFail
		if c.Main != nil {
			worse = c.Main.Asks
		}
		if gates && (c.Verdict == verdict.Regressed || (c.Key == sides.StepTime || c.Metric.OfResult && c.Main != nil) && worse) {
			return c
		}
	}
	return nil
}

// Outcome returns the verdict of the report, or its substitute: jobs of different size are not comparable. An
// inconclusive report may still point one way, or pass if the gate passes and nothing that matters tells the sides
// apart.
func (r *Report) Outcome() verdict.Outcome {
	switch {
	case r.Reason == verdict.ReasonRankCount, r.Reason == verdict.ReasonEnvironment, r.Reason == verdict.ReasonOtherSteps, r.Reason == verdict.ReasonLoad:
		return verdict.OutcomeNotComparable
	case !r.Judged, r.Gate.State == GateNotJudged && r.Verdict != verdict.Regressed && r.Headline.Open == "" && r.Gate.Causes[0].Kind != CauseLooksWorse:
		return verdict.OutcomeNotJudged
	case r.Headline.Main != nil && r.Headline.Main.Accepted != nil && r.Gate.State == GatePassed:
		return verdict.OutcomePassed
	case r.Verdict == verdict.Inconclusive && r.Leans != verdict.LeansNowhere:
		return verdict.OutcomeLeans
	case r.Verdict == verdict.Inconclusive && r.NoSignOfChange && r.Gate.State == GatePassed:
		return verdict.OutcomePassed
	}
	return verdict.Outcome(r.Verdict)
}

// NeedsNoLook reports whether a build needs nobody's look at the verdict: the gate passes, nothing
// regressed, and what is not decided does not point to the worse.
func (r *Report) NeedsNoLook() bool {
	switch {
	case r.Gate.State != GatePassed, r.Verdict == verdict.Regressed:
		return false
	case r.Verdict != verdict.Inconclusive, r.Outcome() == verdict.OutcomePassed:
		return true
	}
	return slices.Contains([]string{verdict.ReasonNeedsRuns, verdict.ReasonManyMetrics}, r.Reason) && r.suspicious() == nil && r.Leans != verdict.LeansWorse
}
