package picture

import (
	"cmp"
	"maps"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
)

// minBars is how many bars of each rank an excerpt shows at least: if there is no room for them, it has fewer ranks.
// The first closeRanks ranks, which are those that a reader came for, have up to closeShare times as many as others.
// Chosen, not measured: fewer bars are no picture of a step.
const (
	minBars    = 60
	closeRanks = 4
	closeShare = 4
)

// maxOutliers is how many of the steps that stand out from their neighbours have an excerpt, and maxLate how many are
// shown for late ranks. Chosen, not measured: what comes back more often, such as a checkpoint, looks as it did
// before, and a summary holds them all.
const (
	maxOutliers = 8
	maxLate     = 3
)

// BarsToPropose returns how many bars a proposed strip needs, in a job of so many ranks.
func BarsToPropose(ranks int) int {
	shares := max(ranks, 1) + (closeShare-1)*min(ranks, closeRanks)
	return max(minBars, min(run.MaxExcerptBars, closeShare*run.MaxExcerptBars/shares))
}

// firstSettled returns the index of the first of n steps that may be the typical one. The first quarter may not: a
// capture begins with steps that are unlike the others and that a comparison leaves out.
func firstSettled(n int) (from int) { return n / 4 }

// nearlyAll is the least share of ranks that must draw a step that stands out. Chosen, not measured: ranks differ on
// which do most, and a picture without a few of them is better than none.
const nearlyAll = 0.75

// Wishes holds what a run knows about its ranks that the ranks did not know about each other when they proposed steps.
type Wishes struct {
	// Ranks are the ranks in the order in which they are wanted in a step: where there are very
	// many, not all fit.
	Ranks func(step int64) []int
	// Late are steps in which a rank is late that is not in the typical one; among those that most
	// ranks propose. nil: not known.
	Late func(typical int64, proposed []int64) []int64
}

// Excerpts chooses steps of a run from the cuts that its ranks propose, among those that most ranks propose. The first
// is the typical one: its length is nearest to the median of all kept steps, which reports call the run's step time,
// and it is not in the first quarter. Then come steps with round numbers, which another run has as well, so that both
// can be shown side by side; then the longest step but for the first, those that stand out from their neighbours, and
// those in which a rank is late.
func Excerpts(ranks []run.Rank, cuts [][]Cut, wish Wishes) []run.Excerpt {
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
	var out []run.Excerpt
	place := func(n int64) int {
		at := slices.IndexFunc(out, func(e run.Excerpt) bool { return e.Step == n })
		if at < 0 {
			at = len(out)
			out = append(out, excerpt(cuts, n, wish.Ranks(n)))
		}
		return at
	}
	for _, n := range typicalSteps(times, numbers, proposals) {
		place(n)
	}
	for i, n := range longSteps(times, numbers, proposals) {
		if at := place(n); at > 0 { // the first is typical, whatever else
			out[at].Long, out[at].Worst = true, i == 0
		}
	}
	if wish.Late != nil {
		late := wish.Late(out[0].Step, proposedBy(1, numbers, proposals))
		for _, n := range late[:min(maxLate, len(late))] {
			place(n)
		}
	}
	return out
}

// typicalSteps returns the step that is nearest to the median, and then those with round numbers.
func typicalSteps(times map[int64]int64, numbers []int64, proposals map[int64]int) []int64 {
	typical, most := int64(0), 0
	if len(numbers) > 0 {
		lengths := make([]int64, 0, len(numbers))
		for _, n := range numbers {
			lengths = append(lengths, times[n])
		}
		typical = order.Median(lengths)
	}
	settled := numbers[firstSettled(len(numbers)):]
	out := []int64{chooseStep(settled, proposals, func(n int64) int64 { return max(times[n]-typical, typical-times[n]) })}
	for _, n := range settled {
		most = max(most, proposals[n])
	}
	for _, n := range round(settled, func(n int64) int64 { return n }) {
		if n != out[0] && proposals[n] == most {
			out = append(out, n)
		}
	}
	return out
}

// longSteps returns the longest step after the first, and then those that stand out most from their neighbours.
func longSteps(times map[int64]int64, numbers []int64, proposals map[int64]int) []int64 {
	behind := slices.DeleteFunc(slices.Clone(numbers[min(1, len(numbers)):]), func(n int64) bool { return proposals[n] == 0 })
	if len(behind) == 0 {
		return nil
	}
	out := []int64{slices.MinFunc(behind, func(a, b int64) int {
		return cmp.Or(cmp.Compare(proposals[b], proposals[a]), cmp.Compare(times[b], times[a]))
	})}
	drawn := proposedBy(nearlyAll, numbers, proposals)
	for _, n := range outliers(numbers, len(numbers), func(n int64) int64 { return times[n] }) {
		if n != out[0] && slices.Contains(drawn, n) && len(out) <= maxOutliers {
			out = append(out, n)
		}
	}
	return out
}

// proposedBy returns the steps that are proposed by at least a share of the ranks that propose the commonest step.
func proposedBy(share float64, numbers []int64, proposals map[int64]int) []int64 {
	most := 0
	for _, n := range numbers {
		most = max(most, proposals[n])
	}
	return slices.DeleteFunc(slices.Clone(numbers), func(n int64) bool { return proposals[n] == 0 || float64(proposals[n]) < share*float64(most) })
}

// stepTimes returns the lengths of the kept steps in ns, the median over ranks, and their numbers
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
		times[n] = order.Median(lengths)
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return times, numbers
}

// chooseStep returns the step that most ranks propose; of several the one with the least cost, then the first. If none
// of the numbers is proposed, it is the lowest number that is.
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
func excerpt(cuts [][]Cut, step int64, wanted []int) run.Excerpt {
	out := run.Excerpt{Step: step}
	of := map[int][]run.Strip{} // by rank
	for _, list := range cuts {
		if i := slices.IndexFunc(list, func(c Cut) bool { return c.Step == step }); i >= 0 {
			of[list[i].Rank] = append(of[list[i].Rank], list[i].Strip())
		}
	}
	for _, rank := range wanted {
		fit := max(run.MaxExcerptBars/minBars-len(out.Ranks), 0)
		out.Ranks = append(out.Ranks, of[rank][:min(fit, len(of[rank]))]...)
	}
	most := barsEach(&out)
	var c barChooser
	for i := range out.Ranks {
		out.Ranks[i] = c.longest(out.Ranks[i], shareOf(i, most))
		tidyTracks(&out.Ranks[i])
	}
	return out
}

// shareOf returns how many bars the strip at i may have, of most for a strip that is not close.
func shareOf(i, most int) int {
	if i < closeRanks {
		return closeShare * most
	}
	return most
}

// barsEach returns how many bars each strip may have that is not close: strips with few bars leave more for the
// others.
func barsEach(e *run.Excerpt) int {
	low, high := 0, run.MaxExcerptBars // low fits
	for low < high {
		middle, total := (low+high+1)/2, 0
		for i := range e.Ranks {
			total += min(shareOf(i, middle), len(e.Ranks[i].Spans))
		}
		if total <= run.MaxExcerptBars {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// tidyTracks leaves the tracks that have bars, in order: the thread that runs the steps, other
// threads, streams.
func tidyTracks(s *run.Strip) {
	used := make([]bool, len(s.Tracks))
	for _, x := range s.Spans {
		if x.Track > 0 {
			used[x.Track-1] = true
		}
	}
	var order []int
	for i, u := range used {
		if u {
			order = append(order, i)
		}
	}
	first := func(yes bool) int {
		if yes {
			return 0
		}
		return 1
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := s.Tracks[a], s.Tracks[b]
		return cmp.Or(cmp.Compare(first(x.Host), first(y.Host)), cmp.Compare(first(x.Steps), first(y.Steps)),
			cmp.Compare(first(!x.Others), first(!y.Others)), cmp.Compare(x.ID, y.ID))
	})
	var tracks []run.Track
	place := make([]int16, len(s.Tracks))
	for _, at := range order {
		tracks = append(tracks, s.Tracks[at])
		place[at] = int16(len(tracks))
	}
	s.Tracks, s.Spans = tracks, slices.Clone(s.Spans) // cuts may be looked at again
	for i := range s.Spans {
		if x := &s.Spans[i]; x.Track > 0 {
			x.Track = place[x.Track-1]
		}
	}
}
