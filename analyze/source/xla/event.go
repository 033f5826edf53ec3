package xla

import (
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// statKind is which of the stats that are read one is.
type statKind uint8

const (
	statOther statKind = iota
	statCorrelation
	statKernel
	statMemcpy
	statMemset
	statGraph
	statMemory // of allocations and what lies where: no work
	statStep
	statOperation
	statDevice
	statGPUName
	statMemorySize
	statProfileStart
	statAllocator
	statInUse
)

// statKinds are they by name (xplane_schema.cc of tsl).
var statKinds = map[string]statKind{
	"correlation_id":          statCorrelation,
	"kernel_details":          statKernel,
	"memcpy_details":          statMemcpy,
	"Memset_details":          statMemset,
	"cuda_graph_exec_id":      statGraph,
	"memalloc_details":        statMemory,
	"MemFree_details":         statMemory,
	"MemoryResidency_details": statMemory,
	"step_num":                statStep,
	"hlo_op":                  statOperation,
	"device_id":               statDevice,
	"gpu_device_name":         statGPUName,
	"memory_size":             statMemorySize,
	"profile_start_time":      statProfileStart,
	"allocator_name":          statAllocator,
	"bytes_allocated":         statInUse,
}

// statValue is the value of a stat.
type statValue struct {
	number int64
	text   string
}

// event is an event of a line, whichever of the two kinds of files it comes from.
type event struct {
	*word             // nil: it has no name
	start, end  int64 // ns
	timeless    bool  // its times cannot be
	correlation int64
	device      int64  // of a call
	stats       uint16 // a bit for each kind that it has
	details     string // of a kernel, copy or set
	step        int64
	operation   string // of the compiled program: "all-reduce-start.3"
	allocator   string // whose mark it is: "GPU_0_bfc"
	inUse       int64  // bytes of it
}

func (e *event) has(k statKind) bool { return e.stats>>k&1 == 1 }

// stat takes one of the event's stats.
func (e *event) stat(kind statKind, v statValue) {
	e.stats |= 1 << kind
	switch kind {
	case statCorrelation:
		e.correlation = v.number
	case statKernel, statMemcpy, statMemset:
		e.details = v.text
	case statStep:
		e.step = v.number
	case statDevice:
		e.device = v.number
	case statOperation:
		e.operation = v.text
	case statAllocator:
		e.allocator = v.text
	case statInUse:
		e.inUse = v.number
	}
}

// kind returns the kind of device work of an event of a stream; unknown if it is not device work.
func (e *event) kind() trace.Kind {
	switch {
	case e.has(statMemory):
		return trace.KindUnknown
	case e.has(statKernel):
		return trace.Kernel
	case e.has(statMemcpy):
		return trace.Memcpy
	case e.has(statMemset):
		return trace.Memset
	case e.has(statGraph):
		return trace.Graph
	}
	return e.work
}

// noWork are the names of events of streams that are no work of the device
// (GetTraceEventTypeName of xla/backends/profiler/gpu).
var noWork = map[string]bool{
	"": true, "MemoryAlloc": true, "MemoryFree": true, "MemoryResidency": true, "Overhead": true, "UnifiedMemory": true,
	"Generic": true, "HostRegister": true, "HostUnregister": true, "Unsupported": true, "ThreadMarkerRange": true,
	"ThreadMarkerStart": true, "ThreadMarkerEnd": true, "Synchronization": true, "Environment": true,
}

// kindOfName returns the sort of work that a name says, where no stat does.
func kindOfName(name string) trace.Kind {
	switch {
	case noWork[name] || strings.HasPrefix(name, "NVTX:"):
		return trace.KindUnknown
	case strings.HasPrefix(name, "Memcpy"):
		return trace.Memcpy
	case name == "Memset":
		return trace.Memset
	case name == "CudaGraph":
		return trace.Graph
	}
	return trace.Kernel
}

// copies are the directions of copies by name.
var copies = map[string]trace.CopyKind{"MemcpyH2D": trace.HostToDev, "MemcpyD2H": trace.DevToHost,
	"MemcpyD2D": trace.DevToDev, "MemcpyP2P": trace.PeerToPeer}

// collectives are the operations of programs that communicate, as their names begin.
var collectives = []struct{ begins, name string }{
	{"all-reduce", "AllReduce"}, {"all-gather", "AllGather"}, {"reduce-scatter", "ReduceScatter"},
	{"ragged-all-to-all", "AllToAll"}, {"all-to-all", "AllToAll"}, {"collective-permute", "SendRecv"},
	{"collective-broadcast", "Broadcast"}, {"send", "SendRecv"}, {"recv", "SendRecv"},
}

// collectiveOf returns the collective that an operation is, "" if it is none.
func collectiveOf(operation string) string {
	for _, c := range collectives {
		if strings.HasPrefix(operation, c.begins) {
			return c.name
		}
	}
	return ""
}

// hostMemory returns the kind of memory at the host's end of a copy: "kind_src:pinned
// kind_dst:device".
func hostMemory(direction trace.CopyKind, details string) trace.HostMemory {
	word := map[trace.CopyKind]string{trace.HostToDev: "kind_src", trace.DevToHost: "kind_dst"}[direction]
	for item := range strings.FieldsSeq(details) {
		if name, value, ok := strings.Cut(item, ":"); ok && name == word {
			return trace.HostMemoryOf(value)
		}
	}
	return trace.HostUnknown
}

// detail returns the number after a word in an event's details: "size:4096".
func detail(details, word string) int64 {
	for item := range strings.FieldsSeq(details) {
		if value, ok := strings.CutPrefix(item, word+":"); ok {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return 0
			}
			return max(n, 0)
		}
	}
	return 0
}

// shapeOf returns how a kernel was launched: "regs:32 static_shared:0 dynamic_shared:0 grid:1,1,1
// block:128,1,1 occ_pct:75".
func shapeOf(details string) (s trace.Shape) {
	for item := range strings.FieldsSeq(details) {
		word, value, _ := strings.Cut(item, ":")
		switch word {
		case "grid":
			s.Grid = triple(value)
		case "block":
			s.Block = triple(value)
		case "occ_pct":
			if share, err := strconv.ParseFloat(value, 64); err == nil && share > 0 && share <= 100 {
				s.Occupancy = int32(share + 0.5)
			}
		}
	}
	if !s.Known() {
		return trace.Shape{}
	}
	s.Registers = int32(min(detail(details, "regs"), 1<<31-1))
	s.Shared = min(detail(details, "static_shared"), 1<<40) + min(detail(details, "dynamic_shared"), 1<<40)
	return s
}

// triple returns three numbers, zeros for any other text.
func triple(text string) (v [3]int32) {
	parts := strings.Split(text, ",")
	for i := range v {
		if len(parts) != len(v) {
			return [3]int32{}
		}
		n, err := strconv.ParseInt(parts[i], 10, 32)
		if err != nil || n <= 0 {
			return [3]int32{}
		}
		v[i] = int32(n)
	}
	return v
}

// word holds what the name of events says, which is looked at once.
type word struct {
	name string
	work trace.Kind   // of an event of a stream, where no stat says it
	host hostKind     // of an event of a thread
	id   trace.NameID // of work, a call or a range that is no step; 0: not asked for
	kernel
}

// kernel holds what the name of a kernel says.
type kernel struct {
	class trace.Class
	coll  trace.NameID
	asked bool
}

// hostKind is the kind of an event of a thread.
type hostKind uint8

const (
	hostNothing hostKind = iota // without a name, or a function of Python
	hostCall
	hostRange
	hostAllocation // a mark of an allocator, of what it gave
	hostFree
)

// word returns what a name says.
func (b *builder) word(name string) *word {
	w := b.words[name]
	if w == nil {
		w = &word{name: strings.Clone(name), work: kindOfName(name), host: hostRange}
		switch {
		case name == "" || strings.HasPrefix(name, "$"):
			w.host = hostNothing
		case apiCall.MatchString(name):
			w.host = hostCall
		case name == "MemoryAllocation":
			w.host = hostAllocation
		case name == "MemoryDeallocation":
			w.host = hostFree
		}
		b.words[w.name] = w
	}
	return w
}

// apiCall matches the names of calls of CUDA and HIP.
var apiCall = regexp.MustCompile(`^(?:cuda|cu|hip)[A-Z]\w*`)
