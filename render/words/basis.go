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
	text := notJudgedSince(r) + measured(r) + r.Basis + lacking(r)
	if r.SameFiles && r.Reason != verdict.ReasonSameFiles { // the headline says something else
		text += " Both sides are " + sameWhat(r.Again) + "."
	}
	for _, w := range r.KindsLetThrough() {
		text += " Findings of the kind " + string(w.Kind) + " are let through: " + Waiver(w) + "."
	}
	if why := forced(r); why != "" {
		text = "Judged only because of --force: " + why + ". " + text
	}
	if r.Left != "" {
		text = "Of what is left: " + sides.Lower(r.Left) + " " + text
	}
	return text
}

// forced is what differs and was to be compared all the same, as clauses; "" nothing.
func forced(r *diff.Report) string {
	all := slices.Clone(r.Forced)
	if why := unequal(r.ForcedUnequal); why != "" {
		all = append(all, why)
	}
	return strings.Join(all, "; ")
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

// lacking names the ranks and files that the sides lack, where something was compared.
func lacking(r *diff.Report) string {
	if r.WithoutMetric() || slices.Contains(notCompared, r.Reason) {
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
