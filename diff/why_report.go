package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// GapStory is one of the longest gaps of a side.
type GapStory struct {
	Rank int
	run.Gap
}

// mostStories is how many gaps of a side are told.
const mostStories = 5

// longest are the longest gaps in used steps of the ranks that enter.
func (s *side) longest() []GapStory {
	var all []GapStory
	s.each(func(k *oneRank) {
		for _, g := range k.Longest {
			if i, ok := k.at[g.Step]; ok && !k.alone && slices.Contains(k.pos, i) {
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

// blames are those of the ranks of the first run in which arrivals are known; nil
// where waiting cannot be told from transfer.
func (s *side) blames() []Blame {
	for _, r := range s.runs {
		if out := r.blames(); out != nil {
			return out
		}
	}
	return nil
}

// longer are the phases of a rank that a blame names.
var longer = []struct {
	what string
	keys []run.Key
}{
	{"compute", []run.Key{{Metric: "compute_time"}}},
	{"input", []run.Key{{Metric: "idle_time", Part: "input"}}},
	{"host", []run.Key{{Metric: "idle_time", Part: "host"}, {Metric: "idle_time", Part: "allocator"}, {Metric: "idle_time", Part: "synchronizing"}, {Metric: "idle_time", Part: "launching"}, {Metric: "idle_time", Part: "unknown"}}},
}

func (r *oneRun) blames() []Blame {
	var out []Blame
	place := map[int]int{}
	total, known := 0.0, false
	for _, k := range r.ranks {
		b := Blame{Rank: k.Rank.Rank, Host: k.Host, WaitFor: map[int]float64{}, More: map[string]float64{}}
		for _, v := range k.usedValues(lastArrivals) {
			b.Last += v
		}
		total += b.Last
		known = known || k.Waits != nil
		for _, w := range k.Waits {
			b.WaitFor[w.For] = float64(w.Time) * 1e-9 / math.Max(1, float64(len(k.Kept())))
		}
		place[b.Rank] = len(out)
		out = append(out, b)
	}
	if !known || total == 0 || len(place) != len(out) {
		return nil
	}
	for i := range out {
		out[i].Last /= total
		for _, rank := range sortedInts(out[i].WaitFor) {
			if at, ok := place[rank]; ok {
				out[at].Causes += out[i].WaitFor[rank]
			}
		}
	}
	for _, l := range longer {
		means := make([]float64, len(out))
		for i, k := range r.ranks {
			for _, key := range l.keys {
				if v := k.usedValues(key); len(v) > 0 {
					means[i] += stat.Mean(v)
				}
			}
		}
		middle := stat.Median(means)
		for i := range out {
			out[i].More[l.what] = means[i] - middle
		}
	}
	return out
}

func sortedInts(m map[int]float64) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
