package diff

import (
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
)

// GateCauseKind is the kind of a reason for the state of a gate; render/words puts it in words.
type GateCauseKind string

// What can lead to the state of a gate, each with the fields that say more.
const (
	CauseHeadline     GateCauseKind = "headline"      // what the headline says: Headline
	CauseRegressed    GateCauseKind = "regressed"     // a gating metric: Of
	CauseLooksWorse   GateCauseKind = "looks-worse"   // what more runs are asked for: Of
	CauseSlowerKernel GateCauseKind = "slower-kernel" // Name, Change, Call
	CauseUndecided    GateCauseKind = "inconclusive"  // the verdict
	CauseMissingRanks GateCauseKind = "missing-ranks" // Count of them, Side
	CauseMissingFiles GateCauseKind = "missing-files" // the same
	CauseWarnings     GateCauseKind = "warnings"      // Count of them
	CauseFindings     GateCauseKind = "findings"      // Count of them, of a kind in Name
	CauseOfTheseRuns  GateCauseKind = "of-these-runs" // the same, which fail nothing: too few runs tell whether they hold
	CausePart         GateCauseKind = "part"          // a cause of Report.Causes: Part
	CauseTooLittle    GateCauseKind = "too-little"    // Lacks, where the headline says that the rest regressed
	CauseNotMeasured  GateCauseKind = "not-measured"  // what to do about Lacks
	CauseMainChanged  GateCauseKind = "main-changed"  // main became slower, with one commit of a few: Shift
	CauseMainCrept    GateCauseKind = "main-crept"    // main became slower in no single step: Shift
	CauseMainOff      GateCauseKind = "main-off"      // main's newest run is off its level: Main
	CauseMainUnsure   GateCauseKind = "main-unsure"   // slower than main's level, where main's newest run says that main may be so too: Of
	CauseNotAlike     GateCauseKind = "not-alike"     // what to do about sides that are not alike: Headline says in what
)

// GateCause is one thing that leads to the state of a gate.
type GateCause struct {
	Kind     GateCauseKind       `report:"kind"`
	Headline *Headline           // nil of other kinds, and so is Of
	Of       *verdict.Comparison `report:"metric,said,omitempty"` // the metric
	Name     string              `report:"name,omitempty"`        // of a kernel, or of a kind of findings
	Part     *cause.Alone        `report:"part,omitempty"`        // nil of other kinds
	Side     string              `report:"side,omitempty"`        // "baseline" or "candidate"
	Count    int                 `report:"count,omitempty"`
	Change   float64             `report:"change,omitempty"` // of a kernel, a fraction
	Call     bool                `report:"call,omitempty"`   // Change is of a call, and not of a step
	Lacks    []Lack              `report:"lacks,omitempty"`
	Shift    *MainChange         `report:"change_of_main,omitempty"` // of main
	Main     *MainFindings       `report:"main,omitempty"`
	Next     GateNext            `report:"next,omitempty"`
}

// GateNext says what to do about a cause.
type GateNext string

// What can be done; the zero value: that goes without saying.
const (
	NextRuns GateNext = "record-runs" // record runs until there are enough a side
	NextSame GateNext = "run-again"   // run main's newest commit again
	NextMain GateNext = "run-main"    // the same, for the sake of a pull request
)

// saidBy reports whether a headline says a cause, so that a line about the gate need not.
func (c *GateCause) saidBy(h *Headline) bool {
	if c.Kind == CauseRegressed {
		if c.Of.Metric.OfResult && h.Others != nil && len(h.Lost) == 0 { // which counts them
			return true
		}
		return len(h.Lost) == 0 && h.Of.Key == c.Of.Key && h.Of.Verdict == verdict.Regressed && h.Of.Reason == verdict.ReasonDecided
	}
	return c.Kind == CauseHeadline
}

// Unsaid returns the causes of the gate that the headline does not say.
func (r *Report) Unsaid() (out []GateCause) {
	for _, c := range r.Gate.Causes {
		if !c.saidBy(&r.Headline) {
			out = append(out, c)
		}
	}
	return out
}
