package diff

import (
	"fmt"
	"strings"

	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// HistoryText says which past runs were used, and names those that were left out
// with the reason; "" where none were given.
func (r *Report) HistoryText() string {
	if len(r.History) == 0 {
		return ""
	}
	used := 0
	for _, h := range r.History {
		if h.Why == "" {
			used++
		}
	}
	say := fmt.Sprintf("%d say", used)
	if used == 0 {
		say = "none says"
	}
	text := fmt.Sprintf("Of %s given, %s what runs differ by.", number.Counted(len(r.History), "past run"), say)
	if names := besideBaseline(r.History); names != nil {
		text += fmt.Sprintf(" The newest of its level stand beside the baseline: %s.", verdict.SomeNames(names, verdict.MostListed))
	} else if r.Alone != "" && used > 0 {
		text += " None stands beside the baseline: " + r.Alone + "."
	}
	left := byReason(r.History)
	var parts []string
	for _, why := range sides.SortedKeys(left) {
		parts = append(parts, verdict.SomeNames(left[why], verdict.MostListed)+" ("+why+")")
	}
	if len(parts) > 0 {
		text += " Left out: " + strings.Join(parts, "; ") + "."
	}
	return text
}

// besideBaseline are the names of the runs that count as runs of the baseline.
func besideBaseline(runs []verdict.PastRun) (names []string) {
	for _, r := range runs {
		if r.Level {
			names = append(names, r.Name)
		}
	}
	return names
}

// byReason are the names of the runs that were left out by reason.
func byReason(runs []verdict.PastRun) map[string][]string {
	out := map[string][]string{}
	for _, r := range runs {
		if r.Why != "" && !r.Level {
			out[r.Why] = append(out[r.Why], r.Name)
		}
	}
	return out
}

// unused are the warnings about runs of a history that were left out, each reason once;
// those that are there on purpose need none.
func unused(runs []verdict.PastRun) []string {
	left := byReason(runs)
	delete(left, verdict.IsBaseline)
	delete(left, verdict.InBaseline)
	var out []string
	for _, why := range sides.SortedKeys(left) {
		out = append(out, fmt.Sprintf("%s left out: %s: %s", number.Counted(len(left[why]), "past run"), verdict.SomeNames(left[why], verdict.MostNamed), why))
	}
	return out
}
