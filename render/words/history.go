package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// History says which past runs were used, and names those that were left out with the
// reason; "" where none were given.
func History(r *diff.Report) string {
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
	left := verdict.ByReason(r.History)
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

// LeftOut are why runs are left out, each reason with the first names.
func LeftOut(runs []verdict.PastRun) (out []string) {
	left := verdict.ByReason(runs)
	for _, why := range sides.SortedKeys(left) {
		out = append(out, verdict.SomeNames(left[why], verdict.MostNamed)+": "+why)
	}
	return out
}
