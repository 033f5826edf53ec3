package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/trace"
)

// TestFamilies: time of kernels side by side is that of the first.
func TestFamilies(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	k := func(name string, start, end int64) {
		tr.Device = append(tr.Device, trace.Span{Start: start, End: end, Name: tr.Names.ID(name), Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime})
	}
	k("ampere_sgemm_128x64_tn(int)", 0, 100)
	k("void flash_fwd_kernel<64>(P)", 50, 150)
	k("void at::native::vectorized_elementwise_kernel<4, F>(int)", 60, 70)
	k("mystery", 190, 230) // into the next step
	k("void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>(T)", 210, 260)
	steps := []trace.Step{{Start: 0, End: 200}, {Start: 200, End: 300}}
	want := map[string][2]float64{"GEMM": {100, 0}, "attention": {50, 0}, "other": {10, 30}, "normalization": {0, 30}}
	for _, s := range Prepare(tr, 0).Measure(steps) {
		if s.Metric != "compute_time" || s.Part == "" {
			continue
		}
		w, ok := want[s.Part]
		if !ok || math.Abs(s.Values[0]-w[0]*1e-9) > 1e-15 || math.Abs(s.Values[1]-w[1]*1e-9) > 1e-15 {
			t.Errorf("%s: got %v, want %v ns", s.Part, s.Values, w)
		}
		delete(want, s.Part)
	}
	if len(want) > 0 {
		t.Errorf("not measured: %v", want)
	}
}
