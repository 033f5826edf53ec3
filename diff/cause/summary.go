package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Summary is one of the tables known from nsys stats with both sides next to each other, over the kept steps of the
// ranks that enter; where there are none, over their whole captures. Report.Per says whether times and calls are a
// step or a second.
type Summary struct {
	Table run.Table `report:"table"`
	Rows  []StatRow `report:"rows"` // by size of the change
	More  int       `report:"more"` // names that have no row
}

// StatRow is one name on both sides.
type StatRow struct {
	Name  string   `report:"name"`
	Base  StatSide `report:"baseline"`
	Cand  StatSide `report:"candidate"`
	Delta float64  `report:"delta"` // s, time a step, or a second, and rank
}

// StatSide is one name on one side.
type StatSide struct {
	Share     float64 `report:"share"`  // of the table's time on this side
	Time      float64 `report:"time"`   // s a step, or a second, and rank
	Total     float64 `report:"total"`  // s, all kept steps, or whole captures, and ranks
	Calls     float64 `report:"calls"`  // a step, or a second, and rank
	Count     int64   `report:"count"`  // all of them
	Mean      float64 `report:"mean"`   // s
	Median    float64 `report:"median"` // s, the median of the ranks' medians
	Min       float64 `report:"min"`    // s
	Max       float64 `report:"max"`
	Deviation float64 `report:"deviation"` // s
	Bytes     float64 `report:"bytes"`     // a step, or a second, and rank, of memory operations
}

// mostStats is how many names a table shows.
const mostStats = 30

// Summaries returns the tables of both sides.
func (p *Causes) Summaries() []Summary {
	var out []Summary
	for _, table := range run.Tables {
		base, cand := statsOfBoth(p, table)
		if len(base) == 0 || len(cand) == 0 {
			continue // not recorded on a side: nothing became more or less
		}
		s := Summary{Table: table}
		for _, n := range comparable(base, cand) {
			if table != run.KernelTable || !ignores(p, n) {
				s.Rows = append(s.Rows, StatRow{n, base[n], cand[n], cand[n].Time - base[n].Time})
			}
		}
		sort.SliceStable(s.Rows, func(i, j int) bool {
			a, b := &s.Rows[i], &s.Rows[j]
			return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), strings.Compare(a.Name, b.Name)) < 0
		})
		if n := len(s.Rows) - mostStats; n > 0 {
			s.Rows, s.More = s.Rows[:mostStats:mostStats], n
		}
		out = append(out, s)
	}
	return out
}

// statsOfBoth returns the sums of both sides by name: of kept steps, without steps of whole captures.
func statsOfBoth(p *Causes, table run.Table) (base, cand map[string]StatSide) {
	if verdict.Stepless(p.Judged.Lined) {
		return wholeStats(p.Base, table), wholeStats(p.Cand, table)
	}
	return stats(p.Base, table), stats(p.Cand, table)
}

// stats returns a side's sums by name over its kept steps.
func stats(s *sides.Side, table run.Table) map[string]StatSide {
	return statsOf(s, table, func(k *sides.Rank) ([]run.Stat, float64) {
		if table == run.ProjectedTable {
			return k.Stats, float64(k.Projected)
		}
		return k.Stats, float64(len(k.Kept()))
	})
}

// statsOf sums a side's tables by name. of returns what a rank has in a table, and the number of steps or seconds to
// divide it by.
func statsOf(s *sides.Side, table run.Table, of func(*sides.Rank) (list []run.Stat, per float64)) map[string]StatSide {
	type sum struct {
		run.Stat
		medians []float64
	}
	sums := map[string]*sum{}
	steps := 0.0
	s.EachRank(func(k *sides.Rank) {
		if k.OnOneSideOnly {
			return
		}
		list, per := of(k)
		if slices.ContainsFunc(list, func(x run.Stat) bool { return x.Table == table }) {
			steps += per
		}
		for i := range list {
			x := &list[i]
			if x.Table != table {
				continue
			}
			all := sums[x.Name]
			if all == nil {
				all = new(sum)
				sums[x.Name] = all
			}
			all.Stat, all.medians = all.Plus(*x), append(all.medians, float64(x.Median)/1e9)
		}
	})
	all := 0.0
	for _, n := range sides.SortedKeys(sums) {
		all += float64(sums[n].Total) / 1e9
	}
	out := map[string]StatSide{}
	for name, x := range sums {
		total := float64(x.Total) / 1e9
		out[name] = StatSide{
			Share: share(total, all), Time: total / steps, Total: total, Calls: float64(x.Count) / steps, Count: x.Count,
			Mean: total / float64(x.Count), Median: stat.MedianInPlace(x.medians), Min: float64(x.Min) / 1e9, Max: float64(x.Max) / 1e9,
			Deviation: verdict.Settled(x.Deviation()), Bytes: float64(x.Bytes) / steps,
		}
	}
	return out
}

// share returns a part of all; 0 if all is 0.
func share(part, all float64) float64 {
	if all == 0 {
		return 0
	}
	return part / all
}
