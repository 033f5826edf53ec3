package sides

import (
	"slices"

	"perfdiff/analyze/run"
)

// What the files of a rank do not hold whole any more is compared on neither side: the
// other ranks would be compared with all of the other side.

// matchLosses removes a metric that a rank of either side lost from that rank on both sides, unless its side then has
// it for no rank: there it is not recorded, and the other side's value is worth showing.
func matchLosses(base, cand *Side) {
	for _, s := range [][2]*Side{{base, cand}, {cand, base}} {
		for metric, ranks := range s[0].losses() {
			if len(ranks) < len(s[0].Numbers()) {
				s[1].forget(metric, ranks)
			}
		}
	}
}

// losses returns the metrics that ranks of a side lost, with their numbers.
func (s *Side) losses() map[string][]int {
	out := map[string][]int{}
	s.EachRank(func(k *Rank) {
		for _, l := range k.Lost {
			out[l.Metric] = append(out[l.Metric], k.Rank.Rank)
		}
	})
	for metric, ranks := range out {
		slices.Sort(ranks)
		out[metric] = slices.Compact(ranks)
	}
	return out
}

// forget removes a metric from the ranks with these numbers.
func (s *Side) forget(metric string, ranks []int) {
	s.forgetKeys(ranks, func(key run.Key) bool { return key.Metric == metric })
}

// forgetKey removes a series from the ranks with these numbers.
func (s *Side) forgetKey(key run.Key, ranks []int) {
	s.forgetKeys(ranks, func(k run.Key) bool { return k == key })
}

func (s *Side) forgetKeys(ranks []int, which func(run.Key) bool) {
	if len(ranks) == 0 {
		return
	}
	left := map[*SeriesIndex]*SeriesIndex{} // so that ranks that share an index share what is left of it
	s.EachRank(func(k *Rank) {
		if k.Rank.Rank < 0 || !slices.Contains(ranks, k.Rank.Rank) {
			return
		}
		if left[k.Index] == nil {
			left[k.Index] = k.Index.without(which)
		}
		k.Index = left[k.Index]
	})
}

// Loss is why a metric of a side is lost: why the first rank lost it, with its files, and how
// many more did. The zero value: none lost it.
type Loss struct {
	Why  string // what is needed and what is there, as it goes on behind "needs"
	In   string // names of the files; "" not known
	More int    // ranks
}

// Is reports whether any rank lost it.
func (l Loss) Is() bool { return l.Why != "" }

// LossOf returns why a metric of the side is lost.
func (s *Side) LossOf(metric string) (l Loss) {
	s.EachRank(func(k *Rank) {
		switch why := k.WhyLost(metric); {
		case why == "":
		case l.Why == "":
			l = Loss{Why: why, In: List(k.Files)}
		default:
			l.More++
		}
	})
	return l
}
