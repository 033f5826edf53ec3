package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// History says which past runs were used, and names those left out with the reason; "" where none were given, or those
// of a store, of which Store says it.
func History(r *diff.Report) string {
	if len(r.History) == 0 || r.StoreFindings != nil {
		return ""
	}
	used := 0
	for _, h := range r.History {
		if !h.Why.Is() {
			used++
		}
	}
	say := fmt.Sprintf("%d say", used)
	if used == 0 {
		say = "none says"
	}
	text := fmt.Sprintf("Of %s given, %s what runs differ by.", number.Counted(len(r.History), "past run"), say)
	if names := besideBaseline(r.History); names != nil {
		text += fmt.Sprintf(" The newest of its level stand beside the baseline: %s.", number.Some(names, verdict.MostListed))
	} else if r.Alone.Is() && used > 0 {
		text += " None stands beside the baseline: " + WhyLeftOut(&r.Alone) + "."
	}
	var parts []string
	for _, left := range verdict.ByReason(r.History) {
		parts = append(parts, number.Some(left.Names, verdict.MostListed)+" ("+WhyLeftOut(&left.Why)+")")
	}
	if len(parts) > 0 {
		text += " Left out: " + strings.Join(parts, "; ") + "."
	}
	return text
}

// besideBaseline returns the names of the runs that count as runs of the baseline.
func besideBaseline(runs []verdict.PastRun) (names []string) {
	for _, r := range runs {
		if r.OfLevel {
			names = append(names, r.Name)
		}
	}
	return names
}

// LeftOut returns why runs are left out, each reason with the first names.
func LeftOut(runs []verdict.PastRun) (out []string) {
	for _, left := range verdict.ByReason(runs) {
		out = append(out, number.Some(left.Names, verdict.MostNamed)+": "+WhyLeftOut(&left.Why))
	}
	return out
}
