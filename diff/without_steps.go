package diff

import (
	"slices"

	"perfdiff/diff/sides"
)

// A rank that was captured can hold none of the steps that are compared: they are not marked in its
// file, or marked otherwise, or it counts them from another number. Then it enters nothing, as if it
// were missing, and the median over ranks is that of the others.

// withoutSteps are the ranks of a side that hold no step that is compared, in order, where the
// other side's do; with them how many there are, a rank once for each run.
func withoutSteps(s, other *sides.Side) (ranks []int, lost int) {
	enter := map[int]bool{}
	for _, r := range other.Runs {
		for _, k := range r.Ranks {
			enter[k.Rank.Rank] = enter[k.Rank.Rank] || holdsSteps(k)
		}
	}
	for _, r := range s.Runs {
		for _, k := range r.Ranks {
			if len(r.Used) > 0 && !k.OnOneSideOnly && !holdsSteps(k) && enter[k.Rank.Rank] {
				ranks, lost = append(ranks, k.Rank.Rank), lost+1
			}
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks), lost
}

// holdsSteps reports whether a rank has any step that is compared.
func holdsSteps(k *sides.Rank) bool {
	return slices.ContainsFunc(k.UsedIndex, func(i int) bool { return i >= 0 })
}
