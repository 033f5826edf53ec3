package run

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"perfdiff/analyze/order"
)

// Calls holds how long the calls of one collective took on a rank: its Stat, whose median and quartiles are right to a
// bin once two are joined, and how many calls are in each bin of length.
type Calls struct {
	Stat
	Bins   []int32 `report:"lengths,said"` // that have calls, in order
	Counts []int64 `report:"counts"`       // of Bins
}

// MaxCalls is for how many collectives a rank keeps calls: those with the most time.
const MaxCalls = 8

// callBits are how many of a duration's upper bits, after the first, make its bin: a bin is at
// most a 32nd of its durations wide.
const callBits = 5

func callBin(ns int64) int32 {
	v := uint64(max(ns, 0))
	more := max(bits.Len64(v)-callBits-1, 0)
	return int32(more<<callBits + int(v>>(more&63)))
}

// CallLength returns the middle of a bin, in ns.
func CallLength(bin int32) float64 {
	more := max(int(bin)>>callBits-1, 0)
	return math.Ldexp(float64(int(bin)-more<<callBits), more) + math.Floor(math.Ldexp(0.5, more))
}

// Calls returns the durations by bin.
func (d *Durations) Calls(collective string) Calls {
	counts := map[int32]int64{}
	d.each(func(ns, n int64) { counts[callBin(ns)] += n })
	return callsOf(d.StatWithQuartiles(CollectiveTable, collective), counts)
}

func callsOf(s Stat, counts map[int32]int64) Calls {
	out := Calls{Stat: s}
	for bin := range counts {
		out.Bins = append(out.Bins, bin)
	}
	slices.Sort(out.Bins)
	for _, bin := range out.Bins {
		out.Counts = append(out.Counts, counts[bin])
	}
	return out
}

// Plus returns both together, for one collective.
func (c Calls) Plus(d Calls) Calls {
	counts := map[int32]int64{}
	for _, x := range []*Calls{&c, &d} {
		for i, bin := range x.Bins {
			counts[bin] += x.Counts[i]
		}
	}
	out := callsOf(c.Stat.Plus(d.Stat), counts)
	for at, q := range map[*int64]float64{&out.Median: 0.5, &out.Quartiles[0]: 0.25, &out.Quartiles[1]: 0.75} {
		*at = out.Quantile(q)
	}
	return out
}

// Quantile returns the duration, in ns, that a share q of the calls does not exceed, right to a bin.
func (c *Calls) Quantile(q float64) int64 {
	left := int64(order.LowerRank(int(c.Count), q))
	for i, n := range c.Counts {
		if left -= n; left < 0 {
			return min(max(int64(CallLength(c.Bins[i])), c.Min), c.Max)
		}
	}
	return c.Max
}

// JoinCalls returns both lists together, in order of collective.
func JoinCalls(a, b []Calls) []Calls {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(x, y Calls) int { return strings.Compare(x.Name, y.Name) })
	var out []Calls
	for _, c := range all {
		if n := len(out); n > 0 && out[n-1].Name == c.Name {
			out[n-1] = out[n-1].Plus(c)
			continue
		}
		out = append(out, c)
	}
	return TopCalls(out)
}

// TopCalls returns the MaxCalls collectives with the most time, in order of name.
func TopCalls(all []Calls) []Calls {
	slices.SortFunc(all, func(x, y Calls) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), strings.Compare(x.Name, y.Name))
	})
	all = all[:min(len(all), MaxCalls)]
	slices.SortFunc(all, func(x, y Calls) int { return strings.Compare(x.Name, y.Name) })
	return all
}
