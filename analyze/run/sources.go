package run

// OutsideReplays is the part of exposed_comm_time that lies outside of graph replays of which
// no kernels were recorded.
const OutsideReplays = "outside of graph replays"

// What input_wait_time is measured from.
const (
	SourceSystem = "ranges and calls of the system"
	SourceRanges = "ranges alone"
)

// What a capture lacks of a metric whose own Needs do not say it.
const (
	NeedsDevices = "a job on several devices: on one there is no communication"
	NeedsIt      = "the captures do not hold it"
)
