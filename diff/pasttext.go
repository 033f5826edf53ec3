package diff

import (
	"fmt"
	"strings"

	"perfdiff/diff/number"
)

// How many of the runs that are left out for one reason are named; the JSON form
// of the report names all.
const (
	mostNamed  = 3  // in a warning
	mostListed = 12 // where it is about the history
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
		text += fmt.Sprintf(" The newest of its level stand beside the baseline: %s.", someNames(names, mostListed))
	} else if r.Alone != "" && used > 0 {
		text += " None stands beside the baseline: " + r.Alone + "."
	}
	left := byReason(r.History)
	var parts []string
	for _, why := range sortedKeys(left) {
		parts = append(parts, someNames(left[why], mostListed)+" ("+why+")")
	}
	if len(parts) > 0 {
		text += " Left out: " + strings.Join(parts, "; ") + "."
	}
	return text
}

// besideBaseline are the names of the runs that count as runs of the baseline.
func besideBaseline(runs []PastRun) (names []string) {
	for _, r := range runs {
		if r.Level {
			names = append(names, r.Name)
		}
	}
	return names
}

// byReason are the names of the runs that were left out by reason.
func byReason(runs []PastRun) map[string][]string {
	out := map[string][]string{}
	for _, r := range runs {
		if r.Why != "" && !r.Level {
			out[r.Why] = append(out[r.Why], r.Name)
		}
	}
	return out
}

// someNames writes the first names of a list and how many more there are.
func someNames(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// unused are the warnings about runs of a history that were left out, each reason once;
// those that are there on purpose need none.
func unused(runs []PastRun) []string {
	left := byReason(runs)
	delete(left, isBaseline)
	delete(left, inBaseline)
	var out []string
	for _, why := range sortedKeys(left) {
		out = append(out, fmt.Sprintf("%s left out: %s: %s", number.Counted(len(left[why]), "past run"), someNames(left[why], mostNamed), why))
	}
	return out
}
