package saved

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestSummarySize: 16 ranks x 1,000 steps with as many metrics that do not follow from
// others, and as many kernels, as real
// jobs have, all of which differ by half a percent from step to step, take at most
// 2 MB. Kernels come in stretches of steps, as they are measured.
func TestSummarySize(t *testing.T) {
	const ranks, steps, metrics, kernels, stretch = 16, 1000, 30, 120, 16
	set := &run.Set{Label: "a"}
	r := run.Run{Name: "r"}
	for rank := range ranks {
		g := rand.New(rand.NewPCG(1, uint64(rank)))
		one := run.Rank{Rank: rank}
		for s := range steps {
			one.Steps = append(one.Steps, trace.Step{Number: int64(s), Start: int64(s) * 1e8, End: int64(s+1) * 1e8, HostStart: int64(s) * 1e8, HostEnd: int64(s+1) * 1e8})
		}
		add := func(key run.Key, level float64, stretch int) {
			values := make([]float64, steps)
			for s := range values {
				if values[s] = level * (1 + 0.005*g.NormFloat64()); s%stretch > 0 {
					values[s] = values[s-1]
				}
			}
			one.Series = append(one.Series, run.Series{Key: key, Values: nanoseconds(values)})
		}
		for m := range metrics {
			add(run.Key{Metric: fmt.Sprint("metric", m)}, 0.1/float64(m+1), 1)
		}
		for k := range kernels {
			add(run.Key{Metric: "kernel_time", Part: fmt.Sprint("kernel", k)}, 0.01/float64(k+1), stretch)
			add(run.Key{Metric: "kernel_launches", Part: fmt.Sprint("kernel", k)}, 0, steps)
		}
		r.Ranks = append(r.Ranks, one)
	}
	set.Runs = []run.Run{r}
	data, err := Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f MB", float64(len(data))/1e6)
	if len(data) > 2_000_000 {
		t.Errorf("%d bytes", len(data))
	}
}

// nanoseconds are times in s as profilers record them.
func nanoseconds(v []float64) []float64 {
	for i := range v {
		v[i] = float64(int64(v[i]*1e9)) * 1e-9
	}
	return v
}
