package saved

import (
	"math"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// TestPredicted: series that follow from others come back bit for bit, take next to
// nothing, and are told from those that do not follow.
func TestPredicted(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	const n = 300
	column := func(f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	ns := func() float64 { return float64(g.Int64N(1e8)) * 1e-9 }
	time := column(func(int) float64 { return ns() + 1e-3 })
	part := column(func(i int) float64 { return float64(int64(time[i]*3e8)) * 1e-9 })
	list := []run.Series{
		{Key: run.Key{Metric: "collective_bytes", Part: "AllReduce"}, Values: column(func(int) float64 { return 1 << 20 })},
		{Key: run.Key{Metric: "comm_time", Part: "AllReduce"}, Values: time},
		{Key: run.Key{Metric: "algorithm_bandwidth", Part: "AllReduce"}, Values: column(func(i int) float64 { return (1 << 20) / time[i] })},
		{Key: run.Key{Metric: "bus_bandwidth", Part: "AllReduce"}, Values: column(func(i int) float64 { return 1.75 * ((1 << 20) / time[i]) })},
		{Key: run.Key{Metric: "idle_time"}, Values: time},
		{Key: run.Key{Metric: "idle_time", Part: "input"}, Values: part},
		{Key: run.Key{Metric: "idle_time", Part: "unknown"}, Values: column(func(i int) float64 {
			return float64(int64(math.Round(time[i]*1e9))-int64(math.Round(part[i]*1e9))) * 1e-9
		})},
		{Key: run.Key{Metric: "busy_share"}, Values: column(func(int) float64 { return g.Float64() })},
		{Key: run.Key{Metric: "gap_time"}, Values: column(func(i int) float64 { return []float64{math.NaN(), math.Copysign(0, -1), time[i]}[i%3] })},
	}
	e := &encoder{derivations: metric.Derivation}
	var sizes []int
	for i := range list {
		before := len(e.b)
		e.series(list, i)
		sizes = append(sizes, len(e.b)-before)
	}
	for _, i := range []int{2, 3, 6} {
		if sizes[i] > 2*n {
			t.Errorf("%v: %d bytes", list[i].Key, sizes[i])
		}
	}
	d := &decoder{b: e.b, derivations: metric.Derivation, budget: ample()}
	back := make([]run.Series, len(list))
	for i := range list {
		back[i].Key = list[i].Key
		d.series(back, i)
		for j, v := range list[i].Values {
			if got := back[i].Values[j]; math.Float64bits(got) != math.Float64bits(v) && !(math.IsNaN(got) && math.IsNaN(v)) {
				t.Fatalf("%v, %d: got %v, want %v", list[i].Key, j, got, v)
			}
		}
	}
	if d.err != nil || len(d.b) > 0 {
		t.Errorf("got error %v and %d bytes left", d.err, len(d.b))
	}
}
