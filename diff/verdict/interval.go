package verdict

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// LeavesOutZero reports whether the interval of a comparison leaves out that nothing changed; by
// itself, without Holm's rule over several metrics.
func LeavesOutZero(c *Comparison) bool { return c.Lo > 0 || c.Hi < 0 }

// sayNothing is the size of a change from which nobody learns anything from hearing that
// larger ones are excluded: as a fraction of the baseline, of the step for a time.
// Chosen, not measured: a step that takes a quarter longer is seen without a test.
const sayNothing = 0.25

// Wide reports whether the worst that an interval holds is so large.
func (p *Terms) Wide(c *Comparison) bool {
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

// Unpaired says why steps are not compared one by one: by the first of these that holds.
type Unpaired struct {
	Unnumbered bool // they were found by launches, and runs have different numbers of them
	Common     int  // step numbers on both sides; 0 where none is
}

// Unpaired returns why steps are not compared one by one, where they are not.
func (p *Terms) Unpaired() Unpaired { return unpaired(p.Lined) }

func unpaired(p *sides.Lined) Unpaired {
	return Unpaired{Unnumbered: p.Plan.Unnumbered, Common: p.Plan.Common}
}
