package picture

import (
	"cmp"
	"maps"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// minBars is how many bars of each rank an excerpt shows at least: where there is no room for
// them, it has fewer ranks. Chosen, not measured: fewer bars are no picture of a step.
const minBars = 30

// BarsToPropose is how many bars a proposed strip needs, in a job of so many ranks.
func BarsToPropose(ranks int) int { return max(minBars, run.MaxExcerptBars/max(ranks, 1)) }

// Cut is a strip that may become a part of an excerpt. Each rank proposes some of its steps,
// and one that all propose is chosen.
type Cut struct {
	run.Strip
	Step int64
}

// firstSettled is the index of the first of n steps that may be the typical one. The first
// quarter may not: a capture begins with steps that are unlike the others, and that a
// comparison leaves out.
func firstSettled(n int) (from int) { return n / 4 }

// Excerpts are the typical and the worst step of a run, chosen from the cuts that its ranks
// propose. Both are among the steps that most ranks propose. Typical is the one whose length is
// nearest to the median of all kept steps, which reports call the run's step time; the first
// quarter of the steps is left out. Worst is the longest one after the first step. first
// returns ranks in the order in which they are wanted: where there are very many, not all fit.
func Excerpts(ranks []run.Rank, cuts [][]Cut, first func(step int64) []int) []run.Excerpt {
	proposals := map[int64]int{}
	for _, list := range cuts {
		for _, c := range list {
			proposals[c.Step]++
		}
	}
	if len(proposals) == 0 {
		return nil
	}
	times, numbers := stepTimes(ranks)
	var lengths []int64
	for _, n := range numbers {
		lengths = append(lengths, times[n])
	}
	typicalLength := int64(0)
	if len(lengths) > 0 {
		typicalLength = median(lengths)
	}
	typical := chooseStep(numbers[firstSettled(len(numbers)):], proposals, func(n int64) int64 { return max(times[n]-typicalLength, typicalLength-times[n]) })
	worst := chooseStep(numbers[min(1, len(numbers)-1):], proposals, func(n int64) int64 { return -times[n] })
	return []run.Excerpt{excerpt(cuts, typical, false, first(typical)), excerpt(cuts, worst, true, first(worst))}
}

// stepTimes are the lengths of the kept steps in ns, the median over ranks, and their numbers
// in order.
func stepTimes(ranks []run.Rank) (times map[int64]int64, numbers []int64) {
	all := map[int64][]int64{}
	for i := range ranks {
		for _, s := range ranks[i].Steps {
			if s.Dropped == "" && s.HasWindow() {
				all[s.Number] = append(all[s.Number], s.End-s.Start)
			}
		}
	}
	times = make(map[int64]int64, len(all))
	for n, lengths := range all {
		times[n] = median(lengths)
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return times, numbers
}

// median is the median of v, which is sorted and must not be empty.
func median(v []int64) int64 {
	slices.Sort(v)
	low, high := v[(len(v)-1)/2], v[len(v)/2]
	return low + (high-low)/2
}

// chooseStep is the step that most ranks propose; of several the one of the least cost, then
// the first. If none of the numbers is proposed, it is the lowest number that is.
func chooseStep(numbers []int64, proposals map[int64]int, cost func(int64) int64) int64 {
	best, ok := int64(0), false
	for _, n := range numbers {
		if proposals[n] > 0 && (!ok || cmp.Or(cmp.Compare(proposals[best], proposals[n]), cmp.Compare(cost(n), cost(best))) < 0) {
			best, ok = n, true
		}
	}
	if !ok {
		return slices.Min(slices.Collect(maps.Keys(proposals)))
	}
	return best
}

// excerpt puts the strips of a step together, which share the bars that an excerpt may have.
func excerpt(cuts [][]Cut, step int64, worst bool, wanted []int) run.Excerpt {
	out := run.Excerpt{Step: step, Worst: worst}
	of := map[int][]run.Strip{} // by rank
	for _, list := range cuts {
		if i := slices.IndexFunc(list, func(c Cut) bool { return c.Step == step }); i >= 0 {
			of[list[i].Rank] = append(of[list[i].Rank], list[i].Strip)
		}
	}
	for _, rank := range wanted {
		fit := max(run.MaxExcerptBars/minBars-len(out.Ranks), 0)
		out.Ranks = append(out.Ranks, of[rank][:min(fit, len(of[rank]))]...)
	}
	most := barsEach(&out)
	var c barChooser
	for i := range out.Ranks {
		out.Ranks[i] = c.longest(out.Ranks[i], most)
	}
	return out
}

// barsEach is how many bars each strip may have: strips with few leave more for the others.
func barsEach(e *run.Excerpt) int {
	low, high := 0, run.MaxExcerptBars // low fits
	for low < high {
		middle, total := (low+high+1)/2, 0
		for i := range e.Ranks {
			total += min(middle, len(e.Ranks[i].Spans))
		}
		if total <= run.MaxExcerptBars {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// barChooser chooses the longest bars of strips, one strip after the other in the same memory.
type barChooser struct {
	lengths []int64
	newName []int32 // 1 + that of a name among those that are needed
}

// longest is a strip with its n longest bars, of equal ones the first, and with the names that
// they need.
func (c *barChooser) longest(s run.Strip, n int) run.Strip {
	if len(s.Spans) <= n {
		return s
	}
	c.lengths = c.lengths[:0]
	for _, x := range s.Spans {
		c.lengths = append(c.lengths, x.End-x.Start)
	}
	lengths := c.lengths
	least, equal := trace.Select(lengths, len(lengths)-n), n // that stay of the shortest that do
	for _, length := range lengths {
		if length > least {
			equal--
		}
	}
	out := run.Strip{Rank: s.Rank, Length: s.Length, Omitted: s.Omitted + len(s.Spans) - n, Spans: make([]run.StripSpan, 0, n)}
	c.newName = slices.Grow(c.newName[:0], len(s.Names))[:len(s.Names)]
	place := c.newName
	clear(place)
	for _, x := range s.Spans {
		switch length := x.End - x.Start; {
		case length < least || length == least && equal == 0:
			continue
		case length == least:
			equal--
		}
		if place[x.Name] == 0 {
			if out.Names == nil {
				out.Names = make([]string, 0, min(n, len(s.Names)))
			}
			out.Names = append(out.Names, s.Names[x.Name])
			place[x.Name] = int32(len(out.Names))
		}
		x.Name = place[x.Name] - 1
		out.Spans = append(out.Spans, x)
	}
	return out
}
