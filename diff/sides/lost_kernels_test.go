package sides

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// launching is a set of one rank whose steps launch kernels; of says how often.
func launching(of func(kernel, step int) float64) *run.Set {
	r := run.Rank{Steps: make([]trace.Step, 20)}
	for kernel := range 10 {
		x := run.Series{Key: run.Key{Metric: KernelLaunches, Part: string(rune('a' + kernel))}}
		for step := range r.Steps {
			r.Steps[step].Number = int64(step)
			x.Values = append(x.Values, of(kernel, step))
		}
		r.Series = append(r.Series, x)
	}
	return &run.Set{Runs: []run.Run{{Ranks: []run.Rank{r}}}, Files: []run.File{{Profiler: trace.PyTorchProfiler}},
		Metrics: []run.Metric{{Name: run.ComputeTime, Traits: run.Traits{MadeOfKernels: true}}}}
}

// TestLoseKernels: steps that lack kernels at random, where the other side's hold all, have lost them;
// steps or kernels that a program leaves out are no loss.
func TestLoseKernels(t *testing.T) {
	three := func(int, int) float64 { return 3 }
	for name, tt := range map[string]struct {
		of   func(kernel, step int) float64
		lost bool
	}{
		"all are there":        {three, false},
		"now these, now those": {func(kernel, step int) float64 { return 3 - float64((kernel*7+step*3)%10/8) }, true},
		"one step in twenty lacks one": {func(kernel, step int) float64 {
			if step == kernel*2 {
				return 2
			}
			return 3
		}, false}, // 1.7 %
		"every fifth step does less": {func(kernel, step int) float64 {
			if step%5 == 4 && kernel < 4 {
				return 0
			}
			return 3
		}, false},
		"three kernels are gone": {func(kernel, _ int) float64 { return map[bool]float64{true: 0, false: 3}[kernel < 3] }, false},
		"more than before":       {func(kernel, step int) float64 { return 3 + float64((kernel+step)%2) }, false},
	} {
		base, cand := NewSide("baseline", launching(three)), NewSide("candidate", launching(tt.of))
		loseKernels(base, cand)
		if got := cand.Runs[0].Ranks[0].WhyLost(run.ComputeTime) != ""; got != tt.lost {
			t.Errorf("%s: lost %v, want %v", name, got, tt.lost)
		}
		if base.Runs[0].Ranks[0].Lost != nil || cand.Set.Runs[0].Ranks[0].Lost != nil {
			t.Errorf("%s: the baseline, or a set, is changed", name)
		}
	}
}
