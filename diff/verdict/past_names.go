package verdict

import "perfdiff/analyze/run"

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
