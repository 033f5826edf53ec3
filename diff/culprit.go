package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
)

// maxCulprits is how many ranks have views of their own. Chosen, not measured: where more ranks are at fault, one of
// them shows what they have in common.
const maxCulprits = 4

// rankStep is what is known about a rank in one step of a side.
type rankStep struct {
	rank      int
	own, wait float64 // s; NaN not known. Without waiting, own is the whole step
}

// ranksOfStep returns the ranks that the excerpt of a side has.
func (v *views) ranksOfStep(side int, e *Excerpt) (out []rankStep) {
	for i := range v.ranks {
		k := [2]*RankSide{&v.ranks[i].Base, &v.ranks[i].Cand}[side]
		at := slices.Index(k.Steps, e.Step)
		if at < 0 || e.strip(v.ranks[i].Rank) == nil {
			continue
		}
		of := func(values []float64) float64 {
			if at < len(values) {
				return values[at]
			}
			return math.NaN()
		}
		x := rankStep{v.ranks[i].Rank, of(k.OwnTime), of(k.Values[run.ExposedWaitTime])}
		if math.IsNaN(x.own) {
			x.own = of(k.Values[run.StepTime])
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b rankStep) int { return cmp.Compare(a.own, b.own) })
	return out
}

// strip returns a rank of an excerpt; nil: it has none.
func (e *Excerpt) strip(rank int) *run.Strip {
	for i := range e.Ranks {
		if e.Ranks[i].Rank == rank {
			return &e.Ranks[i]
		}
	}
	return nil
}

// addCulprits adds a view for each rank that findings name, if its strip is there.
func (v *views) addCulprits(findings []cause.Finding) {
	var seen []int
	for i := range findings {
		f := &findings[i]
		for _, rank := range f.Ranks {
			if len(seen) == maxCulprits || slices.Contains(seen, rank) {
				continue
			}
			for _, side := range sidesOf(f) {
				if at, ok := v.shownIn(side, rank); ok {
					seen = append(seen, rank)
					v.addCulprit(side, at, rank)
					break
				}
			}
		}
	}
}

// sidesOf returns the sides on which a rank that a finding names stands out, the first one first: the
// candidate, unless ranks are late in the baseline alone.
func sidesOf(f *cause.Finding) [2]int {
	if f.Late != nil && f.Late.Cand == nil && f.Late.Base != nil {
		return [2]int{0, 1}
	}
	return [2]int{1, 0}
}

// halfOf is how much of its largest delay a rank must show in the typical step for that step to show it as well.
// Chosen, not measured: what is there in every step is best seen in a usual one.
const halfOf = 0.5

// shownIn returns the index of the excerpt of a side in which a rank shows: the typical step, unless the
// rank's own time is much further above the median rank's in another one; false: none has it.
func (v *views) shownIn(side, rank int) (at int, ok bool) {
	behind := func(i int) float64 {
		ranks := v.ranksOfStep(side, &v.all[side][i])
		k := slices.IndexFunc(ranks, func(x rankStep) bool { return x.rank == rank })
		if k < 0 {
			return math.NaN()
		}
		return ranks[k].own - order.Lower(ranks).own
	}
	best, most := -1, math.Inf(-1)
	if t := v.typical[side]; t >= 0 && v.all[side][t].strip(rank) != nil {
		best = t
		if x := behind(t); x > 0 {
			most = x / halfOf
		} else if math.IsNaN(x) { // nothing is known about steps
			return best, true
		}
	}
	for i := range v.all[side] {
		if e := &v.all[side][i]; !e.Used || e.strip(rank) == nil {
			continue
		}
		if x := behind(i); x > 0 && x > most {
			best, most = i, x
		}
	}
	return best, best >= 0
}

// addCulprit adds the view of a rank in a side's step, with a rank in the middle and the one that
// waits longest for it below.
func (v *views) addCulprit(side, at, rank int) {
	x := View{Kind: ViewCulprit, Side: [2]string{"baseline", "candidate"}[side], Rank: rank}
	x.Step[side], x.Step[1-side] = at, v.typical[1-side]
	if at == v.typical[side] {
		x.Step = v.typical
	} else if k := slices.IndexFunc(v.all[1-side], func(e Excerpt) bool { return e.Step == v.all[side][at].Step }); k >= 0 {
		x.Step[1-side] = k
	}
	others := slices.DeleteFunc(v.ranksOfStep(side, &v.all[side][at]), func(k rankStep) bool { return k.rank == rank })
	if len(others) > 0 {
		x.Beside = append(x.Beside, order.Lower(others).rank)
		waiter, most := -1, 0.0
		for _, k := range others {
			if k.wait > most && waitsFor(v.waits[side], k.rank, rank) {
				waiter, most = k.rank, k.wait
			}
		}
		if waiter >= 0 && waiter != x.Beside[0] {
			x.Beside = append(x.Beside, waiter)
		}
	}
	v.list = append(v.list, x)
}

// waitsFor reports whether a rank waits for a late one at all.
func waitsFor(list []cause.RankWait, rank, late int) bool {
	return slices.ContainsFunc(list, func(w cause.RankWait) bool { return w.Rank == rank && w.WaitsFor[late] > 0 })
}
