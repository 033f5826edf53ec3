package remedy

import "perfdiff/analyze/trace"

// Topic is something that a capture can lack, or that somebody can do about it.
type Topic int

// What metrics need, in words that follow "needs" or "Record".
const (
	Kernels         Topic = iota
	DeviceWork            // kernels, copies or sets, of a whole capture
	Communication         // communication kernels
	AllWork               // behind Communication, of a whole capture: what graph replays hide
	GraphKernels          // behind Kernels or RecordKernels: those inside graph replays
	GraphAll              // behind Communication: those inside graph replays
	StepRanges            // what marks steps
	BatchRanges           // what marks the fetching of a batch
	ReadBytes             // bytes of storage, from either source
	FileAccesses          // single reads and writes
	DeviceMemory          // changes of what is allocated
	NetworkPorts          // bytes of ports
	Switches              // congestion of switches
	GPUMetrics            // clocks, power and how busy units are
	ArgumentSizes         // sizes of operators' arguments
	CollectiveSizes       // sizes of messages
	RankGroups            // which ranks take part in a collective
	Pipeline              // messages of a pipeline with peers and sizes
	Gloo                  // collectives of Gloo
	MPI                   // calls of MPI or UCX
	PageFaults            // of unified memory
	ThreadStates          // when threads were on a processor

	// What the page and findings tell people to do.

	RecordKernels   // behind "Record kernels with"
	RecordBytes     // a sentence
	RecordPorts     // a sentence
	RecordMemory    // behind "Record it with"
	RecordHost      // behind "record": what a rank does longer
	RecordIdle      // a sentence: what tells why a device is idle
	LookIntoGaps    // what to do about gaps in which the host works
	SeeIntoReplays  // what to record to see what graph replays hold
	OpenReplays     // what to do where graph replays hide all communication
	NamePhases      // what names the phases of a step
	NameLayers      // what names operators and modules
	StepRangeNames  // what puts a range around a step, as an example
	MarkSteps       // what to do so that steps are found
	RecordRanges    // behind MarkSteps: how ranges are recorded
	EndRanges       // what ends ranges that were begun
	MarkStepsAsWell // behind EndRanges: what needs no end
	topics
)

// For returns the text on a topic for those who use the given profilers.
func For(t Topic, in []trace.Profiler) string { return Of(t).For(in) }

// Of returns a topic in the words of each profiler.
func Of(t Topic) Text { return table[t] }

// Said by several topics.
const (
	noRocprof = ", which rocprofv3 cannot record"
	noXLA     = ", which XLA's profiler cannot record"
	onNsight  = ", which Nsight Systems records"
	elsewhere = "PyTorch's profiler has no option for it; Nsight Systems has: "

	storage  = "storage counters (--storage-metrics, exported with --type parquetdir beside SQLite), or "
	accesses = "file accesses: record with --trace=osrt --osrt-file-access=true"
	ports    = "network ports: record with --nic-metrics=true, or --enable efa_metrics"
	switches = "congestion of switches: record with --ib-switch-congestion-device"
	metrics  = "GPU metrics: record with --gpu-metrics-devices=cuda-visible"
	faults   = "page faults of unified memory: record with --cuda-um-gpu-page-faults=true --cuda-um-cpu-page-faults=true, which may slow the program much"
	states   = "states of threads: record with --cpuctxsw=process-tree, which writes an event whenever a thread goes on or off a processor"
	messages = "a job with pipeline parallelism, with peers and sizes of its messages"
	severals = "communication kernels (a job on several devices)"
	insides  = "; inside graph replays with --cuda-graph-trace=node"

	bytesByNsight = "`nsys profile --trace=osrt --osrt-file-access=true` for each process, " +
		"or `--storage-metrics` for a node"
	portsByNsight   = "`nsys profile --nic-metrics=true`, on EFA with `--enable efa_metrics`"
	memoryByNsight  = "`nsys profile --cuda-memory-usage=true`"
	memoryByPyTorch = "`profile_memory=True` in `torch.profiler.profile`"

	systemCalls = "Record ranges and calls of the system (--trace=cuda,nvtx,osrt)"
	operators   = "operators and Python functions (activities=[CPU, CUDA], with_stack=True)"
	annotate    = "annotate what it does in the longest gaps"

	seeReplays = "Record both sides with --cuda-graph-trace=node to compare kinds of work and single kernels"
	alike      = "Record both sides with or both without graphs to compare kinds of work and single kernels"
	wrapInNVTX = `wrap each step in torch.cuda.nvtx.range("step N")`
	popNVTX    = "call torch.cuda.nvtx.range_pop() behind each"
	orNVTX     = ", or mark each step with torch.cuda.nvtx.range(...)"
)

// table has each topic in the words of each profiler. What is left out is said of nothing: the
// profiler needs no option for it.
var table = [topics]Text{
	Kernels: {
		General: "kernels: record with --trace=cuda, or with ProfilerActivity.CUDA",
		Nsight:  "kernels: record with --trace=cuda",
		PyTorch: "kernels: record with ProfilerActivity.CUDA",
		Rocprof: "kernels: record with --runtime-trace",
		XLA:     "kernels: record with jax.profiler.trace",
	},
	DeviceWork: {
		General: "device activity: record with --trace=cuda, or with ProfilerActivity.CUDA",
		Nsight:  "device activity: record with --trace=cuda",
		PyTorch: "device activity: record with ProfilerActivity.CUDA",
		Rocprof: "device activity: record with --runtime-trace",
		XLA:     "device activity: record with jax.profiler.trace",
	},
	Communication: Same(severals),
	AllWork: {
		General: "communication kernels, and inside graph replays --cuda-graph-trace=node",
		Nsight:  "communication kernels, and inside graph replays --cuda-graph-trace=node",
		PyTorch: "communication kernels", Rocprof: "communication kernels",
		XLA: "communication kernels outside of graph replays",
	},
	GraphKernels: {General: insides, Nsight: insides, XLA: "; XLA's profiler does not record those inside graph replays"},
	GraphAll: {
		General: "; inside graph replays record with --cuda-graph-trace=node",
		Nsight:  "; inside graph replays record with --cuda-graph-trace=node",
		XLA:     "; XLA's profiler does not record those inside graph replays",
	},
	StepRanges: {
		General: "a range for each step, or ProfilerStep",
		Nsight:  "a range for each step",
		PyTorch: "prof.step() in each step, or a range for each",
		Rocprof: "a range of roctx for each step",
		XLA:     "jax.profiler.StepTraceAnnotation around each step",
	},
	BatchRanges: {
		General: "a range around fetching a batch (PyTorch's profiler writes one for DataLoader), " +
			"or reads and waits with --trace=osrt",
		Nsight:  "a range around fetching a batch, or reads and waits with --trace=osrt",
		PyTorch: "a range around fetching a batch, as the profiler writes one for DataLoader",
		Rocprof: "a range of roctx around fetching a batch",
		XLA:     "a range around fetching a batch",
	},
	ReadBytes: {
		General: storage + accesses, Nsight: storage + accesses,
		PyTorch: "storage counters or file accesses" + onNsight,
		Rocprof: "storage counters or file accesses" + noRocprof,
		XLA:     "storage counters or file accesses" + noXLA,
	},
	FileAccesses: {
		General: accesses, Nsight: accesses, PyTorch: "file accesses" + onNsight,
		Rocprof: "file accesses" + noRocprof, XLA: "file accesses" + noXLA,
	},
	DeviceMemory: {
		General: "changes of device memory: record with --cuda-memory-usage=true, or with profile_memory=True",
		Nsight:  "changes of device memory: record with --cuda-memory-usage=true",
		PyTorch: "changes of device memory: record with profile_memory=True",
		Rocprof: "changes of device memory: record with --runtime-trace",
		XLA:     "changes of device memory: record with jax.profiler.trace",
	},
	NetworkPorts: {
		General: ports, Nsight: ports, PyTorch: "counters of network ports" + onNsight,
		Rocprof: "counters of network ports" + noRocprof, XLA: "counters of network ports" + noXLA,
	},
	Switches: {
		General: switches, Nsight: switches, PyTorch: "congestion of switches" + onNsight,
		Rocprof: "congestion of switches" + noRocprof, XLA: "congestion of switches" + noXLA,
	},
	GPUMetrics: {
		General: metrics, Nsight: metrics, PyTorch: "GPU metrics" + onNsight,
		Rocprof: "samples of clocks, power and units of the GPU" + noRocprof,
		XLA:     "samples of clocks, power and units of the GPU" + noXLA,
	},
	ArgumentSizes: {
		General: "sizes of operators' arguments: record with record_shapes=True",
		Nsight:  "sizes of operators' arguments, which only traces of frameworks hold",
		PyTorch: "sizes of operators' arguments: record with record_shapes=True",
		Rocprof: "sizes of operators' arguments" + noRocprof, XLA: "sizes of operators' arguments" + noXLA,
	},
	CollectiveSizes: {
		General: "sizes of collectives: for Nsight Systems export with --include-json true, " +
			"for PyTorch use 2.3 or newer",
		Nsight:  "sizes of collectives: export with --include-json true",
		PyTorch: "sizes of collectives: use PyTorch 2.3 or newer",
		Rocprof: "sizes of collectives" + noRocprof, XLA: "sizes of collectives" + noXLA,
	},
	RankGroups: {
		General: "groups of ranks: for Nsight Systems export with --include-json true, for PyTorch use 2.4 or newer",
		Nsight:  "groups of ranks: export with --include-json true",
		PyTorch: "groups of ranks: use PyTorch 2.4 or newer",
		Rocprof: "groups of ranks" + noRocprof, XLA: "groups of ranks" + noXLA,
	},
	Pipeline: {
		General: messages + ": for Nsight Systems export with --include-json true, for PyTorch use 2.4 or newer",
		Nsight:  messages + ": export with --include-json true",
		PyTorch: messages + ": use PyTorch 2.4 or newer",
		Rocprof: messages + noRocprof, XLA: messages + noXLA,
	},
	Gloo: {
		General: "collectives of Gloo, which PyTorch's profiler records as operators",
		Nsight:  "collectives of Gloo, which only traces of frameworks hold",
		PyTorch: "collectives of Gloo, which the profiler records as operators",
		Rocprof: "collectives of Gloo" + noRocprof, XLA: "collectives of Gloo" + noXLA,
	},
	MPI: {
		General: "calls of MPI or UCX with --trace=mpi,ucx",
		Nsight:  "calls of MPI or UCX with --trace=mpi,ucx",
		PyTorch: "calls of MPI or UCX" + onNsight,
		Rocprof: "calls of MPI or UCX" + noRocprof, XLA: "calls of MPI or UCX" + noXLA,
	},
	PageFaults: {
		General: faults, Nsight: faults, PyTorch: "page faults of unified memory" + onNsight,
		Rocprof: "page faults of unified memory" + noRocprof, XLA: "page faults of unified memory" + noXLA,
	},
	ThreadStates: {
		General: states, Nsight: states, PyTorch: "states of threads" + onNsight,
		Rocprof: "states of threads" + noRocprof, XLA: "states of threads" + noXLA,
	},
	RecordKernels: {
		General: "--trace=cuda, or with ProfilerActivity.CUDA", Nsight: "--trace=cuda", PyTorch: "ProfilerActivity.CUDA",
		Rocprof: "--runtime-trace", XLA: "jax.profiler.trace",
	},
	RecordBytes: {
		General: "Record them with " + bytesByNsight, Nsight: "Record them with " + bytesByNsight,
		PyTorch: elsewhere + bytesByNsight,
		Rocprof: "rocprofv3 cannot record them", XLA: "XLA's profiler cannot record them",
	},
	RecordPorts: {
		General: "Record them with " + portsByNsight, Nsight: "Record them with " + portsByNsight,
		PyTorch: elsewhere + portsByNsight,
		Rocprof: "rocprofv3 cannot record them", XLA: "XLA's profiler cannot record them",
	},
	RecordMemory: {
		General: memoryByNsight + ", or with " + memoryByPyTorch, Nsight: memoryByNsight, PyTorch: memoryByPyTorch,
		Rocprof: "`--runtime-trace`", XLA: "`jax.profiler.trace`",
	},
	RecordHost: {
		General: "ranges and system calls, or operators and Python functions,",
		Nsight:  "ranges and system calls", PyTorch: "operators and Python functions",
		Rocprof: "ranges of roctx", XLA: "ranges of the host",
	},
	RecordIdle: {
		General: systemCalls + ", with PyTorch's profiler " + operators + ",",
		Nsight:  systemCalls, PyTorch: "Record " + operators,
		Rocprof: "Record ranges of roctx and calls of HIP (--runtime-trace)",
		XLA:     "Record ranges of the host (jax.profiler.trace)",
	},
	LookIntoGaps: {
		General: annotate, Nsight: annotate, Rocprof: annotate, XLA: annotate,
		PyTorch: "see in Gaps where it is in the longest ones (activities=[CPU, CUDA] and with_stack=True record it)",
	},
	SeeIntoReplays: {General: seeReplays, Nsight: seeReplays, PyTorch: alike, Rocprof: alike, XLA: alike},
	OpenReplays: {
		General: "record with --cuda-graph-trace=node", Nsight: "record with --cuda-graph-trace=node",
		PyTorch: "record without graphs", Rocprof: "record without graphs", XLA: "record without graphs",
	},
	NamePhases: {
		General: "ranges", Nsight: "NVTX ranges", PyTorch: "record_function ranges",
		Rocprof: "ranges of roctx", XLA: "ranges",
	},
	NameLayers: {
		General: "put a range around each layer", Nsight: "put an NVTX range around each layer",
		PyTorch: "record CPU activity, with_stack=True and with_modules=True",
		Rocprof: "put a range of roctx around each layer", XLA: "put a range around each layer",
	},
	StepRangeNames: {
		General: "torch.cuda.nvtx.range, or profiler.step", Nsight: "torch.cuda.nvtx.range",
		PyTorch: "prof.step(), or record_function", Rocprof: "of roctx", XLA: "jax.profiler.StepTraceAnnotation",
	},
	MarkSteps: {
		General: wrapInNVTX, Nsight: wrapInNVTX,
		PyTorch: `call prof.step() after each step, or wrap each in torch.profiler.record_function("step N")`,
		Rocprof: `wrap each step in a range of roctx named "step N"`,
		XLA:     `wrap each step in jax.profiler.StepTraceAnnotation("step", step_num=N)`,
	},
	RecordRanges: {
		General: " and record with --trace=cuda,nvtx", Nsight: " and record with --trace=cuda,nvtx",
		Rocprof: " and record with --runtime-trace",
	},
	EndRanges: {
		General: popNVTX, Nsight: popNVTX, PyTorch: popNVTX,
		Rocprof: "end each, as roctxRangePop does", XLA: "end each",
	},
	MarkStepsAsWell: {
		General: orNVTX, Nsight: orNVTX, PyTorch: orNVTX,
		XLA: ", or mark each step with jax.profiler.StepTraceAnnotation",
	},
}
