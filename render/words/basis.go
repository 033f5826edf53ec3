package words

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Basis says on what the headline stands.
func Basis(r *diff.Report) string {
	text := notJudgedSince(r) + notAlike(r) + r.Basis + beside(r) + lacking(r)
	if r.SameFiles && r.Reason != verdict.ReasonSameFiles { // the headline says something else
		text += " Both sides are " + verdict.SameWhat(r.Again) + "."
	}
	for _, w := range r.KindsLetThrough() {
		text += " Findings of the kind " + string(w.Kind) + " are let through: " + w.Said() + "."
	}
	if len(r.Forced) > 0 {
		text = "Judged only because of --force: " + forcedAll(r.Forced) + ". " + text
	}
	if r.Left != "" {
		text = "Of what is left: " + sides.Lower(r.Left) + " " + text
	}
	return text
}

// notJudgedSince is the reason for which the metric that speaks for a report is not judged;
// "" it is, or the headline says it.
func notJudgedSince(r *diff.Report) string {
	at := slices.IndexFunc(r.Metrics, func(c verdict.Comparison) bool { return c.Key == r.Speaks })
	if at < 0 || !r.WithoutMetric() {
		return ""
	}
	c := r.Metrics[at]
	c.Reason = r.Reason // which may be that it needs past runs to gate
	return Why(&c)
}

// forcedAll says in what the sides differ that are compared all the same.
func forcedAll(list []sides.Forced) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = forced(&list[i])
	}
	return strings.Join(texts, "; ")
}

// notAlike says why nothing was compared, where the sides are not alike in what a step or a
// run is; "" where something else is the reason.
func notAlike(r *diff.Report) string {
	switch r.Reason {
	case verdict.ReasonOtherSteps:
		return number.Capital(otherUnit(r.Unit)) + ". Record both sides with the same ranges around steps, " +
			"or name a marker that both have; --force compares all the same."
	case verdict.ReasonLoad:
		return otherLoads(r.Loads)
	case verdict.ReasonUnclear:
		return doubted(r)
	}
	return ""
}

// compared reports whether something was compared.
func compared(r *diff.Report) bool {
	none := []string{verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonUnclear}
	return !r.WithoutMetric() && !slices.Contains(none, r.Reason)
}

// beside says what a reader has to know beside the numbers, where something was compared.
func beside(r *diff.Report) (text string) {
	if !compared(r) {
		return ""
	}
	if r.AllAlike != 0 {
		text += " " + number.Capital(allTake(r.AllAlike)) + clock + ": what moves all alike cannot be told from what runs differ by but with more runs."
	}
	if r.Sizes.Differ() {
		text += " Measured, not judged: " + sizes(r.Sizes) + "."
	}
	if r.InCommon != "" {
		text += " Steps are not compared one by one: " + r.InCommon + "."
	}
	return text + comparedLoads(r) + copiesLeft(r.Copies)
}

// lacking names the ranks and files that the sides lack, where something was compared.
func lacking(r *diff.Report) string {
	if !compared(r) {
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
