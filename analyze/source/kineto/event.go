package kineto

import "bytes"

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
	device       []byte
	stream       []byte
	correlation  []byte
	bytes        []byte
	collective   []byte
	in, out      []byte // elements of a collective's message
	dtype        []byte
	group        []byte // process group
	ranks, seq   []byte // of the group; number of the collective in it
	ph           []byte
	hasCat, want bool
	plain        bool // of the profiler without Kineto, see plain.go
	args         int  // where args begins when it came too early; 0: nowhere
	seen         uint16
	shapeless    bool            // enough is known of how kernels are launched; stays from event to event
	comms        map[string]bool // which names of kernels are communication, as far as asked; stays likewise

	// how a kernel was launched: lists with their brackets, and numbers
	list, grid, block            []byte // list is the argument that is being read
	registers, shared, occupancy []byte
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
	*e = event{shapeless: e.shapeless, comms: e.comms}
	i := 1
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
		key, at, err := member(b, i)
		if err != nil {
			return 0, err
		}
		end, done, err := e.member(b, key, at)
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
	if e.kind == kindPython && e.name != nil && e.dur == nil && !e.module() {
		if behind := short(b, end); behind > 0 {
			e.dur, end = shortDuration, behind
		}
	}
	if !e.hopeless() {
		return end, false, nil
	}
	if end = braces(b, end, 1); end < 0 {
		return 0, false, errShort
	}
	return end, true, nil
}

// set keeps a member and reports whether it is one that is known.
func (e *event) set(key string, v []byte, str bool) bool {
	switch key {
	case "ph":
		e.ph = unescaped(v, str)
	case "cat":
		e.kind, e.hasCat = category(unescaped(v, str)), true
	case "name":
		e.name = v
	case "pid":
		e.pid = unescaped(v, str)
		if !e.hasCat && str && string(e.pid) == plainProcess {
			e.kind, e.hasCat, e.plain = kindOp, true, true
		}
	case "tid":
		e.tid = unescaped(v, str)
	case "ts":
		e.ts = unescaped(v, str)
	case "dur":
		e.dur = unescaped(v, str)
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
	ns, ok := nanoseconds(e.dur)
	return ok && ns >= longFunction
}

func (e *event) complete() bool { return len(e.ph) == 1 && e.ph[0] == 'X' }

// marker reports whether an operator's name is one that a program or the
// framework gave on purpose: "ProfilerStep#5", "Optimizer.step#SGD.step", "gloo:all_reduce".
// Operators of 2021's dialect and of the profiler without Kineto are the only
// record of those.
func (e *event) marker() bool {
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
