package run

import (
	"fmt"
	"math"
	"testing"
)

func TestStat(t *testing.T) {
	a := statOf(APITable, "x", []int64{30, 10, 20, 40})
	if a.Count != 4 || a.Total != 100 || a.Min != 10 || a.Max != 40 || a.Median != 20 || math.Abs(a.Deviation()-12.9099e-9) > 1e-12 {
		t.Errorf("got %+v, deviation %g", a, a.Deviation())
	}
	// Two captures together deviate as all of their values do.
	b := statOf(APITable, "x", []int64{100, 300})
	whole := statOf(APITable, "x", []int64{10, 20, 30, 40, 100, 300})
	sum := a.Plus(b)
	if sum.Count != 6 || sum.Total != whole.Total || sum.Max != 300 || math.Abs(sum.Deviation()-whole.Deviation()) > 1e-15 {
		t.Errorf("got %+v, deviation %g, want %g", sum, sum.Deviation(), whole.Deviation())
	}
	if got := AddStats([]Stat{a}, []Stat{b, statOf(OSTable, "read", []int64{5})}); len(got) != 2 || got[0].Count != 6 {
		t.Errorf("got %+v", got)
	}
	if !math.IsNaN(statOf(APITable, "x", nil).Deviation()) {
		t.Error("a deviation of nothing")
	}
}

func TestMost(t *testing.T) {
	var all []Stat
	for i := range 100 {
		all = append(all, Stat{Table: APITable, Name: fmt.Sprint("n", i), Total: int64(i)}, Stat{Table: OSTable, Name: fmt.Sprint("m", i), Total: int64(i % 3)})
	}
	got := Most(all)
	if len(got) != 2*MostStats || got[0].Table != APITable || got[0].Total < 52 {
		t.Errorf("got %d, %+v", len(got), got[0])
	}
}

// statOf sums up durations.
func statOf(table Table, name string, durations []int64) Stat {
	var d Durations
	for _, ns := range durations {
		d.Add(ns)
	}
	return d.Stat(table, name)
}
