package analyze

import (
	"slices"

	"perfdiff/analyze/run"
)

// keepRanks removes ranks that keep refuses, and runs without any rank left. less is true if
// any was removed.
func keepRanks(set *run.Set, keep func(int) bool) (less bool) {
	if keep == nil {
		return false
	}
	noteNotAsked(set, keep)
	for i := range set.Runs {
		before := len(set.Runs[i].Ranks)
		set.Runs[i].Ranks = slices.DeleteFunc(set.Runs[i].Ranks, func(r run.Rank) bool { return !keep(r.Rank) })
		less = less || len(set.Runs[i].Ranks) < before
	}
	set.Runs = slices.DeleteFunc(set.Runs, func(r run.Run) bool { return len(r.Ranks) == 0 })
	return less
}

// largestWorld bounds the world size for which missing ranks are counted. A larger one comes
// from a damaged file.
const largestWorld = 1 << 17

// noteNotAsked notes the ranks that keep refuses, among those in the files and those that should exist by the world
// size.
func noteNotAsked(set *run.Set, keep func(int) bool) {
	if keep == nil {
		return
	}
	world := 0
	for r := range set.EachRank() {
		world = max(world, r.WorldSize)
		if !keep(r.Rank) {
			set.NotAsked = append(set.NotAsked, r.Rank)
		}
	}
	for n := 0; n < world && world <= largestWorld; n++ {
		if !keep(n) {
			set.NotAsked = append(set.NotAsked, n)
		}
	}
	for _, f := range set.Files {
		for _, n := range f.Ranks {
			if !keep(n) {
				set.NotAsked = append(set.NotAsked, n)
			}
		}
	}
	slices.Sort(set.NotAsked)
	set.NotAsked = slices.Compact(set.NotAsked)
}
