package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Basis says on what the headline stands.
func Basis(r *diff.Report) string {
	text := ground(r) + alone(r) + lacking(r)
	if r.SameFiles && r.Reason != verdict.ReasonSameFiles { // the headline says something else
		text += " Both sides are " + verdict.SameWhat(r.Again) + "."
	}
	for _, w := range r.KindsLetThrough() {
		text += " Findings of the kind " + string(w.Kind) + " are let through: " + Waiver(w) + "."
	}
	if len(r.Forced) > 0 {
		text = "Judged only because of --force: " + forcedAll(r.Forced) + ". " + text
	}
	if len(r.Headline.Lost) > 0 {
		left := r.Headline
		left.Lost = nil
		text = "Of what is left: " + sides.Lower(Headline(&left)) + " " + text
	}
	return text
}

// Key is where the basis begins with both medians of the step: "160 → 79.0 ms"; "" where it
// does not.
func Key(r *diff.Report) string {
	c := &r.Headline.Of
	none := []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}
	if c.Key != sides.StepTime || r.Ground.ByLoad || len(r.Forced) > 0 || len(r.Headline.Lost) > 0 || r.WithoutMetric() || slices.Contains(none, c.Reason) {
		return ""
	}
	return medians(c) + r.Ground.Medians
}

// ground is what the comparison that speaks for a report stands on; "" of a reason that
// nobody knows.
func ground(r *diff.Report) string {
	c, g := &r.Headline.Of, &r.Ground
	switch {
	case headlines[c.Reason] == nil:
		return ""
	case c.Reason == verdict.ReasonNoSteps:
		return noStepsGround(r)
	case c.Reason == verdict.ReasonOtherSteps:
		return number.Capital(otherUnit(g.Unit)) + ". " + sameUnit(g.Unit) + "; --force compares all the same."
	case c.Reason == verdict.ReasonLoad:
		return otherLoads(r.Loads)
	case c.Reason == verdict.ReasonUnclear:
		return doubted(r)
	case r.WithoutMetric():
		return Why(c)
	}
	text := g.Typical + medians(c) + g.Medians + ". " + cmp.Or(twoLevels(g.Level), meanStep(c)) +
		g.Within + g.OverRun + tested(r, c) + c.Sample(!r.Unpaired) + noiseNote(c) + "." + g.Tipping + allAlike(g.Alike)
	if c.Verdict == verdict.Regressed && !c.Gate {
		text += c.LetThrough()
	}
	for _, other := range []string{shared(c).Environment, sizes(shared(c).Sizes)} {
		if other != "" {
			text += " Measured, not judged: " + other + "."
		}
	}
	if g.Unpaired != nil {
		text += " Steps are not compared one by one: " + unpaired(g.Unpaired) + "."
	}
	return text + comparedLoads(r) + copiesLeft(g.Copies)
}

// sameUnit says how both sides come to steps of one unit.
func sameUnit(u *sides.OtherUnit) string {
	switch {
	case u == nil || u.Logs == [2]bool{}:
		return "Record both sides with the same ranges around steps, or name a marker that both have"
	case u.Logs == [2]bool{true, true}:
		return "Log the same time of the steps of both sides, at the same interval, or name what holds it (--step-column)"
	}
	return "Give logs to both sides, or beside the profiles of both (--baseline-logs, --candidate-logs)"
}

// noStepsGround is what is to be said where there are no steps.
func noStepsGround(r *diff.Report) string {
	text := "Nothing is judged and no totals are compared: captures without steps may hold different amounts of work."
	for _, hint := range r.Hints {
		text += " Hint: " + hint + "."
	}
	return text
}

// twoLevels says that the steps of one side stand on two levels; "" they do not.
func twoLevels(l *cause.SideLevel) string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("From step %d on the %s's steps take %s %s. ", l.Step, l.Side, number.Share(math.Abs(l.Change)), verdict.LongerOrLess(l.Change))
}

// allAlike says that all kernels moved together, with a space in front; "" they did not.
func allAlike(shift float64) string {
	if shift == 0 {
		return ""
	}
	return " " + number.Capital(allTake(shift)) + clock + ": what moves all alike cannot be told from what runs differ by but with more runs."
}

// forcedAll says in what the sides differ that are compared all the same.
func forcedAll(list []sides.Forced) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = forced(&list[i])
	}
	return strings.Join(texts, "; ")
}

// medians writes both medians, with an arrow only where a change is certain.
func medians(c *verdict.Comparison) string {
	sc := scaleOf(c)
	between := " and "
	if c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed {
		between = " \u2192 "
	}
	if c.Metric.Unit == "ratio" {
		return number.Share(c.Base) + between + number.Share(c.Cand)
	}
	return sc.Format(c.Base) + between + sc.With(c.Cand)
}

// meanStep states the mean step where it tells another story than the median, and the
// changes of both where the estimate is neither.
func meanStep(c *verdict.Comparison) (text string) {
	if c.Key != sides.StepTime {
		return ""
	}
	if c.MeanMoved != "" {
		sc := number.ScaleOf("s", math.Max(c.BaseMean, c.CandMean))
		text = fmt.Sprintf("Mean step %s and %s: %s. ", sc.Format(c.BaseMean), sc.With(c.CandMean), c.MeanSince)
	}
	if c.EstimateWhy != "" && c.Beyond() > verdict.FarOutside*c.Threshold {
		medians, means := c.Changes()
		text += fmt.Sprintf("The medians changed by %s, the means by %s, the estimate is %s: %s. ",
			verdict.Change(c, medians), verdict.Change(c, means), verdict.Change(c, c.Estimate), c.EstimateWhy)
	}
	return text
}

// tested writes what the test says: the interval and what matters; "" where there was none.
func tested(r *diff.Report, c *verdict.Comparison) string {
	if c.Reason == verdict.ReasonSameFiles || math.IsNaN(c.Lo) {
		return ""
	}
	return number.Setting(1-r.Policy.Alpha) + " interval " + verdict.Interval(c) + "; threshold " + verdict.Amount(c, c.Threshold) + "; "
}

// noiseNote says what runs differ by, and from where that is known.
func noiseNote(c *verdict.Comparison) string {
	if c.Reason == verdict.ReasonSameFiles || math.IsNaN(c.Lo) {
		return ""
	}
	floor := verdict.Amount(c, c.Floor)
	if c.History > 0 {
		past := number.Counted(c.History, "past run")
		if c.Unprofiled {
			past = number.Counted(c.History, "run") + " without the profiler"
		}
		return "; runs differ by " + floor + ", from " + past
	}
	return "; no history, noise floor " + floor + " assumed"
}

// lacking names the ranks and files that the sides lack, where something was compared.
func lacking(r *diff.Report) string {
	none := []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}
	if r.WithoutMetric() || slices.Contains(none, r.Reason) {
		return ""
	}
	return missing("baseline", &r.Base) + missing("candidate", &r.Cand)
}

// missing names the ranks and files that a side lacks.
func missing(name string, s *diff.Side) string {
	text := ""
	switch n := len(s.Missing); {
	case n == 1:
		text += fmt.Sprintf(" Rank %d of the %s is missing.", s.Missing[0], name)
	case n > 1:
		text += fmt.Sprintf(" %s of the %s are missing: %s.", number.Counted(n, "rank"), name, number.Ranges(s.Missing))
	}
	bad := 0
	for _, f := range s.Files {
		if f.Err != "" {
			bad++
		}
	}
	if bad == 1 {
		return text + " 1 file of the " + name + " was left out."
	}
	if bad > 1 {
		text += " " + number.Counted(bad, "file") + " of the " + name + " were left out."
	}
	return text
}
