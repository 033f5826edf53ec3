package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
)

// Waiver lets the regression of a metric through, up to a size, or findings of a kind, which fail by Policy.FailOn,
// whatever their size. Whether it has expired is for the caller to check: the package has no clock.
//
// What is surely larger fails all the same: the lower end of the interval that decides lies beyond UpTo, with the
// error that any other regression may have. So a regression of exactly that size passes nearly always, although its
// estimate alone would fail every second time, and a much larger one never passes. What lies between passes, is said
// to be above by its estimate, and asks for more runs with Policy.Escalate.
type Waiver struct {
	Metric  string `report:"metric"`
	Reason  string `report:"reason"`
	Owner   string `report:"owner"`
	Expires string `report:"expires"`
	// UpTo is the largest regression that it lets through, as thresholds are given: a
	// fraction of the baseline, a difference of shares, or events in 100 steps; above 0.
	UpTo float64 `report:"up_to"`
	Kind Kind    `report:"kind"` // of findings, in place of a metric and a size; "" it is of a metric
}

// Of returns what the waiver is for: a metric, or a kind of findings.
func (w *Waiver) Of() string { return cmp.Or(w.Metric, string(w.Kind)) }

// checkWaivers says which waiver lets nothing through, or more than it says.
func (p Policy) checkWaivers() error {
	seen := map[string]bool{}
	for _, w := range p.Waivers {
		switch {
		case w.Kind != "" && (w.Metric != "" || w.UpTo != 0):
			return fmt.Errorf("the waiver of %s is of a kind of findings: it has neither a metric nor a size", w.Kind)
		case w.Kind != "" && !slices.Contains(FailKinds(), string(w.Kind)):
			return fmt.Errorf("%q is no kind of findings: choose of %s", w.Kind, strings.Join(FailKinds(), ", "))
		case w.Kind != "" && seen[w.Of()]:
			return fmt.Errorf("%s is waived twice: keep one of them", w.Kind)
		case w.Kind != "":
		case !(w.UpTo > 0) || math.IsInf(w.UpTo, 0) || w.UpTo >= 1 && w.Metric != run.Tail:
			return fmt.Errorf("the waiver of %s is up to %g: it must be above 0, and below 1 but for events", w.Metric, w.UpTo)
		case seen[w.Metric]:
			return fmt.Errorf("%s is waived twice: keep one of them", w.Metric)
		}
		seen[w.Of()] = true
	}
	return nil
}
