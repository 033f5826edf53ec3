package verdict

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
)

// How many of the runs that are left out for one reason are named; the JSON form
// of the report names all.
const (
	MostNamed  = 3  // in a warning
	MostListed = 12 // where it is about the history
)

// SomeNames writes the first names of a list and how many more there are.
func SomeNames(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// ByReason are the names of the runs that were left out by reason.
func ByReason(runs []PastRun) map[string][]string {
	out := map[string][]string{}
	for _, r := range runs {
		if r.Why != "" && !r.Level {
			out[r.Why] = append(out[r.Why], r.Name)
		}
	}
	return out
}

// NameOf is what a run of a past set is called.
func NameOf(set *run.Set, r *run.Run) string {
	if len(set.Runs) > 1 {
		return set.Label + "/" + r.Name
	}
	return set.Label
}

// Anchor says to what a candidate is held beside the level of a store. Changes that are too
// small to be found one by one are found against it together.
type Anchor struct {
	Ago int    // the level on which the store stood so many runs ago; 0: there is no anchor
	Tag string // the runs of this label, or commit, in place of that
}

// TagsOf says what runs are called.
func TagsOf(entries []*run.Set) string {
	var out []string
	for _, set := range entries {
		for i := range set.Runs {
			if o := set.Runs[i].Origin; o.Label != "" && !slices.Contains(out, o.Label) {
				out = append(out, o.Label)
			}
		}
	}
	if len(out) == 0 {
		return "they have no labels: perfdiff gate --save --label TEXT gives one"
	}
	return "there are " + SomeNames(out, MostListed)
}
