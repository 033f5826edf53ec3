package verdict

import (
	"errors"
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

// NameOf returns the name of a run of a past set.
func NameOf(set *run.Set, r *run.Run) string {
	if len(set.Runs) > 1 {
		return set.Label + "/" + r.Name
	}
	return set.Label
}

// Anchor says what a candidate is compared with besides the level of a store. Changes that are too small to be found
// one by one are found together against the anchor.
type Anchor struct {
	Ago int    // the level on which the store stood so many runs ago; 0: there is no anchor
	Tag string // the runs of this label, or commit, in place of that
}

// TagsOf returns the end of the error about a wrong name: the names that runs have.
func TagsOf(entries []*run.Set) error {
	var out []string
	for _, set := range entries {
		for i := range set.Runs {
			if o := set.Runs[i].Origin; o.Label != "" && !slices.Contains(out, o.Label) {
				out = append(out, o.Label)
			}
		}
	}
	if len(out) == 0 {
		return errors.New("they have no labels: perfdiff gate --save --label TEXT gives one")
	}
	listed := strings.Join(out[:min(MostListed, len(out))], ", ")
	if more := len(out) - MostListed; more > 0 {
		return fmt.Errorf("there are %s and %d more", listed, more)
	}
	return fmt.Errorf("there are %s", listed)
}
