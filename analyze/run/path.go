package run

// The parts of path_time: what the critical path through a step consists of. Together they are
// the step's time.
const (
	PathCompute   = "compute"
	PathComm      = "communication"        // once all ranks have arrived, or where that is not known
	PathLate      = "late ranks"           // waiting for ranks whose own path is not known
	PathCopies    = "copies"               // and sets
	PathLatency   = "launch latency"       // from a launch, or from the end of work, to the start
	PathLaunching = "launching"            // the host is in a call that launches
	PathReturn    = "synchronizing"        // the host is in a call that waits for the device, which is done
	PathAllocator = "allocator"            // the host allocates or frees device memory
	PathInput     = "input"                // the host waits for input that nobody reads
	PathStorage   = "reading from storage" // the host waits for input that is being read
	PathHost      = "host"                 // other work of the host
	PathUnknown   = "unknown"              // nothing recorded explains it
)

// PathParts are these parts, in the order in which they are shown.
var PathParts = []string{PathCompute, PathComm, PathLate, PathCopies, PathInput, PathStorage, PathHost, PathLaunching, PathLatency,
	PathReturn, PathAllocator, PathUnknown}

// What tells which work waits for which.
const (
	SourceStreamWaits = "by events"
	SourceLaunches    = "by launch order"
)
