// Package trace is the model of what one rank recorded: device spans, the host
// activity beside them, and the facts of the machine they ran on. Readers fill
// it, steps and metrics are found in it, and nothing outlives its measurement.
//
// Time stamps are int64 nanoseconds on the clock of the trace (0 is whatever
// the profiler took as its start; Epoch relates it to UTC). What names
// say is for package kernelname.
package trace

import (
	"math"
	"strings"

	"perfdiff/analyze/kernelname"
)

// NoTime is the time stamp of something that was not recorded.
const NoTime int64 = math.MinInt64

// Trace is what one rank recorded in one capture file.
//
// The slices are in order of Start once Sort was called; readers call it last.
type Trace struct {
	File     string   // base name of the file it came from, never a path
	Profiler Profiler // what recorded it; "": a log, or not known
	Identity Identity
	Names    *Names

	Device []Span       // kernels, copies, sets and graph replays
	Ranges []Range      // NVTX ranges, user annotations
	Ops    []Range      // operators of a framework that no other one called, and its modules
	API    []Call       // CUDA runtime and driver calls
	OS     []Call       // operating-system calls (OSRT)
	Access []FileAccess // file calls with their bytes
	Syncs  []Sync       // synchronization as the device saw it
	Waits  []StreamWait // which streams waited for which; nil: not recorded

	Threads   map[int32]string     // what threads of the host are called, by number, as ThreadName has it; nil: not recorded
	Running   map[int32][]Interval // when threads that call CUDA were on a processor, in order, and off it in between
	Functions []Range              // long functions of the program's language, nested: what the host does in gaps

	Shapes   map[NameID]Shape        // how kernels were launched mostly, where recorded
	Families []kernelname.FamilyRule // of the user, before the table

	Faults   []Fault   // of unified memory, in order of Start
	Messages *Messages // what communication kernels sent; may be nil and may be shared by traces of one file
	MPI      []Call    // calls of MPI and UCX
	Gloo     []Call    // collectives of Gloo, from enqueued to done
	Timed    []Timed   // collectives of a log, where nothing else was recorded; nil: the trace is of no such log

	Counters   []Counter   // what was sampled; counters of the node are in each of its traces
	Operations []Operation // of a framework, whose work is counted; in order of start, none within another
	Works      []Work      // that operations do, each once

	Logged *Logged     // step times in place of all that; nil: the trace is a profiler's
	Memory *HeldMemory // of the device; nil: not recorded

	Recorded Recorded // what the capture could have shown; absent is not zero
	Capture  Interval // what the profiler observed, [Start, End)
	Epoch    int64    // UTC nanoseconds of time 0, or NoTime
	Facts    []Fact   // allow-listed facts of machine and software, by key
	Warnings []Warning
	Lent     bool   // Device, API and OS are lists of a Spare
	Losses   []Loss // of what was recorded, what the file does not hold whole
}

// Identity says which rank a trace belongs to and how that is known.
type Identity struct {
	Rank      int    // the rank in the job; -1: the file does not say
	RankFrom  string // where the number came from, for people: "SLURM_PROCID"
	WorldSize int    // ranks in the job; 0: the file does not say
	Host      string // host name; "": the file does not say
	Process   int64  // operating-system process id; 0: unknown
	Device    int    // CUDA ordinal as the process saw it; -1: no device work
	// Report is the base name of the original report, where an export
	// remembers it: the rank often stands there when the file was renamed.
	Report string
}

// Interval is a half-open stretch of time, [Start, End) in nanoseconds.
type Interval struct{ Start, End int64 }

// Kind says what sort of device activity a span is.
type Kind uint8

// The kinds of device activity. The zero value is no activity at all.
const (
	KindUnknown Kind = iota
	Kernel
	Memcpy
	Memset
	Graph // the replay of a CUDA graph whose nodes were not recorded
)

// Class says which part of a step's breakdown a span can be.
type Class uint8

// The classes of device work, in order of priority in the breakdown.
const (
	ClassUnknown Class = iota // a graph replay: busy, of unknown kind
	Compute
	Comm
	Memory
)

// CopyKind is the direction of a memory copy; the numbers are CUPTI's. That of a span may also
// have the kind of the host's memory, in its upper four bits.
type CopyKind uint8

// The directions of copies (CUpti_ActivityMemcpyKind).
const (
	CopyUnknown CopyKind = 0
	HostToDev   CopyKind = 1
	DevToHost   CopyKind = 2
	DevToDev    CopyKind = 8
	HostToHost  CopyKind = 9
	PeerToPeer  CopyKind = 10
)

// String returns the direction as metrics name it: "h2d", "d2h", "d2d", "p2p".
func (k CopyKind) String() string {
	switch k & 15 {
	case HostToDev, 11: // 11: unified memory, host to device
		return "h2d"
	case DevToHost, 12:
		return "d2h"
	case DevToDev, 13, 3, 4, 5, 6, 7: // arrays live on the device
		return "d2d"
	case HostToHost:
		return "h2h"
	case PeerToPeer:
		return "p2p"
	}
	return "other"
}

// HostMemory is the kind of memory at the host's end of a copy. Where the whole copy is on the
// device, or between devices, it has none.
type HostMemory uint8

// The kinds of the host's memory. What is pageable the driver copies in pieces through a buffer
// of its own: the call returns when that is done, and the device's engine waits meanwhile.
const (
	HostUnknown HostMemory = iota
	HostPageable
	HostPinned
	HostManaged
)

// With returns the direction k with the kind of the host's memory.
func (k CopyKind) With(host HostMemory) CopyKind { return k&15 | CopyKind(host)<<4 }

// Host returns the kind of the host's memory.
func (k CopyKind) Host() HostMemory { return HostMemory(k >> 4) }

// String returns the kind as metrics name it, "" where it is not known.
func (m HostMemory) String() string {
	return [...]string{HostUnknown: "", HostPageable: "pageable", HostPinned: "pinned", HostManaged: "managed"}[m]
}

// HostMemoryOf returns the kind that a profiler calls so, in any case: "Pageable", "pinned".
func HostMemoryOf(name string) HostMemory {
	switch name = strings.ToLower(name); {
	case name == "pageable":
		return HostPageable
	case name == "pinned":
		return HostPinned
	case strings.HasPrefix(name, "managed"):
		return HostManaged
	}
	return HostUnknown
}

// SpanSize is the size of a span in memory, in bytes. A rank holds millions of them.
const SpanSize = 40

// Span is one activity of the device.
type Span struct {
	Start, End int64
	Launch     int64  // start of the host call that launched it, or NoTime
	Name       NameID // as recorded, without a parameter list's op ids
	Stream     int32
	low        uint32 // of the bytes copied or set, 0 unknown; of a communication kernel, of the number of its message
	high       uint8
	Kind       Kind
	Class      Class
	Copy       CopyKind // with the kind of the host's memory
}

// maxBytes is how many bytes a span may copy or set: of five bytes, the largest number.
const maxBytes = 1<<40 - 1

// Bytes returns how many bytes a copy or a set moves; 0 unknown, and of communication.
func (s *Span) Bytes() int64 {
	if s.Class == Comm {
		return 0
	}
	return s.number()
}

// SetBytes sets how many bytes a copy or a set moves, 1 TiB less a byte at most.
func (s *Span) SetBytes(n int64) { s.setNumber(min(max(n, 0), maxBytes)) }

// Sized returns s with so many bytes.
func (s Span) Sized(bytes int64) Span {
	s.SetBytes(bytes)
	return s
}

// SetMessage makes the span communication, with a message that Messages.Add has the number of.
func (s *Span) SetMessage(number int64) {
	s.Class = Comm
	s.setNumber(number)
}

func (s *Span) number() int64 { return int64(s.high)<<32 | int64(s.low) }

func (s *Span) setNumber(n int64) { s.low, s.high = uint32(n), uint8(n>>32) }

// Range is an interval that the program itself named: an NVTX range or a user
// annotation.
type Range struct {
	Start, End int64
	Name       NameID
	Thread     int32 // operating-system thread id
	Domain     NameID
	Open       bool // the file has no end of it, and End is that of the capture
}

// Op is what a file access did.
type Op uint8

// The file operations that are distinguished.
const (
	OpOther Op = iota
	OpRead
	OpWrite
)

// FileAccess is one call on a file, with the bytes it moved.
type FileAccess struct {
	Start, End int64
	Bytes      int64
	Thread     int32
	Op         Op
}

// Fault is one page fault of unified memory, or several that a device handled together.
type Fault struct {
	Start, End int64
	Count      int64
	Device     int64 // -1: of the host, at one moment
}

// Sync is one wait of host or stream for the device, as CUPTI reports it.
type Sync struct {
	Start, End int64
	Stream     int32
	Type       uint8 // 1 event, 2 stream waits for event, 3 stream, 4 context
}

// StreamWait says that work launched on a stream from some time on starts only when the work that another stream was
// given by some time has ended: by an event that was recorded there.
type StreamWait struct {
	At       int64 // ns, host: from when on
	Stream   int32
	On       int32 // the other stream
	Recorded int64 // ns, host: until when
}

// Recorded is a set of the things a capture could have shown. A table that is
// missing was not recorded; a table that is there and empty was not either,
// because exporters create empty tables on request.
type Recorded uint32

// The recordable things.
const (
	HasDevice   Recorded = 1 << iota // kernels, copies or sets
	HasLaunches                      // host calls that launched them
	HasRanges
	HasOS
	HasFileBytes // file accesses with at least one byte moved
	HasGraphs    // whole-graph replays: work of unknown kind is inside
	HasSyncs
	HasMemcpyBytes
	HasStorage  // bytes of volumes
	HasNetwork  // bytes of network ports
	HasActivity // how busy parts of the device were
	HasMessages // sizes of collectives
	HasMPI      // calls of MPI or UCX
	HasOperators
	HasFunctions // of the program's language
	HasGloo      // collectives of Gloo
	HasMemory    // changes of the device's memory
	HasClocks    // of the device
	HasPower
	HasTemperature
	HasNetWaits // how often network ports waited to send
	HasCongestionPackets
	HasSwitchCongestion // of switches
	HasCopyKinds        // kinds of the host's memory that is copied
	HasSizes            // of the arguments of operators
	HasDeviceFaults     // page faults of unified memory
	HasHostFaults
	HasRunning // when threads that call CUDA were on a processor
)

// Has reports whether all of x was recorded.
func (r Recorded) Has(x Recorded) bool { return r&x == x }

// Fact is one allow-listed property of machine, software or capture.
type Fact struct {
	Key   string `report:"key"`
	Value string `report:"value"`
}

// The keys of facts. Nothing outside this list and the settings leaves a profile: environment,
// command lines, users and paths never do.
const (
	FactGPU         = "gpu"           // model name
	FactGPUMemory   = "gpu_memory"    // bytes
	FactGPUSMs      = "gpu_sms"       // streaming multiprocessors, which count the units that compute
	FactGPUMaxClock = "gpu_max_clock" // Hz, the fastest that the device is set to
	FactDriver      = "driver"
	FactCUDA        = "cuda"        // of the program, or the latest that the driver supports: as the profiler says it
	FactDriverCUDA  = "driver_cuda" // the latest that the driver supports, where the profiler says both
	FactNCCL        = "nccl"
	FactROCm        = "rocm" // in place of CUDA
	FactRCCL        = "rccl" // in place of NCCL, whose interface it has
	FactFramework   = "framework"
	FactProfiler    = "profiler"   // product and version
	FactSchema      = "schema"     // export schema version
	FactGraphMode   = "graph_mode" // "graph" or "node"
	FactCPU         = "cpu"
	FactOS          = "os"
	FactBackend     = "backend"            // of the process group: "nccl"
	FactRecorded    = "recorded"           // what the profiler was asked for, or its options
	FactFilter      = "NVTX filter"        // domains that were left out or alone recorded
	FactEnvironment = "environment"        // "recorded": what of the settings is not there is not set
	FactBatch       = "batch_size"         // samples that a step takes over all ranks, as a log says
	FactRankBatch   = "batch_size_of_rank" // samples that a step takes, of one rank or of all: the log does not say
	FactTokens      = "tokens_per_step"
	FactSequence    = "sequence_length"
	FactWorld       = "world_size"      // as a log says, of a job whose ranks are not told apart
	FactTimes       = "times_of_a_step" // how many a log says: those of ranks, or of parts of a step; one where it is not said
	FactPrecision   = "precision"
	FactParameters  = "parameters"
	FactOverhead    = "profiler overhead" // share of the time, by classes: "2 to 10 %"
)

// NoOptions is the value of FactRecorded for a profiler that was asked for none of its options.
const NoOptions = "no options"

// Warning is something to know before a result is trusted. It names the file,
// the cause and the remedy, and travels with what it qualifies.
type Warning struct {
	File string `report:"file"` // base name, or "" when it is about more than one
	Text string
	// Aside: it is about something else than what was measured, such as another process
	// on the machine. Lists hold it; no number is qualified by it.
	Aside bool `json:",omitempty" report:"unrelated"`
	// Cut is where the file ends early, "byte 4096", so that what came after is lost; "": it does not.
	Cut string `json:",omitempty" report:"cut_at,omitempty"`
}

// Step is one iteration as found in a trace.
type Step struct {
	Number int64 // the marker's own number, else the ordinal from 0
	// Start and End are the device's window: from the first device work
	// launched in this step to the first launched in the next. End is NoTime
	// when nothing ends it. Without launches they are host edges.
	Start, End int64
	// HostStart and HostEnd are the host's period: from this marker's start
	// to the next one's, or to its own end for the last.
	HostStart, HostEnd int64
	Dropped            string // why the step is left out; "" when it is kept
	Load               Load   // of an inference engine's step
}

// HasWindow reports whether a step has a window on the device's clock.
func (s *Step) HasWindow() bool { return s.Start != NoTime && s.End != NoTime && s.End > s.Start }

// Window is one step of a trace with the device spans that start in it:
// Step.Start <= span.Start < Step.End, in order of Start.
type Window struct {
	Step   Step
	Trace  *Trace
	Device []Span
}
