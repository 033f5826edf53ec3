package metric

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// tiedTrace is a step of two operators on one thread and one on another, with their kernels, and two
// kernels that no counted operator launched. Kernel names decide families and types.
func tiedTrace(gpu string) *trace.Trace {
	names, messages := trace.NewNames(), &trace.Messages{}
	kernel := func(start, end, launch int64, name string) trace.Span {
		id := names.ID(name)
		s := trace.Span{Start: start, End: end, Launch: launch, Name: id}
		messages.Kernel(&s, names)
		return s
	}
	const gemm, splitK, elementwise = "ampere_sgemm_128x64_tn", "void splitKreduce_kernel<float>", "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>"
	t := &trace.Trace{
		Names: names, Messages: messages, Recorded: trace.HasDevice | trace.HasLaunches | trace.HasSizes,
		Device: []trace.Span{
			kernel(1000, 1400, 105, gemm), kernel(1400, 1500, 120, splitK), kernel(1500, 1900, 160, elementwise),
			kernel(2000, 2500, 210, "cutlass_80_tensorop_s1688gemm_128x128"), kernel(3000, 3200, 215, gemm),
		},
		API: []trace.Call{names.Call(105, 107, 0, 1), names.Call(120, 122, 0, 1), names.Call(160, 161, 0, 1),
			names.Call(210, 211, 0, 1), names.Call(215, 216, 0, 2)},
		Operations: []trace.Operation{
			{Start: 100, End: 150, Thread: 1, Work: 0}, {Start: 200, End: 212, Thread: 1, Work: 1}, {Start: 212, End: 220, Thread: 2, Work: 2},
		},
		Works: []trace.Work{
			{Type: trace.Float32, FLOPs: 4e6, Bytes: 8000}, {Type: trace.Float32, FLOPs: 10e6, Bytes: math.NaN()}, {FLOPs: 1e6, Bytes: 1000},
		},
	}
	if gpu != "" {
		t.Facts = []trace.Fact{{Key: trace.FactGPU, Value: gpu}}
	}
	return t
}

// measuredWork are the values of the only step of a trace by metric and part.
func measuredWork(t *trace.Trace) map[run.Key]float64 {
	out := map[run.Key]float64{}
	r := Prepare(t, 1)
	for _, s := range r.Measure([]trace.Step{{Start: 1000, End: 5000, HostStart: 90, HostEnd: 300}}) {
		out[s.Key] = s.Values[0]
	}
	return out
}

// TestOperationsAreTied: work counts for the longest kernel of its operator and over the time of all of
// them, whatever ran beside it, and for the types that its numbers have.
func TestOperationsAreTied(t *testing.T) {
	got := measuredWork(tiedTrace("NVIDIA A100-SXM4-40GB"))
	atPeak := 4e6/19.5e12 + 10e6/156e12 + 1e6/156e12 // the last is of the type of most
	for key, want := range map[run.Key]float64{
		{Metric: run.FLOPs}:                             15e6,
		{Metric: run.FLOPs, Part: "GEMM"}:               15e6,
		{Metric: run.FLOPsRate}:                         15e6 / 1200e-9,
		{Metric: run.ModelFLOPsUse}:                     atPeak / 4000e-9,
		{Metric: run.MemoryBandwidthShare}:              9000 / (700e-9 * 1.555e12),
		{Metric: run.FLOPsKnown}:                        1,
		{Metric: run.MemoryBandwidthShare, Part: "no"}:  0,
		{Metric: run.KernelLaunches, Part: "no kernel"}: 0,
	} {
		if v := got[key]; !(math.Abs(v-want) <= 1e-12*want) {
			t.Errorf("%v: got %v, want %v", key, v, want)
		}
	}
	got = measuredWork(tiedTrace("NVIDIA Unheard Of"))
	for _, m := range []string{run.ModelFLOPsUse, run.MemoryBandwidthShare} {
		if v, there := got[run.Key{Metric: m}]; there {
			t.Errorf("without a known peak: got %v of %s", v, m)
		}
	}
	if got[run.Key{Metric: run.FLOPs}] != 15e6 {
		t.Errorf("without a known peak: got %v", got)
	}
}

// TestLongestKernelOfOperator: an operator's work counts where its longest kernel is.
func TestLongestKernelOfOperator(t *testing.T) {
	x := &trace.Trace{Device: []trace.Span{{Start: 0, End: 5}, {Start: 5, End: 14}, {Start: 20, End: 27}}}
	o := &operations{Trace: x, list: []operation{{span: -1}}, of: make([]int32, 3)}
	for i := range x.Device {
		o.add(0, int32(i))
	}
	if got := o.list[0]; got.span != 1 || got.time != 21 || !slices.Equal(o.of, []int32{1, 1, 1}) {
		t.Errorf("got span %d, %d ns, kernels of %v, want span 1, 21 ns, all of operator 1", got.span, got.time, o.of)
	}
}

// TestTooLittleIsKnown: nothing is made of a part of the work, and why is said.
func TestTooLittleIsKnown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edit  func(*trace.Trace)
		share float64
		lost  bool
	}{
		{"all", func(*trace.Trace) {}, 1, false},
		{"a small one is not", func(x *trace.Trace) { x.Works[2].FLOPs = math.NaN() }, 1000.0 / 1200, false},
		{"a large one is not", func(x *trace.Trace) { x.Works[1].FLOPs = math.NaN() }, 700.0 / 1200, true},
		{"a large one is missing", func(x *trace.Trace) { x.Operations = append(x.Operations[:1:1], x.Operations[2]) }, 700.0 / 1200, true},
		{"elementwise work in place of it", func(x *trace.Trace) {
			x.Operations, x.Device[3].Name = append(x.Operations[:1:1], x.Operations[2]), x.Device[2].Name
		}, 1, false},
		{"no launches", func(x *trace.Trace) { x.API = nil }, 0, true},
	} {
		x := tiedTrace("")
		tt.edit(x)
		r := Prepare(x, 1)
		values := map[string]float64{}
		for _, s := range r.Measure([]trace.Step{{Start: 1000, End: 5000, HostStart: 90, HostEnd: 300}}) {
			if s.Part == "" {
				values[s.Metric] = s.Values[0]
			}
		}
		_, has := values[run.FLOPs]
		why := ""
		for _, l := range r.Lost() {
			if l.Metric == run.FLOPs {
				why = l.Why
			}
		}
		if got := values[run.FLOPsKnown]; math.Abs(got-tt.share) > 1e-12 || has == tt.lost || (why != "") != tt.lost {
			t.Errorf("%s: got %v known, FLOPs %v, lost since %q", tt.name, got, has, why)
		}
	}
}

// TestTF32: only the names of kernels say that float32 is multiplied in TF32.
func TestTF32(t *testing.T) {
	for name, want := range map[string]bool{
		"sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32": true, "cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4": true,
		"ampere_sgemm_128x64_tn": false, "cutlass_80_tensorop_s16816gemm_bf16_128x64": false, "volta_sgemm_128x64_nn": false,
	} {
		if got := usesTF32(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
