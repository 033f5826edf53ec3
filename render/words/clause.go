package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// clauses are what stands behind the sentence of a finding, each with what joins it.
func clauses(r *diff.Report, f *diff.Finding) string {
	text := ""
	joint := ": " // of the causes of idle time, which explain each other
	for i := range f.Clauses {
		c := &f.Clauses[i]
		switch c.Kind {
		case diff.ClauseIdleMean:
			text, joint = text+joint+"in the mean "+times(c.Base, c.Cand), ", since "
		case diff.ClauseLaunchesLate:
			fewer := ""
			if c.Delta < 0 {
				fewer = "fewer "
			}
			text, joint = text+joint+fewer+"launches come after the device is done", ", while "
		case diff.ClauseIdleCauses:
			text += joint + reasons(r, f)
		default:
			text += clause(r, f, c, i)
		}
	}
	return text
}

// clause is one that stands for itself, the i-th of its finding.
func clause(r *diff.Report, f *diff.Finding, c *diff.Clause, i int) string {
	t := transfersOf(r)
	switch c.Kind {
	case diff.ClauseMean:
		return "; " + about(r, f).MeanNote
	case diff.ClauseStepSame:
		return "; the step as a whole did not " + map[bool]string{true: "fall", false: "rise"}[f.Effect < 0] + elsewhere
	case diff.ClauseStepLess:
		size := stepScale(r).With(math.Copysign(c.Delta, 1))
		return fmt.Sprintf("; the step %s by less, %s", verb(f.Effect), size) + elsewhere
	case diff.ClauseLongest:
		sc := number.ScaleOf("s", c.Cand)
		return fmt.Sprintf(": in the %s rank %d computes %s longer than the median rank", c.Side, c.Ranks[0], sc.With(c.Delta))
	case diff.ClauseTransfer:
		return "; the transfer itself " + wentIn(t.whole, scaleOf(t.whole))
	case diff.ClausePlaces:
		return places(c.Names, c.Most)
	case diff.ClauseInputIdle:
		return "; what of it leaves the device idle " + verb(c.Delta) + " " + times(c.Base, c.Cand) + " in the mean"
	case diff.ClauseFused:
		return fmt.Sprintf("; %s of the %s's communication time is in kernels that compute as well (fused), "+
			"and counts as communication", number.Share(c.Share), c.Side)
	case diff.ClauseLikeWithLike:
		return "; steps are compared within class and size, and what has no like step does not enter"
	case diff.ClauseForced:
		return "; they are compared all the same, because of --force"
	case diff.ClauseSpikePart:
		return "; most of it is " + lower(c.Names[0])
	case diff.ClauseSpikeRange:
		return ", while the range " + c.Names[0] + " is open"
	case diff.ClauseNoTotals:
		return ". Their totals say nothing"
	case diff.ClauseBesides:
		return "; besides, " + allTake(c.Share) + clock + " (" + number.ScaleOf("s", c.Base).SignedWith(c.Delta) + ")"
	case diff.ClauseWithin:
		return "; within it " + kernelParts(c.Kernels, ", and ")
	case diff.ClauseUnseparable:
		return ": waiting for late ranks cannot be told from transfer, since " + c.Names[0]
	}
	joint := ": "
	if i > 0 {
		joint = "; "
	}
	return joint + causeOf(r, f, &t, c)
}

// What ends several clauses.
const (
	elsewhere = ": other parts of it went the other way, or hide this"
	clock     = ", as with another clock"
)

// causeOf is a clause that says why something changed.
func causeOf(r *diff.Report, f *diff.Finding, t *transfers, c *diff.Clause) string {
	switch c.Kind {
	case diff.ClauseKernels:
		return kernelParts(c.Kernels, "; ")
	case diff.ClauseFamily:
		return "kernels of the family " + c.Names[0] + ", " + times(c.Base, c.Cand)
	case diff.ClauseMoreOften:
		return fmt.Sprintf("all kernels run about %s %s often, each call about as long as before",
			number.Share(math.Abs(c.Delta)), moreOrLess(c.Delta))
	case diff.ClauseAllTake:
		return allTake(c.Delta)
	case diff.ClauseClock:
		return allTake(c.Delta) + clock
	case diff.ClauseClockOf:
		return fmt.Sprintf("on %s all kernels take %s%s, and on the others about as long as before",
			someRanks(c.Ranks), longerOrLess(c.Delta), clock)
	case diff.ClauseCopiesTake, diff.ClauseCopiesMove, diff.ClauseCopiesRate:
		return copies(r, c)
	}
	return t.why(c, f.Metric == run.ExposedTransferTime)
}

// lower is text as it stands within a sentence.
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }
