package diff

import (
	"slices"

	"perfdiff/diff/sides"
)

// A rank that was captured can hold none of the steps that are compared: they are not marked in its
// file, or marked otherwise, or it counts them from another number. Then it enters nothing, as if it
// were missing, and the median over ranks is that of the others.

// withoutSteps returns the sorted ranks of a side that hold no compared step although the other side's do, and how
// many there are, a rank once for each run.
func withoutSteps(s, other *sides.Side) (ranks []int, lost int) {
	enter := map[int]bool{}
	other.EachRank(func(k *sides.Rank) { enter[k.Rank.Rank] = enter[k.Rank.Rank] || holdsSteps(k) })
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
func holdsSteps(k *sides.Rank) bool { return k.Holds() > 0 }

// PartOfSteps describes ranks that hold some of the compared steps and lack more than a quarter of them, though the
// other side's do not: their profiler, or they, stopped before the others.
type PartOfSteps struct {
	Ranks []int `report:"ranks"` // in order
	Least int   `report:"least"` // steps that one of them holds
	Most  int   `report:"most"`
	Of    int   `report:"of"` // steps that are compared
}

// partOfSteps returns those ranks of a side, and how many ranks times steps they lack, over all runs.
func partOfSteps(s, other *sides.Side) (part PartOfSteps, lost int) {
	there := map[int]float64{} // share of the steps that the other side's ranks lack
	other.EachRank(func(k *sides.Rank) {
		if n := len(k.UsedIndex); n > 0 {
			there[k.Rank.Rank] = float64(n-k.Holds()) / float64(n)
		}
	})
	s.EachRank(func(k *sides.Rank) {
		has, of := k.Holds(), len(k.UsedIndex)
		lacks := float64(of-has) - float64(there[k.Rank.Rank]*float64(of))
		if has == 0 || k.OnOneSideOnly || lacks <= mostLost*float64(of) {
			return
		}
		if lost += int(lacks); part.Ranks == nil || has < part.Least {
			part.Least = has
		}
		part.Ranks, part.Most, part.Of = append(part.Ranks, k.Rank.Rank), max(part.Most, has), max(part.Of, of)
	})
	slices.Sort(part.Ranks)
	part.Ranks = slices.Compact(part.Ranks)
	return part, lost
}
