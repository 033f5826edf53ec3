package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// Requests are the single reads of both sides that moved bytes, of kept steps.
type Requests struct {
	Sizes [2]Spread `report:"sizes"`     // bytes
	Times [2]Spread `report:"durations"` // s
}

// Spread is how single things are distributed; Count 0: none was recorded.
type Spread struct {
	Count     int64                  `report:"count"`
	Quantiles [len(SpreadAt)]float64 `report:"quantiles"` // at SpreadAt
}

// SpreadAt are the shares whose quantiles are reported.
var SpreadAt = [...]float64{0.1, 0.5, 0.9, 0.99, 1}

// Requests adds up the read requests of all compared ranks.
func (p *Causes) Requests() (out Requests) {
	for i, s := range []*sides.Side{p.Base, p.Cand} {
		var all *run.Reads
		s.EachRank(func(k *sides.Rank) {
			if !k.OnOneSideOnly {
				all = all.Plus(k.Reads)
			}
		})
		if all == nil {
			all = new(run.Reads)
		}
		out.Sizes[i], out.Times[i] = spread(&all.Sizes, 1), spread(&all.Times, 1e-9)
	}
	return out
}

func spread(of *run.Amounts, unit float64) (out Spread) {
	for i, share := range SpreadAt {
		out.Quantiles[i] = float64(of.Quantile(share) * unit)
	}
	out.Count = of.Count
	return out
}
