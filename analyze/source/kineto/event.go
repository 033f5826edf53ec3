package kineto

import (
	"bytes"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// kind is what perfdiff takes an event for, by its category.
type kind uint8

const (
	kindOther  kind = iota // of no use
	kindKernel             // device work: this and the next two
	kindMemcpy
	kindMemset
	kindCall     // a call of the CUDA or HIP runtime or driver
	kindRange    // a user annotation
	kindOp       // an operator, or a range if its name is a marker's
	kindPython   // a Python function: modules and long ones are kept
	kindSync     // a synchronization, as CUPTI recorded it
	kindObserved // the time that the profiler observed
	kindMemory   // an instant at which an allocator took or gave back memory
)

func (k kind) device() bool { return k >= kindKernel && k <= kindMemset }

// category returns the kind of a category in the spelling of any dialect, and whether it is device work that is not
// read.
func category(cat []byte) (k kind, unread bool) {
	if k, ok := categoryOf(cat); ok {
		return k, false
	}
	lower := bytes.ToLower(cat)
	k, ok := categoryOf(lower)
	return k, !ok && isOfDevice(string(lower))
}

// isOfDevice reports whether a category that is not read is work on an accelerator: Kineto names it by the device
// ("mtia_ccp_events", "hpu_op"), and what its host calls by runtime or driver.
func isOfDevice(cat string) bool {
	family, rest, _ := strings.Cut(cat, "_")
	return rest != "" && rest != "runtime" && rest != "driver" && len(rest) < trace.MaxFact &&
		strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" &&
		slices.Contains([]string{"mtia", "hpu", "xpu", "npu", "tpu", "gpu", "privateuse1"}, family)
}

func categoryOf(cat []byte) (kind, bool) {
	switch string(cat) {
	case "cpu_op", "operator", "Operator":
		return kindOp, true
	case "kernel", "Kernel":
		return kindKernel, true
	case "cuda_runtime", "cuda_driver", "runtime", "Runtime", "driver",
		"xpu_runtime", "xpu_driver", "privateuse1_runtime", "privateuse1_driver":
		return kindCall, true
	case "gpu_memcpy", "memcpy", "Memcpy":
		return kindMemcpy, true
	case "gpu_memset", "memset", "Memset":
		return kindMemset, true
	case "user_annotation":
		return kindRange, true
	case "cuda_sync":
		return kindSync, true
	case "trace", "Trace":
		return kindObserved, true
	case "python_function":
		return kindPython, true
	case "cpu_instant_event":
		return kindMemory, true // if its name and phase say so too
	case "ac2g", "fwdbwd", "gpu_user_annotation":
		return kindOther, true
	}
	return kindOther, false
}

// event holds what is needed of one complete event (phase "X"), of an instant of memory, or of a thread's name. Texts
// are parts of the window, without their quotes and with their escapes.
type event struct {
	kind            kind
	name            []byte
	pid, tid        []byte
	ts, dur         []byte
	ph              []byte
	hasCat, matters bool
	unread          []byte // category of work on a device of a kind that is not read; nil: it is none
	plain           bool   // of the profiler without Kineto, see plain.go
	args            int    // index of the arguments where they came before it was clear that they matter; 0: none
	seenArguments   uint16
	arguing         bool // arguments were read
	eventArguments

	nameAt              textRange  // where the name is in the window
	head                *eventHead // the remembered head of the event; nil: none
	newHead             bool       // no head is remembered, and this event may give one
	hasStart, hasLength bool       // the numbers of ts and dur are known already
	start, length       int64      // ns

	// The fields below stay from event to event.
	memory      memoryArguments // of the last instant of memory
	skipShape   bool            // enough kernels have said how they are launched
	skipSizes   bool            // operators do not say the sizes of their arguments
	likelyComms map[string]bool // whether the names of kernels may be communication, as far as asked
	heads       *headCache      // remembered heads; nil: none
}

// eventArguments are the arguments of an event that are read.
type eventArguments struct {
	device                  []byte
	stream                  []byte
	correlation             []byte
	bytes                   []byte
	collective              []byte
	elementsIn, elementsOut []byte // number of elements in a collective's message
	dtype                   []byte
	group                   []byte // process group
	ranks, seq              []byte // of the group; number of the collective in it
	members, purpose        []byte // of the group: its ranks in the job, and its description
	firstRank, rankStride   []byte // of a group whose ranks are all at the same distance
	waitOn, recordedBy      []byte // of a wait for an event: the stream it was recorded on, and the correlation of that call
	peer                    []byte // rank in the job that a point-to-point call sends to or receives from

	// how a kernel was launched: lists with their brackets, and numbers
	dimensionList, grid, block   []byte // dimensionList is the argument that is being read
	registers, shared, occupancy []byte
	knownShape                   *trace.Shape // how a kernel was launched, where it is remembered

	sizes, types, values []byte // of an operator's arguments: lists with their brackets
	form                 []byte // the text that they stand in
	counted              int32  // 1 + index in counting.calls, where an earlier call had the same form; else 0
}

// reset clears e for the next event. Arguments are most of an event, and only cleared where
// some were read.
func (e *event) reset() {
	e.kind, e.hasCat, e.matters, e.plain, e.args, e.seenArguments = kindOther, false, false, false, 0, 0
	e.name, e.pid, e.tid, e.ts, e.dur, e.ph = nil, nil, nil, nil, nil, nil
	e.head, e.newHead, e.hasStart, e.hasLength, e.unread = nil, false, false, false, nil
	if e.arguing {
		e.eventArguments, e.arguing = eventArguments{}, false
	}
}

// Arguments, as bits of event.seenArguments.
const (
	seenDevice = 1 << iota
	seenStream
	seenCorrelation
	seenBytes
	seenGrid
	seenBlock
	seenRegisters
	seenShared
	seenOccupancy

	seenShape = seenGrid | seenBlock | seenRegisters | seenShared | seenOccupancy
)

// parse reads the event whose brace is b[0] and returns its length. It sets matters for an event to keep; it skips the
// rest of any other event as soon as it knows that.
func (e *event) parse(b []byte) (int, error) {
	e.reset()
	i, hopeless := e.parseStart(b)
	if hopeless {
		return endOfEvent(b, i)
	}
	for {
		if i = skipSpace(b, i); i == len(b) {
			return 0, errShort
		}
		if b[i] == '}' {
			break
		}
		if end := e.quickMember(b, i); end > 0 {
			i = end
			continue
		}
		end, done, err := e.slowMember(b, i)
		if err != nil || done {
			return end, err
		}
		if i, err = separator(b, end); err != nil {
			return 0, err
		}
	}
	e.matters = e.isWanted()
	if e.matters && e.args > 0 {
		if _, err := e.arguments(b, e.args+1); err != nil {
			return 0, err
		}
	}
	return i + 1, nil
}

// slowMember reads the member at b[i], whatever its key and form.
func (e *event) slowMember(b []byte, i int) (end int, done bool, err error) {
	e.newHead = false
	if at := argsAt(b, i); at > 0 {
		return e.argsMember(b, at)
	}
	key, at, err := memberKey(b, i)
	if err != nil {
		return 0, false, err
	}
	return e.member(b, key, at)
}

// member takes the value of one key, at b[at]. If done is true the event does not matter, and end is the index after
// the whole event.
func (e *event) member(b, key []byte, at int) (end int, done bool, err error) {
	if string(key) == "args" && b[at] == '{' {
		return e.argsMember(b, at)
	}
	v, end, str, err := scalarAt(b, at)
	if err != nil {
		return 0, false, err
	}
	if !e.set(key, v, str) && bytes.IndexByte(key, '\\') >= 0 {
		e.set(unescapeText(nil, key), v, str)
	}
	end = e.skipShortFunction(b, end)
	if !e.neverWanted() {
		return end, false, nil
	}
	end, err = endOfEvent(b, end)
	return end, err == nil, err
}

// skipShortFunction looks for a duration after the name of a Python function, which ends at b[i], that is too short to
// keep the function. It returns the index after what it read.
func (e *event) skipShortFunction(b []byte, i int) int {
	if e.kind == kindPython && e.name != nil && e.dur == nil && !e.isModule() {
		if behind := endOfShortDuration(b, i); behind > 0 {
			e.dur = shortDuration
			return behind
		}
	}
	return i
}

// parseStart reads the first members of an event, as long as they have the form and order in which profilers write
// them. It returns the index after them, and whether the event is certainly of no use.
func (e *event) parseStart(b []byte) (i int, hopeless bool) {
	i = e.parseHead(b)
	switch {
	case e.name == nil:
	case e.kind == kindPython && !e.isModule():
		if behind := endOfShortDuration(b, i-1); behind > 0 { // from the comma on
			e.dur = shortDuration
			return behind, true
		}
		i = e.parseKnownHead(b, i)
	default:
		return e.parseKnownHead(b, i), false
	}
	return i, e.ph != nil && e.neverWanted()
}

// endOfEvent returns the index after the end of the event that is open at b[i].
func endOfEvent(b []byte, i int) (int, error) {
	if i = closeBraces(b, i, 1); i < 0 {
		return 0, errShort
	}
	return i, nil
}

// set keeps the value of a key. It is false for a key that is not needed.
func (e *event) set(key, v []byte, str bool) bool {
	switch string(key) {
	case "ph":
		e.ph = unescape(v, str)
	case "cat":
		cat, unread := unescape(v, str), false
		if e.kind, unread = category(cat); unread {
			e.unread = cat
		}
		e.hasCat, e.head = true, nil
	case "name":
		e.name, e.head = v, nil
	case "pid":
		e.pid, e.head = unescape(v, str), nil
		if !e.hasCat && str && string(e.pid) == plainProcess {
			e.kind, e.hasCat, e.plain = kindOp, true, true
		}
	case "tid":
		e.tid, e.head = unescape(v, str), nil
	case "ts":
		e.ts, e.hasStart = unescape(v, str), false
	case "dur":
		e.dur, e.hasLength = unescape(v, str), false
	default:
		return false
	}
	return true
}

func unescape(v []byte, str bool) []byte {
	if str && bytes.IndexByte(v, '\\') >= 0 {
		return unescapeText(nil, v)
	}
	return v
}

// neverWanted reports whether what is known so far makes the event useless.
func (e *event) neverWanted() bool {
	if e.ph != nil && !e.isComplete() {
		return !e.mayBeMemory() && !e.mayNameThread()
	}
	return e.hasCat && e.kind == kindOther ||
		(e.kind == kindPython && e.name != nil && e.dur != nil && !e.isModule() && !e.isLong())
}

// longFunction is the duration from which on a Python function is kept, in ns. Functions are many and deeply nested;
// those of 100 us and more are an eighth of them. Gaps that are worth a name are no shorter, and a shorter function
// lies within one that is kept.
const longFunction = 100_000

// isLong reports whether a Python function is long enough to be kept.
func (e *event) isLong() bool {
	ns, ok := e.duration()
	return ok && ns >= longFunction
}

func (e *event) isComplete() bool { return len(e.ph) == 1 && e.ph[0] == 'X' }

// isMarker reports whether an operator's name was given on purpose by the program or the
// framework: "ProfilerStep#5", "Optimizer.step#SGD.step", "gloo:all_reduce". The dialect of
// 2021, and the profiler without Kineto, record such names as operators only.
func (e *event) isMarker() bool {
	if e.head != nil {
		return e.head.isMarker
	}
	return bytes.IndexByte(e.name, '#') >= 0 || isGloo(e.name) || e.plain && !hidesInner(e.name)
}

func (e *event) isWanted() bool {
	if !e.isComplete() {
		return e.isMemory() || e.namesThread()
	}
	return e.hasCat && e.kind != kindOther && e.kind != kindMemory && (e.kind != kindPython || e.isModule() || e.isLong())
}

// mayEndEarly reports whether the rest of the event is not needed: it has all members but arguments, and is a Python
// function, or an operator that is no marker, whose work is not counted and that neither describes nor starts a
// collective.
func (e *event) mayEndEarly() bool {
	return (e.kind == kindOp && !e.isMarker() && e.operator() == nil || e.kind == kindPython) && e.isWanted() &&
		e.name != nil && e.pid != nil && e.tid != nil && e.ts != nil && e.dur != nil && !e.describesGroup() && !e.startsCollective()
}

// argsMember reads the arguments of an event that is known to be wanted. For any other it notes where they begin.
func (e *event) argsMember(b []byte, at int) (end int, done bool, err error) {
	if e.mayEndEarly() || e.kind == kindPython && e.neverWanted() {
		// What is behind the arguments of an operator or a function does not matter.
		if end = closeBraces(b, at+1, 2); end < 0 {
			return 0, false, errShort
		}
		e.matters = e.isWanted()
		return end, true, nil
	}
	if e.isWanted() && e.name != nil {
		end, err = e.arguments(b, at+1)
		return end, false, err
	}
	e.args = at
	if end = closeBraces(b, at+1, 1); end < 0 {
		return 0, false, errShort
	}
	return end, false, nil
}
