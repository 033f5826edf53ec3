package html

import (
	"cmp"
	"fmt"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// What timelines of a page may weigh, in bars. A bar takes some eight bytes. Jobs of many ranks
// have less, because their maps weigh more.
const (
	maxTimeBars     = 12_000
	maxTimeBarsMany = 5_000 // above manyRanks
)

// A typical step has as many bars as if the page had usualSteps steps, and the others share the rest: they are there
// for what is unusual in them. Ranks of those steps that would get fewer than leastBars bars are left out, except for
// leastRanks of them and those that are mentioned somewhere. Chosen, not measured: fewer bars are no picture of a
// step.
const (
	usualSteps = 4
	leastBars  = 60
	leastRanks = 4
)

// timeWriter writes steps as bars for the page.
type timeWriter struct {
	s       *sheet
	out     *timeData
	tick    int64 // ns
	typical int   // bars of a typical step
	other   int   // bars of each other one
	names   map[string]int
	tracks  map[timeTrack]int
	whole   bool            // communication whose waiting is not known is among the bars
	causes  map[string]bool // of gaps
	has     [run.LaneRange + 1]bool
	split   bool // some communication is split into wait and transfer
}

func (s *sheet) newTimeWriter() *timeWriter {
	w := &timeWriter{s: s, tick: 1, names: map[string]int{}, tracks: map[timeTrack]int{}, causes: map[string]bool{}}
	steps, longest := 0, int64(0)
	for _, list := range s.r.Timeline {
		for i := range list {
			steps++
			for k := range list[i].Ranks {
				longest = max(longest, list[i].Ranks[k].Length)
			}
		}
	}
	for longest/w.tick > maxTicks {
		w.tick *= 10
	}
	w.typical, w.other = barsOfSteps(steps, len(s.r.Ranks) > manyRanks)
	w.out = &timeData{Unit: s.ms.Name, Tick: float64(w.tick) * 1e-9 * s.ms.Factor, Names: []string{}, Kernels: map[int]string{}, Tracks: []timeTrack{}}
	return w
}

// barsOfSteps returns how many bars a typical step gets on a page with so many steps, and each other step.
func barsOfSteps(steps int, many bool) (typical, other int) {
	all := maxTimeBars
	if many {
		all = maxTimeBarsMany
	}
	typical = min(all/max(1, min(steps, usualSteps)), run.MaxExcerptBars)
	if steps <= 2 {
		return typical, typical
	}
	return typical, min((all-2*typical)/(steps-2), typical)
}

// step writes the step of a side.
func (w *timeWriter) step(side, at int, e *diff.Excerpt) timeStep {
	out := timeStep{Number: e.Step, Title: fmt.Sprintf("step %d", e.Step), Ranks: []timeRank{}}
	if e.Run != "" && w.s.runCount() > 1 {
		out.Title += " of " + e.Run
	}
	strips, most := e.Ranks, w.typical
	if at != w.s.r.Views[0].Step[side] {
		most = w.other
		see := w.ranksToSee(side, at)
		strips = stripsThatFit(e.Ranks, see, max(len(see)+leastRanks, most/leastBars))
	}
	if len(strips) < len(e.Ranks) {
		out.Title += fmt.Sprintf(", %d ranks", len(strips))
	}
	if !e.Used {
		out.Title += ", left out of every number"
	}
	total := 0
	for i := range strips {
		total += len(strips[i].Spans)
	}
	for i := range strips {
		bars := strips[i].Spans
		if total > most {
			bars = longestOf(bars, len(bars)*most/total)
		}
		out.Ranks = append(out.Ranks, w.rank(&strips[i], bars))
	}
	return out
}

// ranksToSee returns the ranks for which views show a step of a side.
func (w *timeWriter) ranksToSee(side, at int) (out []int) {
	for i := range w.s.r.Views {
		if v := &w.s.r.Views[i]; v.Step[side] == at {
			out = append(out, ranksOfView(v)...)
		}
	}
	return out
}

// ranksOfView returns the ranks that a view is about, from above.
func ranksOfView(v *diff.View) []int {
	if v.Rank < 0 {
		return []int{}
	}
	return append([]int{v.Rank}, v.Beside...)
}

// stripsThatFit returns at most n strips in their order: those of the ranks to see, and then the first.
func stripsThatFit(strips []run.Strip, see []int, n int) []run.Strip {
	return bestOf(strips, n, func(a, b *run.Strip) int {
		return cmp.Compare(boolRank(slices.Contains(see, a.Rank)), boolRank(slices.Contains(see, b.Rank)))
	})
}

// boolRank returns the order of wanted things: first.
func boolRank(wanted bool) int {
	if wanted {
		return 0
	}
	return 1
}

// longestOf returns the n longest bars, of equal ones the first, in their order.
func longestOf(bars []run.StripSpan, n int) []run.StripSpan {
	return bestOf(bars, n, func(a, b *run.StripSpan) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
}

// bestOf returns the n elements of a list that compare puts first, of equal ones the first, in the
// order of the list.
func bestOf[T any](list []T, n int, compare func(a, b *T) int) []T {
	if n >= len(list) {
		return list
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(&list[a], &list[b]) })
	order = order[:n]
	slices.Sort(order)
	out := make([]T, 0, n)
	for _, i := range order {
		out = append(out, list[i])
	}
	return out
}
