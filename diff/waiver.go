package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// Waiver lets the regression of a metric through, up to a size, or findings of a kind,
// which fail by Policy.FailOn, whatever their size. Whether it has expired is for the caller
// to check: the package has no clock.
//
// What is surely larger fails all the same: the lower end of the interval that decides
// lies beyond UpTo, with the error that any other regression may have. A regression of
// just that size so passes nearly always, where its estimate alone would fail every second
// time, and a much larger one never. What lies between passes, is said to be above by its
// estimate, and asks for more runs with Policy.Escalate.
type Waiver struct {
	Metric, Reason, Owner, Expires string
	// UpTo is the largest regression that it lets through, as thresholds are given: a
	// fraction of the baseline, a difference of shares, or events in 100 steps; above 0.
	UpTo float64
	Kind Kind // of findings, in place of a metric and a size; "" it is of a metric
}

// Of is what it is of: a metric, or a kind of findings.
func (w *Waiver) Of() string { return cmp.Or(w.Metric, string(w.Kind)) }

// Said is a waiver in brackets: "upgrade (me, up to 7 %, until 2026-12-31)".
func (w *Waiver) Said() string {
	if w.Kind != "" {
		return fmt.Sprintf("%s (%s, until %s)", w.Reason, w.Owner, w.Expires)
	}
	return fmt.Sprintf("%s (%s, %s, until %s)", w.Reason, w.Owner, w.size(), w.Expires)
}

// size is what it lets through: "up to 7 %".
func (w *Waiver) size() string {
	if w.Metric == run.Tail {
		return "up to " + number.Times(w.UpTo) + " in 100 steps"
	}
	return "up to " + number.Setting(w.UpTo)
}

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

// waive notes what a waiver lets through of a comparison, in the unit of its effect. Of a
// part of the step that is shown in seconds that is a share of the part, and where the
// baseline has none of it a share of the step.
func (p *Judged) waive(c *Comparison, w *Waiver) {
	c.Waived, c.UpTo = w.Said(), w.UpTo
	if c.Relative || c.Metric.Unit != "s" {
		return
	}
	whole := c.Base
	if !(whole > 0) {
		whole = p.step
	}
	if c.UpTo *= whole; math.IsNaN(c.UpTo) {
		c.UpTo = 0
	}
}

// worse is a change in the bad direction as a positive number.
func (c *Comparison) worse(v float64) float64 {
	if c.Metric.Better == run.Higher {
		return -v
	}
	return v
}

// beyondWaiver is the p-value of a change beyond what its waiver lets through; 1 where it
// is not beyond.
func (p *Judged) beyondWaiver(c *Comparison) float64 {
	t := p.tested[c.Key]
	allowed := c.worse(c.UpTo)
	if c.Logs {
		allowed = math.Log1p(allowed)
	} else {
		allowed /= t.back(1)
	}
	e := t.Effect
	if e.Estimate -= allowed; !(c.worse(e.Estimate) > 0) {
		return 1
	}
	return e.P()
}

// surelyAbove reports whether the whole interval lies beyond what the waiver lets through.
func (c *Comparison) surelyAbove() bool {
	least := c.Lo
	if c.Metric.Better == run.Higher {
		least = -c.Hi
	}
	return c.Waived != "" && c.Verdict == Regressed && least > c.UpTo
}

// aboveWaiver says by how much an estimate is above what the waiver lets through: "38.2
// points above the 7 % that its waiver lets through"; "" where it is not.
func (c *Comparison) aboveWaiver() string {
	above := c.worse(c.Estimate) - c.UpTo
	if c.Waived == "" || !(above > 0) {
		return ""
	}
	by := number.PercentFor(c.Estimate, c.Lo, c.Hi).Digits(above) + number.Space + "points"
	if !c.Relative && c.Metric.Unit != "ratio" {
		by = number.ScaleOf(c.Metric.Unit, above).With(above)
	}
	return by + " above the " + amount(c, c.UpTo) + " that its waiver lets through"
}

// letThrough is what becomes of a regression that does not fail, as a sentence.
func (c *Comparison) letThrough() string {
	if c.Waived == "" {
		return " The policy only warns of it."
	}
	if above := c.aboveWaiver(); above != "" {
		return " Let through: " + c.Waived + "; by its estimate it is " + above + ", which the interval does not show."
	}
	return " Let through: " + c.Waived + "."
}
