package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// compared reports whether the answer is about values that were compared, and not about why none were.
func compared(r *diff.Report) bool {
	return headlines[r.Headline.Of.Reason] != nil && !r.WithoutMetric() && !slices.Contains(notCompared, r.Headline.Of.Reason)
}

// notCompared are the reasons for which no step is compared.
var notCompared = []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}

// valuesSaid says both values, or why there are none, where the answer is not about steps that were judged.
func valuesSaid(r *diff.Report) string {
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
	case !c.OfSteps():
		return medianOf(c) + medians(c) + "." + allAlike(r, g.Alike)
	}
	text := stepNamed(c, g.ByLoad) + " takes " + medians(c)
	if c.Reason == verdict.ReasonEnvironment {
		text += ", which says nothing about the change under test"
	}
	return text + "." + allAlike(r, g.Alike)
}

// notes says what to know before quoting an answer: what is missing, and on which terms it was compared.
func notes(r *diff.Report) string {
	text := ""
	if compared(r) {
		text = lacking(r) + reservations(r)
		if hint := workHint(r); hint != "" {
			text += " Hint: " + hint + "."
		}
	}
	return strings.TrimSpace(text + beside(r))
}

// beside says what else stands behind a verdict than the sides themselves, with a space in front.
func beside(r *diff.Report) string {
	text := unprofiled(r)
	if r.SameFiles && r.Reason != verdict.ReasonSameFiles { // the headline says something else
		text += " Both sides are " + sameWhat(r.SameRecording) + "."
	}
	for _, w := range r.KindsLetThrough() {
		text += " Findings of the kind " + string(w.Kind) + " are let through: " + Waiver(w) + "."
	}
	if r.Beside > 0 && r.Judged {
		text += " The verdicts on gating metrics hold for " + allOf(r.Beside+1) + " candidates together (Holm's rule)."
	}
	return text
}

// reservations says what else to know of the comparison that speaks, with a space in front.
func reservations(r *diff.Report) string {
	c, g := &r.Headline.Of, &r.Ground
	text := ownHosts(c) + runsDiffer(c, g.RunSteps) + oddRuns(g.Odd)
	if c.Verdict == verdict.Regressed && !c.Gating {
		text += letThrough(c)
	}
	for _, why := range []string{unequal(shared(c).Unequal), sizes(shared(c).Sizes)} {
		if why != "" {
			text += " Measured, not judged: " + why + "."
		}
	}
	if g.Unpaired != nil {
		text += " Steps are not compared one by one: " + unpaired(g.Unpaired) + "."
	}
	if c.EstimateApart && c.OutsideBy() > verdict.FarOutside*c.Threshold {
		text += " " + number.Capital(estimateNote(c)) + "."
	}
	return text + comparedLoads(r) + copiesLeft(g.Copies)
}

// allAlike says that all kernels moved together, which the runs at hand cannot tell from what
// runs of the job differ by, with a space in front; "" where they did not.
func allAlike(r *diff.Report, shift float64) string {
	if shift == 0 {
		return ""
	}
	return " " + number.Capital(allTake(shift)) + besideClock(sampled(r), allDevices) +
		": what moves all alike cannot be told from what runs differ by but with more runs."
}

// sameUnit says how to get steps of one unit on both sides.
func sameUnit(u *sides.OtherUnit) string {
	switch {
	case u == nil || u.Logs == [2]bool{}:
		return "Record both sides with the same ranges around steps, or name a marker that both have"
	case u.Logs == [2]bool{true, true}:
		return "Log the same time of the steps of both sides, at the same interval, or name what holds it (--step-column)"
	}
	return "Give logs to both sides, or beside the profiles of both (--baseline-logs, --candidate-logs)"
}

// noStepsGround says why nothing is judged without steps.
func noStepsGround(r *diff.Report) string {
	text := "Nothing is judged and no totals are compared: captures without steps may hold different amounts of work."
	if w := r.Window; w != nil && w.Change != 0 {
		length := number.With(w.Length, "s")
		if w.Length < 1 {
			length = seconds(w.Length)
		}
		text = fmt.Sprintf("Both captures last %s; the candidate launches %s in it (%s and %s): totals say nothing. ", length,
			number.Share(math.Abs(w.Change))+" "+moreOrLess(w.Change), number.Counted(int(w.Launches[0]), "kernel"), number.Count(int(w.Launches[1]))) + text
	}
	for _, hint := range r.Hints {
		if strings.HasPrefix(hint, run.PassHint) {
			text = fmt.Sprintf("Nothing is judged: fewer than %d passes of a side were captured. What follows is information.", sides.MinSteps)
		}
		if hint == run.CallsHint { // which says what the capture is, and nothing to do
			text += " " + number.Capital(hint) + "."
		}
	}
	return text
}

// forcedAll says how the sides differ that are compared all the same; "" if they do not.
func forcedAll(r *diff.Report) string {
	var texts []string
	for i := range r.Forced {
		texts = append(texts, forced(&r.Forced[i]))
	}
	if why := unequal(r.ForcedUnequal); why != "" {
		texts = append(texts, why)
	}
	return strings.Join(texts, "; ")
}

// lacking names the ranks and files that the sides lack.
func lacking(r *diff.Report) string {
	return missing("baseline", &r.Base) + missing("candidate", &r.Cand)
}

// holdPart returns how many of the steps ranks hold that lack some: "hold 3 to 5".
func holdPart(p *diff.PartOfSteps) string {
	text := "hold "
	if len(p.Ranks) == 1 {
		text = "holds "
	}
	if p.Least < p.Most {
		text += number.Count(p.Least) + " to "
	}
	return text + number.Count(p.Most)
}

// missing names the ranks and files that a side lacks.
func missing(name string, s *diff.Side) string {
	text := ""
	switch n := len(s.Missing); {
	case n == 1:
		text += fmt.Sprintf(" Rank %d of the %s is missing.", s.Missing[0], name)
	case n > 1:
		text += fmt.Sprintf(" %s of the %s are missing: %s.", number.Counted(n, "rank"), name, sides.Ranges(s.Missing))
	}
	switch n := len(s.WithoutSteps); {
	case n == 1:
		text += fmt.Sprintf(" Rank %d of the %s holds none of the steps compared.", s.WithoutSteps[0], name)
	case n > 1:
		text += fmt.Sprintf(" %s of the %s hold none of the steps compared: %s.", number.Counted(n, "rank"), name, sides.Ranges(s.WithoutSteps))
	}
	if p := &s.PartOfSteps; len(p.Ranks) > 0 {
		text += fmt.Sprintf(" Of the %s compared %s of the %s %s.", number.Counted(p.Of, "step"), someRanks(p.Ranks), name, holdPart(p))
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
