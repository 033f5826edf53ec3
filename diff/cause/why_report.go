package cause

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// GapStory is one of the longest gaps of a side.
type GapStory struct {
	Rank int
	run.Gap
}

// mostStories is how many gaps of a side are told.
const mostStories = 5

// longest are the longest gaps in used steps of the ranks that enter.
func longest(s *sides.Side) []GapStory {
	var all []GapStory
	s.Each(func(k *sides.Rank) {
		for _, g := range k.Longest {
			if i, ok := k.At[g.Step]; ok && !k.Alone && slices.Contains(k.Pos, i) {
				all = append(all, GapStory{k.Rank.Rank, g})
			}
		}
	})
	slices.SortStableFunc(all, func(a, b GapStory) int {
		return cmp.Or(cmp.Compare(b.Length, a.Length), cmp.Compare(a.Step, b.Step), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.At, b.At))
	})
	return all[:min(mostStories, len(all))]
}

// Blame is what one rank makes others wait, on one side, and what it does longer
// than the median rank.
type Blame struct {
	Rank    int
	Host    string
	Last    float64            // share of all collectives at which it arrives last
	Causes  float64            // s a step that all others together wait for it
	WaitFor map[int]float64    // s a step that it waits, by the rank that is last
	More    map[string]float64 // s a step longer than the median rank, by what: "compute", "input", "host"
}

// blames are those of the ranks over all runs in which arrivals are known; nil where
// waiting cannot be told from transfer.
func blames(s *sides.Side) []Blame {
	var out []Blame
	place, runs := map[int]int{}, 0.0
	for _, r := range s.Runs {
		if !blamable(r) {
			continue
		}
		runs++
		for _, k := range r.Ranks {
			at, seen := place[k.Rank.Rank]
			if !seen {
				at = len(out)
				place[k.Rank.Rank] = at
				out = append(out, Blame{Rank: k.Rank.Rank, Host: k.Host, WaitFor: map[int]float64{}, More: map[string]float64{}})
			}
			b := &out[at]
			for _, v := range k.UsedValues(lastArrivals) {
				b.Last += v
			}
			steps := math.Max(1, float64(len(k.Kept())))
			for _, w := range k.Waits {
				b.WaitFor[w.For] += float64(w.Time) * 1e-9 / steps
			}
		}
	}
	if runs == 0 {
		return nil
	}
	slices.SortFunc(out, func(a, b Blame) int { return cmp.Compare(a.Rank, b.Rank) })
	total := 0.0
	for i := range out {
		total += out[i].Last
		place[out[i].Rank] = i
	}
	for i := range out {
		out[i].Last = verdict.Settled(out[i].Last / total)
		for _, rank := range sides.SortedKeys(out[i].WaitFor) {
			out[i].WaitFor[rank] /= runs
			if at, ok := place[rank]; ok {
				out[at].Causes += out[i].WaitFor[rank]
			}
		}
	}
	blameMore(s, out)
	return out
}

// blamable reports whether a run knows who waits for whom, and which rank is which.
func blamable(r *sides.Run) bool {
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

// blameMore adds what ranks do longer than the median one: the lower of two in the
// middle, so that where half of the ranks are late these stand out and not all by half.
func blameMore(s *sides.Side, out []Blame) {
	for what, keys := range longer {
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
			out[i].More[what] = verdict.Settled(sum[out[i].Rank] - all[(len(all)-1)/2])
		}
	}
}

// HostBlames are those of hosts, where ranks are on several: what all ranks of one are
// waited for, and what its mean rank takes longer.
func HostBlames(ranks []Blame) []Blame {
	place, counts := map[string]int{}, map[string]float64{}
	var out []Blame
	for _, b := range ranks {
		at, seen := place[b.Host]
		if !seen {
			at = len(out)
			place[b.Host] = at
			out = append(out, Blame{Rank: -1, Host: b.Host, WaitFor: map[int]float64{}, More: map[string]float64{}})
		}
		h := &out[at]
		counts[b.Host]++
		h.Last, h.Causes = h.Last+b.Last, h.Causes+b.Causes
		for what, v := range b.More {
			h.More[what] += v
		}
	}
	if len(out) < 2 || place[""] > 0 || out[0].Host == "" {
		return nil
	}
	for i := range out {
		h := &out[i]
		h.Last, h.Causes = verdict.Settled(h.Last), verdict.Settled(h.Causes)
		for what := range h.More {
			h.More[what] = verdict.Settled(h.More[what] / counts[h.Host])
		}
	}
	slices.SortFunc(out, func(a, b Blame) int { return strings.Compare(a.Host, b.Host) })
	return out
}
