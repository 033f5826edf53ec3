package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// LongGap is one of the longest gaps of a side.
type LongGap struct {
	Rank    int `report:"rank"`
	run.Gap `report:"."`
	Place   run.Place `report:"place"`
}

func longGap(k *sides.Rank, g run.Gap) LongGap {
	at := k.StepIndex[g.Step]
	out := LongGap{k.Rank.Rank, g, k.PlaceOf(at)}
	if out.Place.Start != trace.NoTime {
		out.Place.Start = k.Steps[at].Start + g.At
		out.Place.End = out.Place.Start + g.Length
	}
	return out
}

// mostStories is how many gaps of a side are told.
const mostStories = 5

// longest returns the longest gaps in used steps of the ranks that enter.
func longest(s *sides.Side) []LongGap {
	var all []LongGap
	s.EachRank(func(k *sides.Rank) {
		for _, g := range k.Longest {
			if i, ok := k.StepIndex[g.Step]; ok && !k.OnOneSideOnly && slices.Contains(k.UsedIndex, i) {
				all = append(all, longGap(k, g))
			}
		}
	})
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(b.Length, a.Length), cmp.Compare(a.Step, b.Step), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.At, b.At)) < 0
	})
	return all[:min(mostStories, len(all))]
}

// RankWait says how long others wait for one rank on one side, and what that rank does longer than the median rank.
type RankWait struct {
	Rank       int                `report:"rank"`
	Host       string             `report:"host"`
	LastShare  float64            `report:"last_share"`  // share of all collectives at which it arrives last
	CausedWait float64            `report:"caused_wait"` // s a step that all others together wait for it
	WaitsFor   map[int]float64    `report:"waits_for"`   // s a step that it waits, by the rank that is last
	LongerBy   map[string]float64 `report:"longer_by"`   // s a step longer than the median rank, by what: "compute", "input", "host"
}

// rankWaits returns the waits of each rank over all runs in which arrivals are known; nil where waiting cannot be told
// from transfer.
func rankWaits(s *sides.Side) []RankWait {
	var out []RankWait
	place, runs := map[int]int{}, 0.0
	for _, r := range s.Runs {
		if !knowsWaits(r) {
			continue
		}
		runs++
		for _, k := range r.Ranks {
			at, seen := place[k.Rank.Rank]
			if !seen {
				at = len(out)
				place[k.Rank.Rank] = at
				out = append(out, RankWait{Rank: k.Rank.Rank, Host: k.Host, WaitsFor: map[int]float64{}, LongerBy: map[string]float64{}})
			}
			b := &out[at]
			for _, v := range k.UsedValues(lastArrivals) {
				b.LastShare += v
			}
			steps := math.Max(1, float64(len(k.Kept())))
			for _, w := range k.Waits {
				b.WaitsFor[w.For] += float64(w.Time) * 1e-9 / steps
			}
		}
	}
	if runs == 0 {
		return nil
	}
	slices.SortFunc(out, func(a, b RankWait) int { return cmp.Compare(a.Rank, b.Rank) })
	total := 0.0
	for i := range out {
		total += out[i].LastShare
		place[out[i].Rank] = i
	}
	for i := range out {
		out[i].LastShare = verdict.Settled(out[i].LastShare / total)
		for _, rank := range sides.SortedKeys(out[i].WaitsFor) {
			out[i].WaitsFor[rank] /= runs
			if at, ok := place[rank]; ok {
				out[at].CausedWait += out[i].WaitsFor[rank]
			}
		}
	}
	addLongerBy(s, out)
	return out
}

// knowsWaits reports whether a run knows who waits for whom, and which rank is which.
func knowsWaits(r *sides.Run) bool {
	known, total := false, 0.0
	var numbers []int
	for _, k := range r.Ranks {
		numbers = append(numbers, k.Rank.Rank)
		known = known || k.Waits != nil
		for _, v := range k.UsedValues(lastArrivals) {
			total += v
		}
	}
	slices.Sort(numbers)
	return known && total > 0 && len(slices.Compact(numbers)) == len(r.Ranks)
}

// addLongerBy adds by how much longer than the median rank each rank does something. The median is the lower of the
// middle two, so that where half of the ranks are late these stand out, instead of all by half.
func addLongerBy(s *sides.Side, out []RankWait) {
	for what, keys := range waitGroups {
		sum := map[int]float64{}
		for _, key := range keys {
			for n, mean := range means(s, key) {
				sum[n] += mean
			}
		}
		var all []float64
		for _, b := range out {
			all = append(all, sum[b.Rank])
		}
		slices.Sort(all)
		for i := range out {
			out[i].LongerBy[what] = verdict.Settled(sum[out[i].Rank] - order.Lower(all))
		}
	}
}

// HostWaits sums the waits by host if ranks are on several: what all ranks of a host are waited for, and what its mean
// rank takes longer.
func HostWaits(ranks []RankWait) []RankWait {
	place, counts := map[string]int{}, map[string]float64{}
	var out []RankWait
	for _, b := range ranks {
		at, seen := place[b.Host]
		if !seen {
			at = len(out)
			place[b.Host] = at
			out = append(out, RankWait{Rank: -1, Host: b.Host, WaitsFor: map[int]float64{}, LongerBy: map[string]float64{}})
		}
		h := &out[at]
		counts[b.Host]++
		h.LastShare, h.CausedWait = h.LastShare+b.LastShare, h.CausedWait+b.CausedWait
		for what, v := range b.LongerBy {
			h.LongerBy[what] += v
		}
	}
	if len(out) < 2 || place[""] > 0 || out[0].Host == "" {
		return nil
	}
	for i := range out {
		h := &out[i]
		h.LastShare, h.CausedWait = verdict.Settled(h.LastShare), verdict.Settled(h.CausedWait)
		for what := range h.LongerBy {
			h.LongerBy[what] = verdict.Settled(h.LongerBy[what] / counts[h.Host])
		}
	}
	slices.SortFunc(out, func(a, b RankWait) int { return strings.Compare(a.Host, b.Host) })
	return out
}
