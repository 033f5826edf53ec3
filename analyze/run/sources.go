package run

// OutsideReplays is the part of exposed_comm_time outside of graph replays whose kernels were not recorded.
const OutsideReplays = "outside of graph replays"

// SourceReadCalls is what io_parallel_readers is measured from where single file accesses were not recorded.
const SourceReadCalls = "reading calls of the system"

// What input_wait_time is measured from.
const (
	SourceSystem = "ranges and calls of the system"
	SourceRanges = "ranges alone"
	SourceCalls  = "calls of the system alone" // which is the least: waits while nobody reads may be input too
)
