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

// Basis says what the headline rests on.
func Basis(r *diff.Report) string {
	text := strings.TrimSpace(lacking(r) + " " + ground(r) + beside(r)) // what is not there weighs most
	if why := forcedAll(r); why != "" {
		text = "Judged only because of --force: " + why + ". " + text
	}
	if len(r.Headline.Lost) > 0 {
		left := r.Headline
		left.Lost = nil
		text = "Of what is left: " + number.Lower(Headline(&left)) + " " + text
	}
	return text
}

// notes says what to know before quoting an answer about steps: what is missing, and on which terms it was compared.
func notes(r *diff.Report) string {
	text := lacking(r) + reservations(r)
	if hint := workHint(r); hint != "" {
		text += " Hint: " + hint + "."
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
		text += " The verdicts on gating metrics hold for all " + number.Word(r.Beside+1) + " candidates together (Holm's rule)."
	}
	return text
}

// Key returns both medians of the step as the basis of a report shows them: "160 → 79.0 ms"; "" where it does not.
func Key(r *diff.Report) string {
	c := &r.Headline.Of
	if c.Key != sides.StepTime || r.Ground.ByLoad || forcedAll(r) != "" || len(r.Headline.Lost) > 0 || r.WithoutMetric() || slices.Contains(notCompared, c.Reason) {
		return ""
	}
	return medians(c) + mediansAlone(c)
}

// notCompared are the reasons for which no step is compared.
var notCompared = []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}

// ground says what the comparison that speaks for a report rests on; "" for an unknown reason.
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
	text := measured(r) + reservations(r) + allAlike(r, g.Alike)
	if hint := workHint(r); hint != "" {
		text += " Hint: " + hint + "."
	}
	return text
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
		text += " Hint: " + hint + "."
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

// lacking names the ranks and files that the sides lack, where something was compared.
func lacking(r *diff.Report) string {
	if r.WithoutMetric() || slices.Contains(notCompared, r.Reason) {
		return ""
	}
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
