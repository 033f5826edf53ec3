package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// TestDiffers: what differs has a name and what either side has, whatever it is of; each series
// that tells the work of a step has a name.
func TestDiffers(t *testing.T) {
	for _, tt := range []struct {
		d    verdict.Difference
		want [3]string
	}{
		{verdict.Difference{Name: "gpu_memory", Base: "80 GB", Cand: ""}, [3]string{"GPU memory", "80 GB", ""}},
		{verdict.Difference{Name: "gpu_memory", Base: "42297524224", Cand: "34079637504, 34079899648"}, [3]string{"GPU memory", "42.3 GB", "34.1 GB"}},
		{verdict.Difference{Name: "gpu_memory", Base: "34079637504", Cand: "34079899648"}, [3]string{"GPU memory", "34079637504", "34079899648"}},
		{verdict.Difference{Name: "CUDA graphs", Replays: [2]bool{false, true}}, [3]string{"CUDA graphs", "none", "replayed, kernels not recorded"}},
		{verdict.Difference{Work: &verdict.Work{Of: run.Key{Metric: run.CollectiveBytes, Part: "AllReduce"}, Base: 2e9, Cand: 5e8}},
			[3]string{"bytes of all-reduces per step", "2.00 GB", "0.50 GB"}},
		{verdict.Difference{Name: "gpu_clock", Clocks: &verdict.ClockPair{Base: 1.98e9, Cand: 1.41e9}}, [3]string{"GPU clock", "1\u2009980 MHz", "1\u2009410 MHz"}},
		{verdict.Difference{Name: "gpu_clock", Clocks: &verdict.ClockPair{Base: 1.98e9, Cand: 1.41e9}, Ranks: []int{1, 2, 3, 7}}, [3]string{"GPU clock of ranks 1-3, 7", "1\u2009980 MHz", "1\u2009410 MHz"}},
	} {
		name, base, cand := Differs(&tt.d)
		if got := [3]string{name, plain(base), plain(cand)}; got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
	}
	for _, key := range verdict.WorkKeys {
		if works[key] == "" {
			t.Errorf("%v: no name", key)
		}
	}
}
