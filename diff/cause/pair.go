package cause

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// PairChange is two ranks that send to each other, on both sides.
type PairChange struct {
	Ranks     [2]int `report:"ranks,list"` // the lower one first
	Dimension string `report:"dimension"`  // of parallelism that their group serves; "" unknown, or not the same on both sides
	// Base and Cand are what they do on each side, as means over runs, both ranks and the kept
	// steps with such a call.
	Base GroupLoad `report:"sides.baseline"`
	Cand GroupLoad `report:"sides.candidate"`
}

// sidePairs returns the pairs of a side's runs.
func sidePairs(s *sides.Side) map[[2]int][]*run.Pair {
	out := map[[2]int][]*run.Pair{}
	for _, r := range s.Runs {
		for i := range r.Source.Pairs {
			p := &r.Source.Pairs[i]
			out[p.Ranks] = append(out[p.Ranks], p)
		}
	}
	return out
}

// pairChanges returns the pairs of both sides, by ranks.
func pairChanges(p *Causes) []PairChange {
	base, cand := sidePairs(p.Base), sidePairs(p.Cand)
	var order [][2]int
	for _, of := range []map[[2]int][]*run.Pair{base, cand} {
		for at := range of {
			order = append(order, at)
		}
	}
	slices.SortFunc(order, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out []PairChange
	for _, at := range slices.Compact(order) {
		both := slices.Concat(base[at], cand[at])
		x := PairChange{Ranks: at, Dimension: both[0].Dimension, Base: pairLoad(base[at]), Cand: pairLoad(cand[at])}
		if slices.ContainsFunc(both, func(o *run.Pair) bool { return o.Dimension != x.Dimension }) {
			x.Dimension = ""
		}
		out = append(out, x)
	}
	return out
}

// pairLoad returns the load of a pair of ranks in a mean step.
func pairLoad(runs []*run.Pair) GroupLoad {
	var all []*run.Group
	for _, p := range runs {
		all = append(all, &run.Group{Size: len(p.Ranks), Uses: []run.GroupUse{p.Use}})
	}
	return loadOf(all)
}
