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

// Tokens is the unit of what all-to-alls bring to ranks that share experts.
const Tokens = "tokens"

// addRouted adds to a finding about late ranks that compute longer that they get more or less data than on the other
// side: then their device is not slow.
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

// routedByMedian returns how much all-to-alls route to ranks, as a multiple of what the median rank gets; NaN where it
// is not known for all ranks.
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
