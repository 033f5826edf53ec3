package old_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// TestFollows: what values are made of is how summaries of earlier versions are read, so that
// it must stay as it is. The file was written when the codec had the rules of its own; a
// metric that is made of others since then needs a file beside it.
func TestFollows(t *testing.T) {
	want := following()
	data, err := os.ReadFile("testdata/version3.perfdiff")
	if err != nil {
		t.Fatal(err)
	}
	got, err := saved.Unmarshal(data, metric.Derivation, ample())
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v (%v)\nwant %+v", got, err, want)
	}
	for _, m := range metric.All() {
		if m.Derivation != (run.Derivation{}) && !slices.ContainsFunc(want.Runs[0].Ranks[0].Series, func(s run.Series) bool { return s.Metric == m.Name }) {
			t.Errorf("%s follows from %s, and the file has none", m.Name, m.Derivation.Of)
		}
	}
	for _, other := range []run.Derivation{{}, {By: run.ByRatio, Of: run.IdleTime, With: run.StepTime}, {By: run.ByRest, Of: run.StepTime, With: run.IdleTime}} {
		follows := func(name string) run.Derivation {
			if name == run.BusyShare {
				return other
			}
			return metric.Derivation(name)
		}
		if got, err := saved.Unmarshal(data, follows, ample()); err == nil && fmt.Sprintf("%+v", got) == fmt.Sprintf("%+v", want) {
			t.Errorf("made by %+v: got the same values", other)
		}
	}
}

// following is a set in which each series that follows from others does so to the last bit
// but one, in one step.
func following() *run.Set {
	const n = 24
	column := func(f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		v[7] = math.Nextafter(v[7], 0)
		return v
	}
	whole := func(from, by float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = from + by*float64(i*i%11)
		}
		return v
	}
	step, idle, bytes, rate := whole(1.25, 1./64), whole(.25, 1./1024), whole(1<<20, 4096), whole(1e6, 7)
	comm, copied := whole(.125, 1./256), whole(.0625, 1./512)
	rank := run.Rank{Rank: 1, Steps: make([]trace.Step, n), Series: []run.Series{
		{Key: run.Key{Metric: run.StepTime}, Values: step},
		{Key: run.Key{Metric: run.IdleTime}, Values: idle},
		{Key: run.Key{Metric: run.BusyShare}, Values: column(func(i int) float64 { return (step[i] - idle[i]) / step[i] })},
		{Key: run.Key{Metric: run.IOReadThroughput}, Values: rate},
		{Key: run.Key{Metric: run.IOReadBytes}, Values: column(func(i int) float64 { return rate[i] * step[i] })},
		{Key: run.Key{Metric: run.GapTime}, Values: column(func(i int) float64 { return idle[i] / 3 })},
		{Key: run.Key{Metric: run.IdleTime, Part: "input"}, Values: idle},
		{Key: run.Key{Metric: run.GapBoundTime, Part: "input"}, Values: column(func(i int) float64 { return idle[i] / 3 })},
		{Key: run.Key{Metric: run.CommTime, Part: "AllReduce"}, Values: comm},
		{Key: run.Key{Metric: run.CollectiveBytes, Part: "AllReduce"}, Values: bytes},
		{Key: run.Key{Metric: run.AlgorithmBandwidth, Part: "AllReduce"}, Values: column(func(i int) float64 { return bytes[i] / comm[i] })},
		{Key: run.Key{Metric: run.BusBandwidth, Part: "AllReduce"}, Values: column(func(i int) float64 { return 1.75 * (bytes[i] / comm[i]) })},
		{Key: run.Key{Metric: run.MemcpyTime, Part: "h2d"}, Values: copied},
		{Key: run.Key{Metric: run.MemcpyBytes, Part: "h2d"}, Values: bytes},
		{Key: run.Key{Metric: run.MemcpyBandwidth, Part: "h2d"}, Values: column(func(i int) float64 { return bytes[i] / copied[i] })},
	}}
	return &run.Set{Label: "a", Runs: []run.Run{{Name: "a", Ranks: []run.Rank{rank}}}}
}
