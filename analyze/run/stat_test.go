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
	if got := JoinStats([]Stat{a}, []Stat{b, statOf(OSTable, "read", []int64{5})}); len(got) != 2 || got[0].Count != 6 {
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
	got := TopStats(all)
	if len(got) != 2*MaxStats || got[0].Table != APITable || got[0].Total < 52 {
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

// TestMedianOfMany: of more durations than are kept the median is right to a thousandth.
func TestMedianOfMany(t *testing.T) {
	for _, n := range []int64{3 * maxExact, maxBinOfEach, 3 * maxBinOfEach} {
		for _, scale := range []int64{1, 700, 1_000_003, 90_000_000_000_000} {
			var d Durations
			for i := range n {
				d.Add(scale * ((i*7919)%n + 1)) // each of 1 to n once
			}
			want := float64(scale * n / 2)
			got := d.StatWithQuartiles(APITable, "x")
			if math.Abs(float64(got.Median)-want) > want/1000 || got.Count != n || got.Max != scale*n ||
				math.Abs(float64(got.Quartiles[1])-1.5*want) > want/100 {
				t.Errorf("%d by %d: got %+v, want a median of %v", n, scale, got, want)
			}
		}
	}
	for _, ns := range []int64{0, 1, 1023, 1024, 2047, 2048, 5000, 1 << 40, 1<<62 + 12345} {
		if got := binCentre(binOf(ns)); math.Abs(float64(got-ns)) > float64(ns)/1000 {
			t.Errorf("%d ns: bin %d is of %d", ns, binOf(ns), got)
		}
	}
}
