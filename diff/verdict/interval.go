package verdict

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
)

// SameWhat is what both sides are where they are the same.
func (p *Judged) SameWhat() string { return SameWhat(p.Again) }

// SameWhat is what both sides are where they are the same; again: not the same files.
func SameWhat(again bool) string {
	if again {
		return "one recording, exported twice"
	}
	return "the same files"
}

// LeavesOutZero reports whether an interval holds a change for sure, taken alone.
func LeavesOutZero(c *Comparison) bool { return c.Lo > 0 || c.Hi < 0 }

// sayNothing is the size of a change from which nobody learns anything from hearing that
// larger ones are excluded: as a fraction of the baseline, of the step for a time.
// Chosen, not measured: a step that takes a quarter longer is seen without a test.
const sayNothing = 0.25

// Wide reports whether the worst that an interval holds is so large.
func (p *Judged) Wide(c *Comparison) bool {
	worst := c.Hi
	if c.Metric.Better == run.Higher {
		worst = -c.Lo
	}
	switch {
	case c.Relative, c.Metric.Unit == "ratio":
		return worst >= sayNothing
	case c.Metric.Unit == "s":
		return worst >= sayNothing*p.Step
	}
	return false
}

// Within is the subject within a sentence.
func Within(c *Comparison) string {
	if c.Key == sides.StepTime {
		return "the step time"
	}
	return sides.Lower(SubjectOf(c))
}

// Unpaired is why steps are not compared one by one: by the first of these that holds.
type Unpaired struct {
	Unnumbered bool // they were found by launches, and runs have different numbers of them
	Common     int  // step numbers on both sides; 0 where none is
}

// Unpaired is why steps are not compared one by one, where they are not.
func (p *Judged) Unpaired() Unpaired {
	return Unpaired{Unnumbered: p.Plan.Unnumbered, Common: p.Plan.Common}
}

// InCommon says how few step numbers are on both sides, as a clause.
func (p *Judged) InCommon() string {
	if p.Plan.Unnumbered {
		return "steps found by launches have no numbers, and the runs have different numbers of them"
	}
	if p.Plan.Disjoint {
		return "no step number is on both sides"
	}
	return "only " + number.Counted(p.Plan.Common, "step number") + " on both sides"
}
