package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// kind is what perfdiff makes of an event's category.
type kind uint8

const (
	kindOther  kind = iota // nothing
	kindKernel             // device work …
	kindMemcpy
	kindMemset
	kindCall   // a call of the CUDA or HIP runtime or driver
	kindRange  // a user annotation
	kindOp     // an operator, which is a range if its name says so
	kindPython // a Python function, of which modules and long ones count
	kindSync   // a synchronization as CUPTI saw it
	kindWindow // what the profiler observed
)

func (k kind) device() bool { return k >= kindKernel && k <= kindMemset }

// category classifies a cat in the spelling of any dialect.
func category(cat []byte) kind {
	if k, ok := categoryOf(string(cat)); ok {
		return k
	}
	k, _ := categoryOf(string(bytes.ToLower(cat)))
	return k
}

func categoryOf(cat string) (kind, bool) {
	switch cat {
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
		return kindWindow, true
	case "python_function":
		return kindPython, true
	case "ac2g", "fwdbwd", "gpu_user_annotation":
		return kindOther, true
	}
	return kindOther, false
}

// event is what is kept of one complete event ("ph": "X"). Texts lie in the
// window, without quotes and still with their escapes.
type event struct {
	kind         kind
	name         []byte
	pid, tid     []byte
	ts, dur      []byte
	ph           []byte
	hasCat, want bool
	plain        bool // of the profiler without Kineto, see plain.go
	args         int  // where args begins when it came too early; 0: nowhere
	seen         uint16
	arguing      bool // arguments were read
	launched

	named           stretch // where the name is
	head            *head   // of the event, where it is known
	fresh           bool    // the head is not known, and so far is one that can be
	started, lasted bool    // ts and dur are known as numbers already:
	start, length   int64   // ns

	// What stays from event to event.
	shapeless bool            // enough is known of how kernels are launched
	comms     map[string]bool // which names of kernels are communication, as far as asked
	heads     *heads          // nil: none are remembered
}

// launched are an event's arguments.
type launched struct {
	device      []byte
	stream      []byte
	correlation []byte
	bytes       []byte
	collective  []byte
	in, out     []byte // elements of a collective's message
	dtype       []byte
	group       []byte // process group
	ranks, seq  []byte // of the group; number of the collective in it

	// how a kernel was launched: lists with their brackets, and numbers
	list, grid, block            []byte // list is the argument that is being read
	registers, shared, occupancy []byte
	shaped                       *trace.Shape // where it is known already
}

// reset makes e the next event. Most have no arguments that are read, which are most of it.
func (e *event) reset() {
	e.kind, e.hasCat, e.want, e.plain, e.args, e.seen = kindOther, false, false, false, 0, 0
	e.name, e.pid, e.tid, e.ts, e.dur, e.ph = nil, nil, nil, nil, nil, nil
	e.head, e.fresh, e.started, e.lasted = nil, false, false, false
	if e.arguing {
		e.launched, e.arguing = launched{}, false
	}
}

// Which arguments were seen.
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

// parse reads the event whose brace is b[0] and returns its length. want is
// set for an event that matters; the rest of one that does not is hopped
// over as soon as that is known.
func (e *event) parse(b []byte) (int, error) {
	e.reset()
	i, hopeless := e.opening(b)
	if hopeless {
		return closing(b, i)
	}
	for {
		if i = space(b, i); i == len(b) {
			return 0, errShort
		}
		if b[i] == '}' {
			break
		}
		if end := e.quick(b, i); end > 0 {
			i = end
			continue
		}
		end, done, err := e.other(b, i)
		if err != nil || done {
			return end, err
		}
		if i, err = separator(b, end); err != nil {
			return 0, err
		}
	}
	e.want = e.wanted()
	if e.want && e.args > 0 {
		if _, err := e.arguments(b, e.args+1); err != nil {
			return 0, err
		}
	}
	return i + 1, nil
}

// other reads the member at b[i] as member does, whatever its key.
func (e *event) other(b []byte, i int) (end int, done bool, err error) {
	e.fresh = false
	if at := argsAt(b, i); at > 0 {
		return e.argsMember(b, at)
	}
	key, at, err := member(b, i)
	if err != nil {
		return 0, false, err
	}
	return e.member(b, key, at)
}

// member takes in one member. done says that the event does not matter and
// that end is the end of all of it.
func (e *event) member(b, key []byte, at int) (end int, done bool, err error) {
	if string(key) == "args" && b[at] == '{' {
		return e.argsMember(b, at)
	}
	v, end, str, err := value(b, at)
	if err != nil {
		return 0, false, err
	}
	if !e.set(string(key), v, str) && bytes.IndexByte(key, '\\') >= 0 {
		e.set(string(plain(nil, key)), v, str)
	}
	end = e.skim(b, end)
	if !e.hopeless() {
		return end, false, nil
	}
	end, err = closing(b, end)
	return end, err == nil, err
}

// skim looks ahead from the name of a Python function, which ends at b[i], for a duration
// that says that it does not matter, and returns the index behind what was read.
func (e *event) skim(b []byte, i int) int {
	if e.kind == kindPython && e.name != nil && e.dur == nil && !e.module() {
		if behind := short(b, i); behind > 0 {
			e.dur = shortDuration
			return behind
		}
	}
	return i
}

// opening reads the members that come first as far as they have the form in which
// profilers write them. It returns the index behind them, and whether it is certain
// already that the event is not wanted.
func (e *event) opening(b []byte) (i int, hopeless bool) {
	i = e.begin(b)
	switch {
	case e.name == nil:
	case e.kind == kindPython && !e.module():
		if behind := short(b, i-1); behind > 0 { // from the comma on
			e.dur = shortDuration
			return behind, true
		}
		i = e.proceed(b, i)
	default:
		return e.proceed(b, i), false
	}
	return i, e.ph != nil && e.hopeless()
}

// closing is the index behind the end of the event that is open at b[i].
func closing(b []byte, i int) (int, error) {
	if i = braces(b, i, 1); i < 0 {
		return 0, errShort
	}
	return i, nil
}

// set keeps a member and reports whether it is one that is known.
func (e *event) set(key string, v []byte, str bool) bool {
	switch key {
	case "ph":
		e.ph = unescaped(v, str)
	case "cat":
		e.kind, e.hasCat, e.head = category(unescaped(v, str)), true, nil
	case "name":
		e.name, e.head = v, nil
	case "pid":
		e.pid, e.head = unescaped(v, str), nil
		if !e.hasCat && str && string(e.pid) == plainProcess {
			e.kind, e.hasCat, e.plain = kindOp, true, true
		}
	case "tid":
		e.tid, e.head = unescaped(v, str), nil
	case "ts":
		e.ts, e.started = unescaped(v, str), false
	case "dur":
		e.dur, e.lasted = unescaped(v, str), false
	default:
		return false
	}
	return true
}

func unescaped(v []byte, str bool) []byte {
	if str && bytes.IndexByte(v, '\\') >= 0 {
		return plain(nil, v)
	}
	return v
}

// hopeless reports whether it is certain already that the event is not wanted.
func (e *event) hopeless() bool {
	return (e.ph != nil && !e.complete()) || (e.hasCat && e.kind == kindOther) ||
		(e.kind == kindPython && e.name != nil && e.dur != nil && !e.module() && !e.long())
}

// longFunction is from which length a Python function is kept, in ns. They are many and
// deeply nested: those of 100 us are an eighth of them, and what is shorter lies within
// one that is kept, since gaps that are worth a name are no shorter either.
const longFunction = 100_000

// long reports whether a Python function is long enough to be kept.
func (e *event) long() bool {
	ns, ok := e.lasts()
	return ok && ns >= longFunction
}

func (e *event) complete() bool { return len(e.ph) == 1 && e.ph[0] == 'X' }

// marker reports whether an operator's name is one that a program or the
// framework gave on purpose: "ProfilerStep#5", "Optimizer.step#SGD.step", "gloo:all_reduce".
// Operators of 2021's dialect and of the profiler without Kineto are the only
// record of those.
func (e *event) marker() bool {
	if e.head != nil {
		return e.head.marker
	}
	return bytes.IndexByte(e.name, '#') >= 0 || isGloo(e.name) || e.plain && !calls(e.name)
}

func (e *event) wanted() bool {
	return e.complete() && e.hasCat && e.kind != kindOther && (e.kind != kindPython || e.module() || e.long())
}

// hurried reports whether all is known of an operator that is no marker, or of a Python
// function.
func (e *event) hurried() bool {
	return (e.kind == kindOp && !e.marker() || e.kind == kindPython) && e.wanted() &&
		e.name != nil && e.pid != nil && e.tid != nil && e.ts != nil && e.dur != nil
}

// argsMember reads the arguments if the event is known to be wanted, else it
// remembers where they are.
func (e *event) argsMember(b []byte, at int) (end int, done bool, err error) {
	if e.hurried() || e.kind == kindPython && e.hopeless() {
		// What is behind the arguments of an operator or a function does not matter.
		if end = braces(b, at+1, 2); end < 0 {
			return 0, false, errShort
		}
		e.want = e.wanted()
		return end, true, nil
	}
	if e.wanted() && e.name != nil {
		end, err = e.arguments(b, at+1)
		return end, false, err
	}
	e.args = at
	if end = braces(b, at+1, 1); end < 0 {
		return 0, false, errShort
	}
	return end, false, nil
}
