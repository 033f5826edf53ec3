package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// clauses writes what follows the sentence of a finding, with the words that join it.
func clauses(r *diff.Report, f *cause.Finding) string {
	text := ""
	joint := ": " // of the causes of idle time
	for i := range f.Clauses {
		c := &f.Clauses[i]
		switch c.Kind {
		case cause.ClauseLaunchesLate:
			fewer := ""
			if c.Delta < 0 {
				fewer = "fewer "
			}
			text, joint = text+joint+fewer+"launches come after the device is done", ", while "
		case cause.ClauseIdleCauses:
			text += joint + reasons(r, f)
		default:
			text += clause(r, f, c, i)
		}
	}
	return text
}

// clause returns one that stands for itself, the i-th of its finding.
func clause(r *diff.Report, f *cause.Finding, c *cause.Clause, i int) string {
	t := transfersOf(r)
	switch c.Kind {
	case cause.ClauseMean:
		return "; " + medianNote(about(r, f))
	case cause.ClauseStepSame:
		return "; the step as a whole did not " + map[bool]string{true: "fall", false: "rise"}[f.Effect < 0] + against(c.Against)
	case cause.ClauseStepLess:
		step := comparison(r, run.Key{Metric: run.StepTime})
		return fmt.Sprintf("; the step %s by less, %s", verb(f.Effect), rowOf(step).With(math.Abs(c.Delta))) + against(c.Against)
	case cause.ClauseLongest:
		sc := number.ScaleOf("s", c.Cand)
		return fmt.Sprintf(": in the %s rank %d computes %s longer than the median rank", c.Side, c.Ranks[0], sc.With(c.Delta))
	case cause.ClauseTransfer:
		return "; the transfer itself " + wentIn(t.whole)
	case cause.ClausePlaces:
		return places(c.Names, c.Most)
	case cause.ClauseRunning:
		return "; " + launchThread(c.Cand) + " (baseline " + number.Share(c.Base) + ")"
	case cause.ClauseInputIdle:
		return "; what of it leaves the device idle " + verb(c.Delta) + " " + times(c.Base, c.Cand)
	case cause.ClauseAtLeast:
		return "; " + atLeast(c.Base, c.Cand)
	case cause.ClauseFused:
		return fmt.Sprintf("; %s of the %s's communication time is in kernels that compute as well (fused), "+
			"and counts as communication", number.Share(c.Share), c.Side)
	case cause.ClauseLikeWithLike:
		return "; steps are compared within class and size, and what has no like step does not enter"
	case cause.ClauseForced:
		return "; they are compared all the same, because of --force"
	case cause.ClauseSpikePart:
		return "; most of it is " + number.Lower(StepPart(c.Part))
	case cause.ClauseSpikeRange:
		return ", while the range " + c.Names[0] + " is open"
	case cause.ClauseBoundNow:
		return fmt.Sprintf("; what bounds the step now is %s instead of %s", PathPart(c.Names[0]), PathPart(c.Names[1]))
	case cause.ClausePeakDuring:
		return fmt.Sprintf("; most is held in %s of rank %d", c.Names[0], c.Ranks[0])
	case cause.ClauseSlowStage:
		return slowStage(c)
	case cause.ClauseRouted:
		return routed(c)
	case cause.ClauseLateClock:
		return ", while " + clockMoved(ofClause(c), devicesOf(c.Ranks))
	case cause.ClauseSameWork:
		return "; the work is the same, " + rates(c.Base, c.Cand)
	case cause.ClauseTrendPart:
		return "" // the sentence holds it: see grown
	case cause.ClauseNoOverlap:
		return "; compute still hides none of it"
	case cause.ClauseNoTotals:
		return ". Their totals say nothing"
	case cause.ClauseBesides:
		return "; besides, " + allTake(c.Share) + besideClock(sampled(r), allDevices) + " (" + number.ScaleOf("s", c.Base).SignedWith(c.Delta) + ")"
	case cause.ClauseWithin:
		return "; within it " + kernelParts(r, c.Kernels, ", and ")
	case cause.ClauseInseparable:
		return ": waiting for late ranks cannot be told from transfer, since " + strings.Join(Names(c), "; ")
	}
	joint := ": "
	if i > 0 {
		joint = "; "
	}
	return joint + causeOf(r, f, &t, c)
}

// against names the parts of the step that went the other way, each with its values; "" without any.
func against(parts []cause.PartChange) string {
	texts := make([]string, len(parts))
	for i := range parts {
		x := &parts[i]
		texts[i] = number.Lower(StepPart(x.StepPart)) + " " + verb(x.Delta) + " " + times(x.Base, x.Cand)
	}
	if len(texts) == 0 {
		return ""
	}
	return ": " + strings.Join(texts, ", and ")
}

// causeOf returns a clause that says why something changed.
func causeOf(r *diff.Report, f *cause.Finding, t *transfers, c *cause.Clause) string {
	switch c.Kind {
	case cause.ClauseKernels:
		return kernelParts(r, c.Kernels, "; ")
	case cause.ClauseDimension:
		return "most of it is " + Dimension(c.Names[0]) + " (" + times(c.Base, c.Cand) + " exposed)"
	case cause.ClauseFamily:
		return "kernels of the family " + c.Names[0] + ", " + times(c.Base, c.Cand)
	case cause.ClauseMoreOften:
		return fmt.Sprintf("all kernels run about %s %s often, each call about as long as before",
			number.Share(math.Abs(c.Delta)), moreOrLess(c.Delta))
	case cause.ClauseAllTake:
		return allTake(c.Delta)
	case cause.ClauseWithWork:
		return allTake(c.Delta) + ", with the work of their operators"
	case cause.ClauseClock:
		return allTake(c.Delta) + besideClock(nil, allDevices)
	case cause.ClauseClockMoved, cause.ClauseClockSame:
		return allTake(c.Share) + besideClock(ofClause(c), allDevices)
	case cause.ClauseClockOf:
		return fmt.Sprintf("on %s all kernels take %s%s, and on the others about as long as before",
			someRanks(c.Ranks), longerOrLess(c.Delta), besideClock(ofClause(c), devicesOf(c.Ranks)))
	case cause.ClauseCopiesTake, cause.ClauseCopiesMove, cause.ClauseCopiesRate:
		return copies(r, c)
	}
	return t.why(c)
}

// Names returns the names in a clause, and its part of the step and its reasons in words.
func Names(c *cause.Clause) []string {
	out := slices.Clone(c.Names)
	if c.Part != (cause.StepPart{}) {
		out = append(out, StepPart(c.Part))
	}
	for i := range c.Reasons {
		out = append(out, c.Reasons[i].Clause())
	}
	return out
}
