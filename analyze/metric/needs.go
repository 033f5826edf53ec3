package metric

import (
	"strings"

	"perfdiff/analyze/run"
)

// needsByProfiler has the passages of Needs that differ between profilers: as they stand there,
// for both, and as users of Nsight Systems and of PyTorch's profiler should read them.
var needsByProfiler = []struct{ general, nsight, pytorch string }{
	{"record with --trace=cuda, or with ProfilerActivity.CUDA", "record with --trace=cuda", "record with ProfilerActivity.CUDA"},
	{"; inside graph replays record with --cuda-graph-trace=node", "; inside graph replays record with --cuda-graph-trace=node", ""},
	{"; inside graph replays with --cuda-graph-trace=node", "; inside graph replays with --cuda-graph-trace=node", ""},
	{"a range around fetching a batch (PyTorch's profiler writes one for DataLoader), or reads and waits with --trace=osrt",
		"a range around fetching a batch, or reads and waits with --trace=osrt", "a range around fetching a batch, as the profiler writes one for DataLoader"},
	{"a range for each step, or ProfilerStep", "a range for each step", "prof.step() in each step, or a range for each"},
	{needsBytes, needsBytes, "storage counters or file accesses, which Nsight Systems records"},
	{"file accesses: record with --trace=osrt --osrt-file-access=true", "file accesses: record with --trace=osrt --osrt-file-access=true", "file accesses, which Nsight Systems records"},
	{needsMemory, "changes of device memory: record with --cuda-memory-usage=true", "changes of device memory: record with profile_memory=True"},
	{needsPorts, needsPorts, "counters of network ports, which Nsight Systems records"},
	{"congestion of switches: record with --ib-switch-congestion-device", "congestion of switches: record with --ib-switch-congestion-device", "congestion of switches, which Nsight Systems records"},
	{needsSizes, "sizes of operators' arguments, which only traces of frameworks hold", needsSizes},
	{"GPU metrics: record with --gpu-metrics-devices=cuda-visible", "GPU metrics: record with --gpu-metrics-devices=cuda-visible", "GPU metrics, which Nsight Systems records"},
	{"for Nsight Systems export with --include-json true, for PyTorch use 2.3 or newer", "export with --include-json true", "use PyTorch 2.3 or newer"},
	{"for Nsight Systems export with --include-json true, for PyTorch use 2.4 or newer", "export with --include-json true", "use PyTorch 2.4 or newer"},
	{"collectives of Gloo, which PyTorch's profiler records as operators",
		"collectives of Gloo, which only traces of frameworks hold", "collectives of Gloo, which the profiler records as operators"},
	{"calls of MPI or UCX with --trace=mpi,ucx", "calls of MPI or UCX with --trace=mpi,ucx", "calls of MPI or UCX, which Nsight Systems records"},
}

// Described is a metric with what it needs in the words of each profiler.
func Described(m run.Metric) run.Metric {
	m.NeedsNsight, m.NeedsPyTorch = m.Needs, m.Needs
	for _, x := range needsByProfiler {
		m.NeedsNsight = strings.ReplaceAll(m.NeedsNsight, x.general, x.nsight)
		m.NeedsPyTorch = strings.ReplaceAll(m.NeedsPyTorch, x.general, x.pytorch)
	}
	return m
}
