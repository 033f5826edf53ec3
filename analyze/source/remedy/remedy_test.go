package remedy

import (
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// foreign are words of other profilers that the users of one must not read.
var foreign = map[trace.Profiler][]string{
	trace.NsightSystems:   {"ProfilerActivity", "prof.", "profile_memory", "record_function", "roctx", "jax", "--runtime-trace"},
	trace.PyTorchProfiler: {"roctx", "jax", "--runtime-trace"}, // and in needs of metrics no option of nsys: see package metric
	trace.Rocprof:         {"trace=", "nsys", "Nsight", "osrt", "nvtx", "NVTX", "ProfilerActivity", "prof.", "PyTorch", "jax", "XLA"},
	trace.XLAProfiler:     {"trace=", "nsys", "Nsight", "osrt", "nvtx", "NVTX", "ProfilerActivity", "prof.", "PyTorch", "roctx", "rocprof", "--"},
}

// TestTable: each topic is said in general, and to the users of each profiler in words of theirs.
func TestTable(t *testing.T) {
	for topic := range topics {
		text := Of(topic)
		if text.General == "" {
			t.Errorf("topic %d says nothing", topic)
		}
		for p, words := range foreign {
			for _, word := range words {
				if strings.Contains(text.Of(p), word) {
					t.Errorf("topic %d, of %s: %q has %q", topic, p, text.Of(p), word)
				}
			}
		}
	}
}

// TestFor: one profiler's users read their words, users of Nsight Systems and PyTorch's profiler
// together those in general, and in other company each text has its profiler behind it.
func TestFor(t *testing.T) {
	const nsight, pytorch, rocprof, xla = trace.NsightSystems, trace.PyTorchProfiler, trace.Rocprof, trace.XLAProfiler
	for _, tt := range []struct {
		topic Topic
		in    []trace.Profiler
		want  string
	}{
		{Kernels, nil, "kernels: record with --trace=cuda, or with ProfilerActivity.CUDA"},
		{Kernels, []trace.Profiler{nsight, pytorch}, "kernels: record with --trace=cuda, or with ProfilerActivity.CUDA"},
		{Kernels, []trace.Profiler{nsight}, "kernels: record with --trace=cuda"},
		{Kernels, []trace.Profiler{rocprof}, "kernels: record with --runtime-trace"},
		{Kernels, []trace.Profiler{nsight, rocprof}, "kernels: record with --trace=cuda (Nsight Systems); kernels: record with --runtime-trace (rocprofv3)"},
		{MPI, []trace.Profiler{nsight, xla}, "calls of MPI or UCX with --trace=mpi,ucx (Nsight Systems); calls of MPI or UCX, which XLA's profiler cannot record"},
		{Communication, []trace.Profiler{nsight, rocprof, xla}, "communication kernels (a job on several devices)"},
		{SeeIntoReplays, []trace.Profiler{pytorch, xla}, "Record both sides with or both without graphs to compare kinds of work and single kernels"},
		{GraphKernels, []trace.Profiler{nsight, rocprof}, "; inside graph replays with --cuda-graph-trace=node (Nsight Systems)"},
	} {
		if got := For(tt.topic, tt.in); got != tt.want {
			t.Errorf("topic %d, %q: got %q, want %q", tt.topic, tt.in, got, tt.want)
		}
	}
}
