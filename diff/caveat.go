package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// CaveatKind is the kind of something that a reader should know before trusting a report and that no warning says.
type CaveatKind int

// Kinds of caveats; render/words has their sentences.
const (
	CaveatMissing CaveatKind = iota + 1 // ranks or files of a side are missing
	CaveatDrift                         // the steps of a side are still changing at its last one, by Drift
	CaveatOneRun                        // a side has one run, and what runs differ by is assumed
	CaveatHistory                       // there are several runs and no history of what they differ by
)

// Caveat is one thing that a reader should know.
type Caveat struct {
	Kind  CaveatKind
	Side  string  // "baseline", "candidate", "" for both
	Drift float64 // of CaveatDrift: from the first step to the last, a fraction of the first
}

// Caveats follow from what was compared, and are no warnings: nothing is wrong with the captures.
// Nil where nothing was compared.
func (r *Report) Caveats() (out []Caveat) {
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	if step == nil || math.IsNaN(step.Base) || math.IsNaN(step.Cand) {
		return nil
	}
	drift := verdict.MetricOf(r.Metrics, run.Drift)
	for _, s := range []struct {
		name  string
		side  *Side
		drift func(*verdict.Comparison) float64
	}{
		{"baseline", &r.Base, func(c *verdict.Comparison) float64 { return c.Base }},
		{"candidate", &r.Cand, func(c *verdict.Comparison) float64 { return c.Cand }},
	} {
		if s.side.lacks() {
			out = append(out, Caveat{Kind: CaveatMissing, Side: s.name})
		}
		if drift != nil && math.Abs(s.drift(drift)) >= verdict.DriftLeast {
			out = append(out, Caveat{Kind: CaveatDrift, Side: s.name, Drift: s.drift(drift)})
		}
	}
	switch learned := step.History > 0 || step.Unprofiled; {
	case learned:
	case min(step.Runs[0], step.Runs[1]) == 1:
		out = append(out, Caveat{Kind: CaveatOneRun, Side: oneRunOf(step.Runs)})
	default:
		out = append(out, Caveat{Kind: CaveatHistory})
	}
	return out
}

// oneRunOf names the side that has one run; "" if both have.
func oneRunOf(runs [2]int) string {
	switch {
	case runs[1] > 1:
		return "baseline"
	case runs[0] > 1:
		return "candidate"
	}
	return ""
}

// lacks reports whether ranks or files of the side are missing.
func (s *Side) lacks() bool {
	unread := func(f run.File) bool { return f.Err != "" }
	return len(s.Missing)+len(s.WithoutSteps) > 0 || slices.ContainsFunc(s.Files, unread)
}
