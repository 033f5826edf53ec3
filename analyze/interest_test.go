package analyze

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// lateRun is a run of five ranks and ten steps of 100 ms, in which the others wait for rank 3 for so
// many ms in each step, and arrivals are known or not.
func lateRun(arrivals bool, late ...float64) (ranks []run.Rank) {
	for r := range 5 {
		k := run.Rank{Rank: r}
		var step, wait, last []float64
		for i, ms := range late {
			k.Steps = append(k.Steps, trace.Step{Number: int64(i), Start: int64(i) * 1e9, End: int64(i)*1e9 + 1e8})
			step = append(step, 0.100+ms/1000+0.0001*float64(r))
			if r == 3 {
				wait, last = append(wait, 0.001), append(last, min(1, ms))
			} else {
				wait, last = append(wait, 0.001+ms/1000), append(last, 0)
			}
		}
		k.Series = append(k.Series, run.Series{Key: run.Key{Metric: run.StepTime}, Values: step})
		if arrivals {
			k.Series = append(k.Series, run.Series{Key: run.Key{Metric: run.ExposedWaitTime}, Values: wait}, run.Series{Key: run.Key{Metric: run.LastArrivals}, Values: last})
		}
		ranks = append(ranks, k)
	}
	return ranks
}

// TestWishes: a rank that is late in a step which is not the typical one gets a step in which it is
// late most; one that is late in all of them, or by nothing that matters, does not. The rank that is
// late is drawn in any case.
func TestWishes(t *testing.T) {
	steps := []int64{2, 3, 5, 7}
	for _, tt := range []struct {
		name     string
		arrivals bool
		late     []float64
		want     string
		first    int
	}{
		{"in one step", true, []float64{0, 0, 0, 0, 0, 40, 0, 0, 0, 90}, "[5]", 3},
		{"in all steps", true, []float64{40, 40, 41, 42, 40, 43, 40, 40, 40, 40}, "[]", 3},
		{"by nothing that matters", true, []float64{0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, "[]", 3},
		{"not known", false, []float64{0, 0, 0, 0, 0, 40, 0, 0, 0, 0}, "[]", 4},
	} {
		w := wishes(lateRun(tt.arrivals, tt.late...))
		if got := fmt.Sprint(w.Late(2, steps)); got != tt.want {
			t.Errorf("%s: got the steps %s, want %s", tt.name, got, tt.want)
		}
		if got := w.Ranks(5); got[0] != tt.first || len(got) != 5 {
			t.Errorf("%s: got the ranks %v, want %d first, and all", tt.name, got, tt.first)
		}
	}
}
