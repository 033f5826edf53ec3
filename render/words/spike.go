package words

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// spike writes the sentence about slow steps that one side has, or has more of: about the run with the worst of them,
// and what they cost a step over all runs of its side.
func spike(r *diff.Report, f *cause.Finding) string {
	x := f.Spikes
	own, others, runs, otherRuns := f.Cand, f.Base, len(r.Cand.Runs), len(r.Base.Runs)
	if x.Side == baseline {
		own, others, runs, otherRuns = others, own, otherRuns, runs
	}
	sc := number.ScaleOf("s", math.Max(x.Worst.Excess, math.Abs(f.Delta)))
	of := "the " + x.Side
	if runs > 1 {
		of = "run " + x.Worst.Run + " of " + of
	}
	which, whose := fmt.Sprintf("Every %s step of %s takes", number.Ordinal(x.Worst.Period), of), "its"
	if n := len(x.Worst.Spikes); x.Worst.Period == 0 {
		which, whose = fmt.Sprintf("%s of %s take", number.Capital(number.Counted(n, "step")), of), "their"
		if n == 1 {
			which, whose = fmt.Sprintf("One step of %s takes", of), "its"
		}
	}
	text := fmt.Sprintf("%s %s longer than %s neighbours", which, sc.With(x.Worst.Excess), whose)
	if !math.IsNaN(own) {
		text += ", " + sc.With(own) + " per step on average" + overRuns(runs)
	}
	switch other := x.Other; {
	case other == nil:
	case otherRuns > 1:
		text += fmt.Sprintf(" (on the other side %s%s)", sc.With(others), overRuns(otherRuns))
	case other.Period > 0:
		text += fmt.Sprintf(" (on the other side every %s, %s)", number.Ordinal(other.Period), sc.With(others))
	default:
		text += fmt.Sprintf(" (on the other side %s, %s)", number.Counted(len(other.Spikes), "step"), sc.With(others))
	}
	return text
}

// overRuns says that a mean is taken over several runs, with a space in front.
func overRuns(n int) string {
	if n < 2 {
		return ""
	}
	return " over " + number.Counted(n, "run")
}

// sharedSpike returns the sentence about slow steps that both sides have.
func sharedSpike(r *diff.Report, f *cause.Finding) string {
	x := f.Spikes
	sc, per := number.ScaleOf("s", math.Max(x.Base, x.Cand)), number.ScaleOf("s", math.Abs(f.Delta))
	what, have := fmt.Sprintf("The %s that both sides have", number.Counted(len(f.Steps), "slow step")), "take"
	if len(f.Steps) == 1 {
		what, have = "The slow step that both sides have", "takes"
	}
	every := ""
	if x.Worst.Period > 0 {
		every = fmt.Sprintf("every %s: ", number.Ordinal(x.Worst.Period))
	}
	text := fmt.Sprintf("%s (%s%s) %s %s instead of %s", what, every, someNumbers(f.Steps), have, sc.With(x.Cand), sc.With(x.Base))
	if math.IsNaN(f.Cand) {
		return text
	}
	return text + ", " + per.SignedWith(f.Delta) + " per step on average"
}

// warmUp returns the sentence about a warm-up that takes another number of steps.
func warmUp(r *diff.Report, f *cause.Finding) string {
	steps := func(n float64) string { return number.Counted(int(math.Round(n)), "step") }
	x := f.WarmUp
	sc := number.ScaleOf("s", math.Max(math.Abs(x.Base), math.Abs(x.Cand)))
	return fmt.Sprintf("The warm-up takes %s in the candidate and %s in the baseline, which costs %s and %s once; "+
		"these steps are left out of the comparison", steps(f.Cand), steps(f.Base), sc.With(x.Cand), sc.With(x.Base))
}

// someNumbers writes the first step numbers of a list.
func someNumbers(list []int64) string {
	text := ""
	for i, n := range list {
		switch {
		case i == 6:
			return text + ", \u2026"
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
