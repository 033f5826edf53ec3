package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// sameClock is the share by which two clocks may differ and still count as one. Chosen, not measured: samplers give
// whole MHz, and a device that is not throttled stays within its steps of 15.
const sameClock = 0.01

// ClockPair are the clocks at which devices ran on both sides, as sampled, in Hz.
type ClockPair struct {
	Base float64 `report:"baseline"`
	Cand float64 `report:"candidate"`
}

// Clocks returns the clocks at which the devices ran in steps, or in whole captures without steps; not ok where a side
// did not record them. parts are the comparisons of the sides.
func Clocks(p *sides.Lined, parts []Comparison) (c ClockPair, ok bool) {
	if Stepless(p) {
		c = ClockPair{middleClock(p.Base), middleClock(p.Cand)}
	} else if x := partOf(parts, run.Key{Metric: run.GPUClock}); x != nil {
		c = ClockPair{x.Base, x.Cand}
	}
	return c, c.Base > 0 && c.Cand > 0
}

// ClocksOf returns the mean clocks of the devices of some ranks.
func ClocksOf(p *sides.Lined, ranks []int) (c ClockPair, ok bool) {
	base, cand := clocksByRank(p.Base), clocksByRank(p.Cand)
	n := float64(len(ranks))
	for _, r := range ranks {
		if !(base[r] > 0) || !(cand[r] > 0) {
			return ClockPair{}, false
		}
		c.Base, c.Cand = c.Base+base[r]/n, c.Cand+cand[r]/n
	}
	return c, len(ranks) > 0
}

// middleClock returns the clock of the median device over whole captures; NaN where none is recorded.
func middleClock(s *sides.Side) float64 {
	var all []float64
	s.EachRank(func(k *sides.Rank) {
		if k.Whole != nil && k.Whole.Clock > 0 && !k.OnOneSideOnly {
			all = append(all, k.Whole.Clock)
		}
	})
	if len(all) == 0 {
		return math.NaN()
	}
	return stat.Median(all)
}

// clocksByRank returns the clocks of the devices of ranks that both sides have, as means over steps
// and runs; without steps over whole captures.
func clocksByRank(s *sides.Side) map[int]float64 {
	all := map[int][]float64{}
	s.EachRank(func(k *sides.Rank) {
		clock, ok := k.MeanOver(run.Key{Metric: run.GPUClock})
		if !ok && k.Whole != nil {
			clock = k.Whole.Clock
		}
		if clock > 0 && !k.OnOneSideOnly {
			all[k.Rank.Rank] = append(all[k.Rank.Rank], clock)
		}
	})
	out := make(map[int]float64, len(all))
	for rank, clocks := range all {
		out[rank] = Settled(stat.Mean(clocks))
	}
	return out
}

// Differ reports whether the two clocks are not one.
func (c ClockPair) Differ() bool { return math.Abs(math.Log(c.Cand/c.Base)) > math.Log1p(sameClock) }

// otherClocks returns the difference of the sides' clocks, if there is any: of all devices, or of some.
func otherClocks(p *sides.Lined, parts []Comparison) []Difference {
	c, ok := Clocks(p, parts)
	if !ok {
		return nil
	}
	var some []int
	if !c.Differ() {
		base, cand := clocksByRank(p.Base), clocksByRank(p.Cand)
		for _, rank := range sides.SortedKeys(base) {
			if x := (ClockPair{base[rank], cand[rank]}); x.Cand > 0 && x.Differ() {
				some = append(some, rank)
			}
		}
		if c, ok = ClocksOf(p, some); !ok || slices.Contains(some, -1) {
			return nil
		}
	}
	is := policy.FactEffects[policy.FactClock]
	return []Difference{{Name: policy.FactClock, Clocks: &c, Ranks: some, Class: is.Class, Why: is.Why}}
}
