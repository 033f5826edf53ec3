package cause

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/group"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// routedLeast is by how much what late ranks get in all-to-alls, as a multiple of the median
// rank's, must have moved to be worth a word. Chosen, not measured: routers are never even.
const routedLeast = 0.1

// Tokens is what all-to-alls bring to ranks that share experts.
const Tokens = "tokens"

// addRouted says of late ranks, which compute longer than the others, that more is sent to them,
// or less, than in the other side: then it is not their device that is slow.
func addRouted(p *Causes, f *Finding, late *lateRanks) {
	if late.Ranks == nil || !slices.Contains(late.longerIn, computing) {
		return
	}
	base, cand := routedByMedian(p.Base, late.Ranks), routedByMedian(p.Cand, late.Ranks)
	if !(math.Abs(cand-base) >= routedLeast) || (cand-base)*f.Delta < 0 {
		return
	}
	c := ClauseRouted.fromTo(base, cand)
	if c.Ranks = late.Ranks; sharesExperts(p) {
		c.Names = []string{Tokens}
	}
	if f.add(c); f.Class == verdict.ClassWorse {
		f.Advice = Advice{Kind: AdviceRouted}
	}
}

// routedByMedian is what all-to-alls route to ranks, as a multiple of what they do to the median
// rank; NaN where it is not known of all ranks.
func routedByMedian(s *sides.Side, ranks []int) float64 {
	all, sum := means(s, run.Key{Metric: run.RoutedBytes}), 0.0
	for _, v := range all {
		if !(v > 0) {
			return math.NaN()
		}
	}
	for _, n := range ranks {
		v, known := all[n]
		if !known {
			return math.NaN()
		}
		sum += v
	}
	return sum / float64(len(ranks)) / stat.Median(slices.Collect(maps.Values(all)))
}

// sharesExperts reports whether all groups with all-to-alls share experts.
func sharesExperts(p *Causes) bool {
	some := false
	for i := range p.Groups {
		g := &p.Groups[i]
		if slices.ContainsFunc(g.Uses, func(u GroupUse) bool { return u.Collective == "AllToAll" }) {
			if g.Dimension != string(group.Expert) {
				return false
			}
			some = true
		}
	}
	return some
}
