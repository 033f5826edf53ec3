package cause

import (
	"perfdiff/diff/sides"
)

// blamed is what is put down to a rank or a host.
type blamed struct {
	waiting float64 // s that others wait for it
	last    float64 // collectives at which it arrives last
	ranks   int
}

// blameSums are those of a side.
type blameSums struct {
	blamed
	rank   map[int]blamed
	host   map[string]blamed
	hostOf map[int]string // of each rank
}

// named adds the share that falls on those who are late.
func (b *blameSums) named(l late) late {
	var own blamed
	for _, n := range l.Ranks {
		own.waiting, own.last = own.waiting+b.rank[n].waiting, own.last+b.rank[n].last
	}
	if l.share = own.last / b.last; !(l.share > stragglerShare) {
		l.share, l.byTime = own.waiting/b.waiting, true
	}
	return l
}

// blame sums up who is waited for. Where only arrivals are known they stand for the
// waiting.
func blame(s *sides.Side) blameSums {
	timed := false
	out := blameSums{rank: map[int]blamed{}, host: map[string]blamed{}, hostOf: map[int]string{}}
	add := func(rank int, x blamed) {
		plus := func(a blamed) blamed { return blamed{a.waiting + x.waiting, a.last + x.last, a.ranks + x.ranks} }
		out.rank[rank], out.host[out.hostOf[rank]], out.blamed = plus(out.rank[rank]), plus(out.host[out.hostOf[rank]]), plus(out.blamed)
	}
	s.Each(func(k *sides.Rank) {
		out.hostOf[k.Rank.Rank] = k.Host
		timed = timed || len(k.Waits) > 0
	})
	s.Each(func(k *sides.Rank) {
		x := blamed{}
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
			add(w.For, blamed{waiting: float64(w.Time) / 1e9})
		}
	})
	return out
}
