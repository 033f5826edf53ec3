package picture

import (
	"cmp"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/trace"
)

// How many steps a rank proposes for excerpts: those nearest to its median, its longest, and those that stand out most
// from their neighbours, which ranks that run in step propose alike; and steps chosen by number, which all ranks
// propose whatever they measure.
const (
	typicalProposals = 6
	longestProposals = 4
	outlierProposals = 12
	numberProposals  = 8
)

// ProposedSteps returns the indices of the steps that a rank proposes for excerpts, in order of
// time.
func ProposedSteps(steps []trace.Step) []int {
	var kept []int
	for i, s := range steps {
		if s.Dropped == "" && s.HasWindow() {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	slices.SortStableFunc(kept, func(a, b int) int { return cmp.Compare(steps[a].Number, steps[b].Number) })
	length := func(i int) int64 { return steps[i].End - steps[i].Start }
	late, behind := slices.Clone(kept[firstSettled(len(kept)):]), slices.Clone(kept[min(1, len(kept)-1):])
	chosen := map[int]bool{}
	for _, i := range round(late, func(i int) int64 { return steps[i].Number }) {
		chosen[i] = true
	}
	var lengths []int64
	for _, i := range kept {
		lengths = append(lengths, length(i))
	}
	typical := order.Median(lengths)
	away := func(i int) int64 { return max(length(i)-typical, typical-length(i)) }
	slices.SortStableFunc(late, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	slices.SortStableFunc(behind, func(a, b int) int { return cmp.Compare(length(b), length(a)) })
	for _, i := range slices.Concat(late[:min(typicalProposals, len(late))], behind[:min(longestProposals, len(behind))],
		outliers(kept, outlierProposals, length)) {
		chosen[i] = true
	}
	out := make([]int, 0, len(chosen))
	for i := range chosen {
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(steps[a].Start, steps[b].Start), cmp.Compare(a, b)) })
	return out
}

// round returns the steps whose number is a multiple of the smallest power of two that leaves few enough of them: the
// same on all ranks, even if one of them lacks a step, and mostly on both sides of a comparison.
func round[T any](among []T, number func(T) int64) []T {
	for every := int64(1); every < 1<<40; every *= 2 {
		var out []T
		for _, x := range among {
			if number(x)%every == 0 {
				out = append(out, x)
			}
		}
		if len(out) <= numberProposals {
			return out
		}
	}
	return nil // numbers that no step of a job has
}
