package run

// The names of all metrics in reports, policies and summaries. They are constants, so that a name that no metric has
// does not build.
const (
	// The step and what it is made of.
	StepTime          = "step_time"
	StepTimeMean      = "step_time_mean" // over steps, which is what a job pays for
	HostStepTime      = "host_step_time"
	TimePerToken      = "time_per_token"
	ComputeTime       = "compute_time"
	CommTime          = "comm_time"
	ExposedCommTime   = "exposed_comm_time"
	ExposedMemoryTime = "exposed_memory_time"
	IdleTime          = "idle_time"
	BusyShare         = "busy_share"
	Overlap           = "overlap"
	GPUActivity       = "gpu_activity"
	GPUClock          = "gpu_clock"
	ExtentClock       = "extent_gpu_clock"
	GPUPower          = "gpu_power"
	GPUTemperature    = "gpu_temperature"

	// How step times go on in a run, and over its ranks.
	Drift       = "drift"
	Tail        = "tail"
	Dispersion  = "dispersion"
	Imbalance   = "imbalance"
	ComputeSkew = "compute_skew"

	// Input, files and the network of the node.
	InputWaitTime        = "input_wait_time"
	IOReadThroughput     = "io_read_throughput"
	IORankReadThroughput = "io_rank_read_throughput" // of the rank's own file accesses, whatever the node's counters say
	IOWriteThroughput    = "io_write_throughput"
	IOReadBytes          = "io_read_bytes"
	IOReadBurstRate      = "io_read_burst_rate" // while reading goes on
	IOReadTimeShare      = "io_read_time_share"
	IOParallelReaders    = "io_parallel_readers"
	IORequestSize        = "io_request_size"
	IOReadLatency        = "io_read_latency"
	IOReadLatencyP99     = "io_read_latency_p99"
	IOLargeReadShare     = "io_large_read_share"
	CopiedToDevice       = "copied_to_device"
	NetReceiveThroughput = "net_receive_throughput"
	NetSendThroughput    = "net_send_throughput"
	NetSendWaits         = "net_send_waits"
	NetCongestionPackets = "net_congestion_packets"
	NetSwitchCongestion  = "net_switch_congestion"

	// Memory of the device.
	MemoryAllocatedPeak = "memory_allocated_peak"
	MemoryReservedPeak  = "memory_reserved_peak"
	MemoryReservedMean  = "memory_reserved_mean"
	MemoryAllocations   = "memory_allocations"
	MemoryGrowth        = "memory_growth"

	// Gaps of the device.
	GapCount         = "gap_count"
	GapTime          = "gap_time"
	ShortGapTime     = "short_gap_time"
	GapP50           = "gap_p50"
	GapP90           = "gap_p90"
	GapP99           = "gap_p99"
	GapBefore        = "gap_before"
	TimeToCollective = "time_to_collective"
	GapBoundTime     = "gap_bound_time"
	ReplayGapTime    = "replay_gap_time"
	PageFaults       = "page_faults" // of unified memory
	PageFaultTime    = "page_fault_time"
	HostPageFaults   = "host_page_faults"
	LaunchRunning    = "launch_thread_running" // before the launches that end gaps

	// Communication.
	CollectiveCalls       = "collective_calls"
	CollectiveDuration    = "collective_duration"
	CollectiveBytes       = "collective_bytes"
	LastArrivals          = "last_arrivals"
	CommWaitTime          = "comm_wait_time"
	CommTransferTime      = "comm_transfer_time"
	ExposedWaitTime       = "exposed_wait_time"
	ExposedTransferTime   = "exposed_transfer_time"
	TransferBandwidth     = "transfer_bandwidth"
	AlgorithmBandwidth    = "algorithm_bandwidth"
	BusBandwidth          = "bus_bandwidth"
	ArrivalSkew           = "arrival_skew"
	MessageImbalance      = "message_imbalance"
	RoutedBytes           = "routed_bytes"
	DimensionTime         = "dimension_time"
	DimensionWaitTime     = "dimension_wait_time"
	DimensionTransferTime = "dimension_transfer_time"
	DimensionBandwidth    = "dimension_bandwidth"
	DimensionAlgorithm    = "dimension_algorithm_bandwidth"
	PipelineBubble        = "pipeline_bubble"
	PipelineBubbleShare   = "pipeline_bubble_share"
	PipelineIdealBubble   = "pipeline_ideal_bubble"
	PipelineMicroBatches  = "pipeline_micro_batches"
	BlockingCommTime      = "blocking_comm_time"
	MPITime               = "mpi_time"
	GlooTime              = "gloo_time"

	// The critical path through the step.
	PathTime          = "path_time"
	PathComputeTime   = "path_compute_time"
	PathCommTime      = "path_comm_time"
	PathElsewhereTime = "path_elsewhere_time" // on other ranks

	// Copies and kernels.
	MemcpyTime      = "memcpy_time"
	MemcpyBytes     = "memcpy_bytes"
	MemcpyBandwidth = "memcpy_bandwidth"
	KernelTime      = "kernel_time"
	KernelLaunches  = "kernel_launches"

	// Work of operators, by the sizes of their arguments.
	FLOPs                = "flops"
	FLOPsKnown           = "flops_known"
	FLOPsRate            = "flops_rate"
	ModelFLOPsUse        = "model_flops_utilization"
	MemoryBandwidthShare = "memory_bandwidth_share"
)

// OtherDimension is the part of communication whose dimension of the job's parallelism is not known.
const OtherDimension = "other"
