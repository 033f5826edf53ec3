package cause

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Ranks are stragglers if they take longer than others for something and are waited for: one rank for more than half
// of all waiting, several for four fifths of it. Where nobody takes longer than others over the run, the straggler may
// be another rank in each step. The shares are chosen, not measured: TestPlanted holds who is named in the stories of
// late ranks, a late node, and ranks that take turns.
const (
	stragglerShare = 0.5
	groupShare     = 0.8
	stragglerRanks = 2
	// likeMost is from which part of the most late one's excess a rank is late like it, if
	// it is waited for at least so much as a part of what that one is; as late as it, from
	// the second part on, it may hide behind it.
	likeMost, waitedFor, asLate = 0.5, 0.2, 0.85
)

// The kinds of who is late.
const (
	LateRank     = "rank"     // one
	LateRanks    = "ranks"    // some here and there
	LateNode     = "node"     // those of one host
	LateRotating = "rotating" // another one from step to step
)

// Late says who arrives last on a side, and with what.
type Late struct {
	Kind  string  `report:"kind"`
	Ranks []int   `report:"ranks"` // in order; nil of LateRotating
	Host  string  `report:"host"`
	Share float64 `report:"share"` // of all collectives, at which they arrive last; of LateRotating the most frequent one's
	// ByTime: the share is of all waiting, since they are not last at most collectives.
	ByTime   bool      `report:"by_time"`
	LongerIn []run.Key `report:"longer_in,said"` // what they do longer than the others; nil unknown
	LongerBy []float64 // by how much in each, s a step
}

// lateRanks is who arrives last on a side, and why.
type lateRanks struct {
	Kind  string
	Ranks []int // in order; nil of rotating
	host  string
	share float64 // of all collectives, at which they arrive last; of rotating ranks the most frequent one's
	// byTime: the share is of all waiting, since they are not last at most collectives.
	byTime      bool
	longerIn    []run.Key // what they do longer than the others, in order of the table; nil unknown
	longerBy    []float64 // by how much in each, s a step
	longerInAll float64   // in all
}

// asFinding returns l in the form that a finding holds.
func (l *lateRanks) asFinding() *Late {
	return &Late{l.Kind, l.Ranks, l.host, l.share, l.byTime, l.longerIn, l.longerBy}
}

// leastPart says how long another thing must take, as a part of the longest, to be a reason as well; leastReason is
// the part of the others' waiting that all reasons together must explain. Chosen, not measured: TestPlanted holds the
// reasons that are named.
const (
	leastPart   = 0.2
	leastReason = 0.25
)

var lastArrivals = run.Key{Metric: run.LastArrivals}

// FindLate returns the late ranks of a side over all its runs; false where arrivals are not known. The late rank is
// the one for which others wait longest: a rank can be last by microseconds at most collectives and hold up nobody.
func FindLate(s *sides.Side) (lateRanks, bool) {
	of, numbers := waitSumsOf(s), s.Numbers()
	if len(numbers) < stragglerRanks || !(of.waiting > 0) {
		return lateRanks{}, false
	}
	top := numbers[0]
	for _, n := range numbers {
		if of.rank[n].waiting > of.rank[top].waiting {
			top = n
		}
	}
	if out, ok := lateGroup(s, &of, top); ok {
		return out, true
	}
	out := lateRanks{Kind: LateRotating, share: of.rank[top].last / of.last}
	if of.rank[top].waiting > stragglerShare*of.waiting { // with nothing recorded that it does longer
		out = of.named(lateRanks{Kind: LateRank, Ranks: []int{top}})
		return out, true
	}
	reasons(s, &out)
	return out, true
}

// lateGroup returns the ranks that take longer for the same things as the latest rank, if all the waiting is for them:
// this rank alone, the ranks of one node, or some here and there.
func lateGroup(s *sides.Side, of *waitSums, top int) (lateRanks, bool) {
	out := lateRanks{Kind: LateRank}
	best, longest := map[int]float64{}, 0.0 // by how much longer each takes, for all that the most late one does longer
	all := make([]map[int]float64, len(lateWork))
	for i := range lateWork {
		all[i] = means(s, lateWork[i])
		least := lowerQuartile(all[i])
		for n := range all[i] {
			all[i][n] -= least
		}
		longest = math.Max(longest, all[i][top])
	}
	for i := range lateWork {
		if all[i][top] > 0 && all[i][top] >= leastPart*longest {
			for n, v := range all[i] {
				best[n] += v
			}
		}
	}
	waits := means(s, run.Key{Metric: exposedWait.metric})
	if usual := stat.Median(slices.Collect(maps.Values(waits))); !(best[top] > 0) || best[top] < leastReason*usual {
		return lateRanks{}, false
	}
	waiting, host := 0.0, of.hostOf[top]
	for _, n := range sides.SortedKeys(best) {
		hides := best[n] < asLate*best[top] && of.rank[n].waiting < waitedFor*of.rank[top].waiting
		if best[n] >= likeMost*best[top] && !hides {
			out.Ranks = append(out.Ranks, n)
			waiting += of.rank[n].waiting
			if of.hostOf[n] != host {
				host = ""
			}
		}
	}
	share := groupShare
	if len(out.Ranks) == 1 {
		share = stragglerShare
	}
	if len(out.Ranks) == 0 || 2*len(out.Ranks) > len(of.rank) || waiting < share*of.waiting {
		return lateRanks{}, false
	}
	switch {
	case len(out.Ranks) == 1:
		out.Kind = LateRank
	case host != "" && len(of.host) > 1 && 2*len(out.Ranks) > of.host[host].ranks:
		out.Kind, out.host = LateNode, host
	default:
		out.Kind = LateRanks
	}
	reasons(s, &out)
	return of.named(out), out.longerIn != nil
}

// reasons finds what the late ones do longer, and by how much.
func reasons(s *sides.Side, l *lateRanks) {
	more := make([]float64, len(lateWork))
	longest := 0.0
	for i := range lateWork {
		more[i] = moreOf(s, l, lateWork[i])
		longest = math.Max(longest, more[i])
	}
	for i := range lateWork {
		if more[i] > 0 && more[i] >= leastPart*longest {
			l.longerIn, l.longerBy, l.longerInAll = append(l.longerIn, lateWork[i]), append(l.longerBy, more[i]), l.longerInAll+more[i]
		}
	}
}

// likewise returns the numbers on this side of the ranks that are late on the other side.
func likewise(s *sides.Side, l lateRanks) lateRanks {
	l.longerBy, l.longerInAll = nil, 0
	for _, x := range l.longerIn {
		l.longerBy = append(l.longerBy, moreOf(s, &l, x))
		l.longerInAll += l.longerBy[len(l.longerBy)-1]
	}
	return l
}

// means returns the mean times of all ranks in something, s a step, over all runs.
func means(s *sides.Side, key run.Key) map[int]float64 {
	type sum struct {
		of float64
		n  int
	}
	sums := make(map[int]sum, s.MostRanks())
	s.EachRank(func(k *sides.Rank) {
		x, values := sums[k.Rank.Rank], k.ValuesOf(key)
		for j := range k.UsedIndex {
			if v := k.ValueOf(values, j); !math.IsNaN(v) {
				x.of, x.n = x.of+v, x.n+1
			}
		}
		sums[k.Rank.Rank] = x
	})
	out := make(map[int]float64, len(sums))
	for n, x := range sums {
		if out[n] = 0; x.n > 0 {
			out[n] = x.of / float64(x.n)
		}
	}
	return out
}

// lowerQuartile returns one of the values, without interpolation: of two equal groups a value of the lower one.
func lowerQuartile(values map[int]float64) float64 {
	all := slices.Sorted(maps.Values(values))
	if len(all) == 0 {
		return 0
	}
	return all[(len(all)-1)/4]
}

// moreOf returns how much longer the late ranks of either side take for something, in s a step.
func moreOf(s *sides.Side, l *lateRanks, what run.Key) float64 {
	one := *l
	one.longerIn = []run.Key{what}
	var all []float64
	for _, r := range s.Runs {
		all = append(all, stat.Known(lateCurve(r, &one))...)
	}
	if len(all) == 0 {
		return 0
	}
	return stat.Mean(all)
}

// lateCurve returns, for each used step of a run, how much longer the late ranks take for what makes them late: for a
// group its mean less the median of the others, for ranks that take turns the rank that arrives last in the step less
// the median of all. NaN where nobody arrives last.
func lateCurve(r *sides.Run, l *lateRanks) []float64 {
	type series struct {
		late  bool
		parts [][]float64 // of the things they are late with
		last  []float64
	}
	ranks := make([]series, len(r.Ranks))
	for i, k := range r.Ranks {
		ranks[i] = series{late: slices.Contains(l.Ranks, k.Rank.Rank), last: k.ValuesOf(lastArrivals)}
		for _, x := range l.longerIn {
			ranks[i].parts = append(ranks[i].parts, k.ValuesOf(x))
		}
	}
	out := make([]float64, len(r.Used))
	own, others := make([]float64, 0, len(ranks)), make([]float64, 0, len(ranks))
	for j := range out {
		own, others = own[:0], others[:0]
		last, value := 0.0, math.NaN()
		for i, k := range r.Ranks {
			v := math.NaN()
			for _, values := range ranks[i].parts {
				if part := k.ValueOf(values, j); math.IsNaN(v) {
					v = part
				} else if !math.IsNaN(part) {
					v += part
				}
			}
			if n := k.ValueOf(ranks[i].last, j); n > last {
				last, value = n, v
			}
			if ranks[i].late {
				own = append(own, v)
			} else {
				others = append(others, v)
			}
		}
		if l.Kind == LateRotating {
			own = append(own[:0], value)
		}
		out[j] = stat.Mean(own) - stat.MedianInPlace(others)
	}
	return out
}
