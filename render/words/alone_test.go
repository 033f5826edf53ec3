package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

func TestCauses(t *testing.T) {
	r := &diff.Report{Causes: []cause.Alone{
		{Key: run.Key{Metric: run.KernelTime, Part: "void ns::gemm<float>(int)"}, Delta: 0.002},
		{Key: run.Key{Metric: run.CommTransferTime, Part: "AllReduce"}, Delta: 0.0125},
		{Key: run.Key{Metric: run.IdleTime, Part: "input"}, Delta: 0.5},
	}}
	want := []string{
		"The kernel gemm takes longer beyond what the others differ by: +2.00 ms per step.",
		"The transfer of AllReduce takes longer beyond what runs differ by: +12.5 ms per step.",
		"Waiting for input takes longer beyond what runs differ by: +500 ms per step.",
	}
	for i, got := range Causes(r) {
		if plain(got) != want[i] {
			t.Errorf("got %q, want %q", plain(got), want[i])
		}
	}
}
