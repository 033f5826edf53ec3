package diff

import (
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// What the files of a rank do not hold whole any more is compared on neither side: the
// other ranks would be compared with all of the other side.

// matchLosses takes a metric that a rank of either side lost from the ranks of that number
// on both, unless its side then has it of no rank: it is not recorded there, and the other
// side's value is worth showing.
func matchLosses(base, cand *side) {
	for _, s := range [][2]*side{{base, cand}, {cand, base}} {
		for metric, ranks := range s[0].losses() {
			if len(ranks) < len(s[0].numbers()) {
				s[1].forget(metric, ranks)
			}
		}
	}
}

// losses are the metrics that ranks of a side lost, with their numbers.
func (s *side) losses() map[string][]int {
	out := map[string][]int{}
	s.each(func(k *oneRank) {
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
func (s *side) forget(metric string, ranks []int) {
	left := map[*seriesIndex]*seriesIndex{} // so that ranks that share an index share what is left of it
	s.each(func(k *oneRank) {
		if k.Rank.Rank < 0 || !slices.Contains(ranks, k.Rank.Rank) {
			return
		}
		if left[k.series] == nil {
			left[k.series] = k.series.without(metric)
		}
		k.series = left[k.series]
	})
}

// whyLost is why a metric of a side is lost, "" if no rank lost it: that of the first rank
// that did, with its file.
func (s *side) whyLost(metric string) string {
	why, in, more := "", "", 0
	s.each(func(k *oneRank) {
		switch w := k.WhyLost(metric); {
		case w == "":
		case why == "":
			why, in = w, list(k.Files)
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

// inputFromOther reports whether the sides measured the wait for input from different
// things: who recorded no calls of the system knows of ranges alone.
func (p *Judged) inputFromOther(c *Comparison) bool {
	system := func(s *side) bool {
		all := true
		s.each(func(k *oneRank) { all = all && (k.alone || k.Recorded.Has(trace.HasOS)) })
		return all
	}
	base, cand := system(p.base), system(p.cand)
	if c.Key.Metric != run.InputWaitTime || base == cand {
		return false
	}
	from := map[bool]string{true: "ranges and calls of the system", false: "ranges alone"}
	c.Source = "baseline: " + from[base] + "; candidate: " + from[cand]
	return true
}

// lacking is what both sides need for a metric that follows from another: why a side lost
// that one, else what the metric needs.
func (p *Judged) lacking(of string, m run.Metric) (needs [2]string) {
	for i, s := range []*side{p.base, p.cand} {
		needs[i] = s.whyLost(of)
	}
	if needs == [2]string{} {
		return [2]string{m.Needs, m.Needs}
	}
	return needs
}
