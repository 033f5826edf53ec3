package sides

import (
	"slices"
	"strings"

	"perfdiff/diff/number"
)

// What the files of a rank do not hold whole any more is compared on neither side: the
// other ranks would be compared with all of the other side.

// matchLosses takes a metric that a rank of either side lost from the ranks of that number
// on both, unless its side then has it of no rank: it is not recorded there, and the other
// side's value is worth showing.
func matchLosses(base, cand *Side) {
	for _, s := range [][2]*Side{{base, cand}, {cand, base}} {
		for metric, ranks := range s[0].losses() {
			if len(ranks) < len(s[0].Numbers()) {
				s[1].forget(metric, ranks)
			}
		}
	}
}

// losses are the metrics that ranks of a side lost, with their numbers.
func (s *Side) losses() map[string][]int {
	out := map[string][]int{}
	s.Each(func(k *Rank) {
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

// forget takes a metric from the ranks of these numbers.
func (s *Side) forget(metric string, ranks []int) {
	left := map[*SeriesIndex]*SeriesIndex{} // so that ranks that share an index share what is left of it
	s.Each(func(k *Rank) {
		if k.Rank.Rank < 0 || !slices.Contains(ranks, k.Rank.Rank) {
			return
		}
		if left[k.Index] == nil {
			left[k.Index] = k.Index.without(metric)
		}
		k.Index = left[k.Index]
	})
}

// WhyLost is why a metric of a side is lost, "" if no rank lost it: that of the first rank
// that did, with its file.
func (s *Side) WhyLost(metric string) string {
	why, in, more := "", "", 0
	s.Each(func(k *Rank) {
		switch w := k.WhyLost(metric); {
		case w == "":
		case why == "":
			why, in = w, List(k.Files)
		default:
			more++
		}
	})
	if why == "" || in == "" {
		return why
	}
	if in = ", in " + in; more > 0 {
		in += " and in those of " + number.Counted(more, "more rank")
	}
	if at := strings.LastIndex(why, " ("); at >= 0 { // before the remedy
		return why[:at] + in + why[at:]
	}
	return why + in
}
