package trace

// Profiler is the program that recorded a file, for advice on how to record.
type Profiler string

// The profilers whose files are read; "": none recorded it, as a log.
const (
	NsightSystems   Profiler = "Nsight Systems"
	PyTorchProfiler Profiler = "PyTorch's profiler"
	Rocprof         Profiler = "rocprofv3"
	XLAProfiler     Profiler = "XLA's profiler"
)

// Profilers are all of them, in the order in which they are named.
func Profilers() []Profiler { return []Profiler{NsightSystems, PyTorchProfiler, Rocprof, XLAProfiler} }
