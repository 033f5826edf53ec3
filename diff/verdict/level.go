package verdict

import (
	"slices"

	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Level returns the change of level of a run and the place of its first step among the used
// ones.
func Level(r *sides.Run) (l stat.Level, place int, ok bool) {
	x, at := sides.LogStepTimes(r)
	if l, ok = stat.FindLevel(x); !ok {
		return l, 0, false
	}
	return l, at[l.At], true
}

// changesLevel reports whether any run does.
func changesLevel(runs []*sides.Run) bool {
	return slices.ContainsFunc(runs, func(r *sides.Run) bool { _, _, ok := Level(r); return ok })
}
