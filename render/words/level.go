package words

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// level returns the sentence about a change of level, with what the other side does meanwhile.
func level(r *diff.Report, f *cause.Finding) string {
	l := &f.Level.Larger
	sc := number.ScaleOf("s", math.Max(l.Before, l.After))
	return fmt.Sprintf("From step %d on the %s's steps take %s %s, %s instead of %s", l.Step, l.Side, number.Share(math.Abs(l.Change)), longerOrLess(l.Change), sc.Format(l.After), sc.With(l.Before)) +
		inRuns(l) + levelCause(l, " from "+sc.Format(l.PartBefore)+" to "+sc.With(l.PartAfter)+" per step") + otherLevel(r, f.Level)
}

// inRuns says in how many of several runs it happens, with a space in front.
func inRuns(l *cause.SideLevel) string {
	if l.OfRuns <= 1 {
		return ""
	}
	return fmt.Sprintf(" (in %d of %d runs)", l.Runs, l.OfRuns)
}

// levelCause says on which ranks, and what changed there, with its values behind the verb.
func levelCause(l *cause.SideLevel, values string) string {
	where := ""
	switch {
	case l.Part == cause.StepPart{}:
		return ""
	case l.All && len(l.Ranks) > 1:
		where = ", on all ranks"
	case !l.All && len(l.Ranks) == 1:
		where = fmt.Sprintf(", because of rank %d", l.Ranks[0])
	case !l.All && len(l.Ranks) > 1:
		where = ", because of ranks " + sides.Ranges(l.Ranks)
	}
	verb := "grew"
	if l.PartAfter < l.PartBefore {
		verb = "fell"
	}
	what, how := number.Lower(StepPart(l.Part)), ""
	switch {
	case l.MoreCalls:
		what, how = "compute of all kernels alike", ", in another number of launches"
	case l.AllKernels:
		what, how = "compute of all kernels alike", besideClock(clocksOf(l.Clock[0], l.Clock[1]), levelDevices(l))
	case l.Kernel != "":
		how = ", most of it " + cause.KernelLabel(l.Kernel)
	}
	if where+values+how == "" { // which the sum shows
		return ""
	}
	return where + ": " + what + " " + verb + values + how
}

// levelDevices returns the devices that a change of level is on.
func levelDevices(l *cause.SideLevel) string {
	if l.All {
		return allDevices
	}
	return devicesOf(l.Ranks)
}

// otherLevel says what the other side does meanwhile.
func otherLevel(r *diff.Report, x *cause.LevelDetails) string {
	side := otherSide(x.Larger.Side)
	if l := x.Other; l != nil {
		size := number.Share(math.Abs(l.Change))
		return fmt.Sprintf("; the %s's take %s %s from step %d on%s", side, size, longerOrLess(l.Change), l.Step, inRuns(l))
	}
	sc := stepScale(r)
	if !math.IsNaN(x.OtherLine.First) {
		return fmt.Sprintf("; the %s %s", side, line(&x.OtherLine, sc))
	}
	return fmt.Sprintf("; the %s's show no such change (%s)", side, sc.With(x.OtherLine.Median))
}

// line says of a side where the line through its step times begins and ends.
func line(c *cause.Line, sc number.Scale) string {
	if math.IsNaN(c.First) {
		return "shows no trend (" + sc.With(c.Median) + ")"
	}
	return fmt.Sprintf("goes from %s to %s", sc.Format(c.First), sc.With(c.Last))
}

// trends holds the start of the sentence about a change of drift, by the trend of the baseline and of the candidate.
var trends = map[[2]int]string{
	{cause.TrendLevel, cause.TrendGrows}:   "Steps grow over the run in the candidate",
	{cause.TrendLevel, cause.TrendShrinks}: "Steps shrink over the run in the candidate",
	{cause.TrendGrows, cause.TrendLevel}:   "Steps no longer grow over the run",
	{cause.TrendShrinks, cause.TrendLevel}: "Steps no longer shrink over the run",
	{cause.TrendGrows, cause.TrendShrinks}: "Steps shrink over the run instead of growing",
	{cause.TrendShrinks, cause.TrendGrows}: "Steps grow over the run instead of shrinking",
}

// drift returns the sentence about steps that grow or shrink over the run on one side and not,
// or by another amount, on the other.
func drift(r *diff.Report, f *cause.Finding) string {
	base, cand := &f.Lines[0], &f.Lines[1]
	text := trends[[2]int{base.Trend, cand.Trend}]
	if base.Trend == cand.Trend {
		verb := map[int]string{cause.TrendGrows: "grow", cause.TrendShrinks: "shrink"}[cand.Trend]
		more := (f.Delta > 0) == (cand.Trend == cause.TrendGrows)
		text = "Steps " + verb + " " + map[bool]string{true: "more", false: "less"}[more] + " over the run"
	}
	sc := stepScale(r)
	return fmt.Sprintf("%s: the baseline %s%s, the candidate %s%s", text, line(base, sc), grown(f, "baseline"), line(cand, sc), grown(f, "candidate"))
}

// grown names the part of the step that most of a side's trend is: ", mostly idle for input (GPU)".
func grown(f *cause.Finding, side string) string {
	for i := range f.Clauses {
		if c := &f.Clauses[i]; c.Kind == cause.ClauseTrendPart && c.Side == side {
			return ", mostly " + number.Lower(StepPart(c.Part))
		}
	}
	return ""
}

// twoLevels says that the steps of one side stand on two levels, with a space behind; "" of
// none.
func twoLevels(j *cause.Jump) string {
	if j == nil {
		return ""
	}
	sc := number.ScaleOf("s", math.Max(j.Rest, math.Max(j.Before, j.After)))
	if j.Alike && j.Alone {
		return fmt.Sprintf("Up to step %d both sides take %s, from then on the %s takes %s%s; the %s has no such jump. ",
			j.Step-1, sc.With(j.Before), j.Side, sc.With(j.After), inRuns(j.SideLevel), otherSide(j.Side))
	}
	return fmt.Sprintf("The %s takes %s up to step %d and %s from then on%s, the %s %s. ",
		j.Side, sc.Format(j.Before), j.Step-1, sc.With(j.After), inRuns(j.SideLevel), otherSide(j.Side), sc.With(j.Rest))
}
