package verdict

import (
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// What the headline is made of, which is made before a report is: render/words has the same
// functions by the same names, and these go with it.

// SameWhat is what both sides are where they are the same.
func (p *Judged) SameWhat() string {
	if p.Again {
		return "one recording, exported twice"
	}
	return "the same files"
}

// Within is the subject within a sentence.
func Within(c *Comparison) string {
	if c.Key == sides.StepTime {
		return "the step time"
	}
	return sides.Lower(SubjectOf(c))
}

// InCommon says how few step numbers are on both sides, as a clause.
func (p *Judged) InCommon() string {
	switch u := p.Unpaired(); {
	case u.Unnumbered:
		return "steps found by launches have no numbers, and the runs have different numbers of them"
	case u.Common == 0:
		return "no step number is on both sides"
	default:
		return "only " + number.Counted(u.Common, "step number") + " on both sides"
	}
}

// StepsHeld says how many steps there are: "Only 8 steps in common".
func (p *Judged) StepsHeld(n int) string {
	where := "in common"
	if !p.Plan.Paired {
		where = "a side"
	}
	return "Only " + number.Counted(n, "step") + " " + where
}

// Record says which runs would decide: "two more runs a side should decide."
func Record(c *Comparison) string {
	more := c.RunsNeeded - min(c.Runs[0], c.Runs[1])
	switch {
	case c.RunsNeeded >= stat.MaxRuns:
		return "A difference this small would need " + number.Counted(stat.MaxRuns, "run") + " a side or more."
	case c.Runs[0] != c.Runs[1]:
		return number.Capital(number.Word(c.RunsNeeded)) + " runs a side should decide."
	case more == 1:
		return "One more run a side should decide."
	}
	return number.Capital(number.Word(more)) + " more runs a side should decide."
}

// Shows says what pairs like this one would have shown: "this set-up would have shown
// 7.3 % or more (80 %)".
func Shows(c *Comparison) string {
	return "this set-up would have shown " + SizeOf(c, c.Shown) + " or more (" + number.Setting(Power) + ")"
}

// MeanMoved says how a mean moved that tells another story than its median: "the mean rose
// from 0.50 to 5.60 ms".
func (c *Comparison) MeanMoved() string {
	verb := map[Movement]string{Rose: "rose", Fell: "fell", HardlyMoved: "hardly moved,"}[c.MeanApart.Moved]
	sc := number.ScaleOf("s", max(c.BaseMean, c.CandMean))
	return "the mean " + verb + " from " + sc.Format(c.BaseMean) + " to " + sc.With(c.CandMean)
}

// AboveWaiver says by how much an estimate is above what the waiver lets through: "38.2
// points above the 7 % that its waiver lets through"; "" where it is not.
func (c *Comparison) AboveWaiver() string {
	above := c.Above()
	if above == 0 {
		return ""
	}
	by := number.PercentFor(c.Estimate, c.Lo, c.Hi).Digits(above) + number.Space + "points"
	if !c.Relative && c.Metric.Unit != "ratio" {
		by = number.ScaleOf(c.Metric.Unit, above).With(above)
	}
	return by + " above the " + Amount(c, c.UpTo) + " that its waiver lets through"
}
