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

// Opener is the program that shows a file of a profiler at a time, for advice on how to look at a step.
type Opener string

// The openers of files.
const (
	NsysStats  Opener = "nsys stats"
	NsysExport Opener = "nsys export" // which trims a report
	NsysReport Opener = "its report"  // a directory of tables: nsys reads the report that it was exported from
	Perfetto   Opener = "Perfetto"
)

// Profilers returns all of them, in the order in which they are named.
func Profilers() []Profiler { return []Profiler{NsightSystems, PyTorchProfiler, Rocprof, XLAProfiler} }
