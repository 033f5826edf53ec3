package cause

import (
	"perfdiff/diff/sides"
)

// waitSum sums the waiting that one rank or host causes.
type waitSum struct {
	waiting float64 // s that others wait for it
	last    float64 // collectives at which it arrives last
	ranks   int
}

// waitSums holds the sums of one side: in all, and by rank and host.
type waitSums struct {
	waitSum
	rank   map[int]waitSum
	host   map[string]waitSum
	hostOf map[int]string // of each rank
}

// named adds to l the share of the waiting that its ranks cause.
func (b *waitSums) named(l lateRanks) lateRanks {
	var own waitSum
	for _, n := range l.Ranks {
		own.waiting, own.last = own.waiting+b.rank[n].waiting, own.last+b.rank[n].last
	}
	if l.share = own.last / b.last; !(l.share > stragglerShare) {
		l.share, l.byTime = own.waiting/b.waiting, true
	}
	return l
}

// waitSumsOf sums up who is waited for. Where only arrivals are known they stand for the
// waiting.
func waitSumsOf(s *sides.Side) waitSums {
	timed := false
	out := waitSums{rank: map[int]waitSum{}, host: map[string]waitSum{}, hostOf: map[int]string{}}
	add := func(rank int, x waitSum) {
		plus := func(a waitSum) waitSum { return waitSum{a.waiting + x.waiting, a.last + x.last, a.ranks + x.ranks} }
		out.rank[rank], out.host[out.hostOf[rank]], out.waitSum = plus(out.rank[rank]), plus(out.host[out.hostOf[rank]]), plus(out.waitSum)
	}
	s.EachRank(func(k *sides.Rank) {
		out.hostOf[k.Rank.Rank] = k.Host
		timed = timed || len(k.Waits) > 0
	})
	s.EachRank(func(k *sides.Rank) {
		x := waitSum{}
		if _, seen := out.rank[k.Rank.Rank]; !seen {
			x.ranks = 1
		}
		for _, v := range k.UsedValues(lastArrivals) {
			x.last += v
		}
		if !timed {
			x.waiting = x.last
		}
		add(k.Rank.Rank, x)
		for _, w := range k.Waits {
			add(w.For, waitSum{waiting: float64(w.Time) / 1e9})
		}
	})
	return out
}
