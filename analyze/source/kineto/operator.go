package kineto

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// modulePrefix begins what the Python tracer calls a module's forward:
// "nn.Module: Linear_3".
var modulePrefix = []byte("nn.Module: ")

// module reports whether a Python function is one of a module.
func (e *event) module() bool {
	if bytes.IndexByte(e.name, '\\') >= 0 {
		return bytes.HasPrefix(plain(nil, e.name), modulePrefix)
	}
	return bytes.HasPrefix(e.name, modulePrefix)
}

// plumbing is where PyTorch calls a module's forward, which the module's name says better.
var plumbing = []byte("torch/nn/modules/module.py(")

// hostThread is what the framework did on one thread of the host. Of a stack of operators
// only the outermost is kept, which is a third of them: aten::conv2d, and not the
// aten::convolution and what else it calls.
type hostThread struct {
	pid       int64
	id        int32
	ops       list[trace.Range]
	top       trace.Interval    // of the operator that came last
	modules   list[trace.Range] // all of them: they are nested, and each is asked for
	functions list[trace.Range] // Python functions that are no modules, of longFunction at least
}

type threadKey struct {
	pid int64
	tid int32
}

// thread returns what is known of an event's thread.
func (c *collector) thread(e *event) *hostThread {
	pid, _ := integer(e.pid)
	key := threadKey{pid, thread(e.tid)}
	if t := c.lastThread; t != nil && t.pid == key.pid && t.id == key.tid {
		return t
	}
	t := c.threads[key]
	if t == nil {
		t = &hostThread{pid: key.pid, id: key.tid}
		c.threads[key] = t
	}
	c.lastThread = t
	return t
}

// addOperator keeps an operator, a module or a function. None says what the profiler observed,
// nor makes a process: what steps and waits are found in stays the same with them.
func (c *collector) addOperator(e *event) {
	c.framework++
	start, ok := e.begins()
	if !ok || start < earliest || start > latest {
		c.faulty.noTime(e)
		return
	}
	dur, ok := e.lasts()
	if !ok || dur < 0 {
		dur = 0
		c.faulty.noEnd(e, "")
	}
	end := start + dur
	if dur > longest || end < start {
		c.faulty.noTime(e)
		return
	}
	if e.kind == kindPython && !e.module() {
		if !bytes.HasPrefix(e.name, plumbing) {
			t := c.thread(e)
			t.functions.push(c.room, trace.Range{Start: start, End: end, Name: c.functionName(e.name), Thread: t.id})
		}
		return
	}
	h := c.framed(e)
	t, x := h.on, trace.Interval{Start: start, End: end}
	if e.kind == kindPython {
		t.modules.push(c.room, trace.Range{Start: start, End: end, Name: c.operatorID(e, h), Thread: t.id})
		return
	}
	if inside(x, t.top) {
		return
	}
	if h.calls {
		// Profilers of 2021 write an operator behind those that it called.
		for o := t.ops.top(); o != nil && inside(trace.Interval{Start: o.Start, End: o.End}, x); o = t.ops.top() {
			t.ops.pop()
		}
		t.top = x
	}
	t.ops.push(c.room, trace.Range{Start: start, End: end, Name: c.operatorID(e, h), Thread: t.id})
}

// framed is where an operator or a module is, and whether it hides what runs within it.
func (c *collector) framed(e *event) *hostFacts {
	h := c.facts(e)
	if h.on == nil {
		h.on, h.calls = c.thread(e), calls(e.name)
	}
	return h
}

// operatorID is operatorName of an event of which h is known.
func (c *collector) operatorID(e *event, h *hostFacts) trace.NameID {
	if !h.known {
		h.name, h.known = c.operatorName(e.name), true
	}
	return h.name
}

// operatorName is rangeName for names of which there are few. They are looked up as
// they stand in the file, since even to look for escapes in them costs as much as a
// third of reading the event.
func (c *collector) operatorName(raw []byte) trace.NameID {
	id, ok := c.operatorNames[string(raw)]
	if !ok {
		id = c.rangeName(raw)
		if len(c.operatorNames) < maxOperatorNames {
			c.operatorNames[string(raw)] = id
		}
	}
	return id
}

const maxOperatorNames = 1 << 12

// functionName is the name of a Python function, which is looked up likewise.
func (c *collector) functionName(raw []byte) trace.NameID {
	id, ok := c.functionNames[string(raw)]
	if !ok {
		id = c.names.ID(pythonFunction(string(c.clean(raw))))
		if len(c.functionNames) < maxOperatorNames {
			c.functionNames[string(raw)] = id
		}
	}
	return id
}

// pythonFunction is what people call a Python function: "forward (layer.py)" for
// "vllm/attention/layer.py(290): forward". The line changes with every edit, the folder
// can name a user, and of a built-in function the object has another address each time.
func pythonFunction(name string) string {
	if file, function, ok := strings.Cut(name, "): "); ok {
		if i := strings.LastIndexByte(file, '('); i >= 0 {
			file = file[:i]
		}
		return function + " (" + file[strings.LastIndexAny(file, `/\`)+1:] + ")"
	}
	for _, kind := range []string{"<built-in method ", "<built-in function "} {
		if rest, ok := strings.CutPrefix(name, kind); ok {
			rest, _, _ = strings.Cut(rest, " of ")
			return strings.TrimSuffix(rest, ">") + " (built-in)"
		}
	}
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// inside reports whether a is a part of b. Of equal ones neither is; outermost decides.
func inside(a, b trace.Interval) bool {
	return b.Start <= a.Start && a.End <= b.End && a != b
}

// calls reports whether an operator of this name hides what runs within it: those of a
// namespace (aten::linear, autograd::engine::evaluate_function: …) and the nodes of
// autograd. Others are names that a program gave to a stretch of its own, and what runs
// in that is worth knowing.
func calls(name []byte) bool {
	return bytes.HasPrefix(name, atenPrefix) || bytes.Contains(name, []byte("::")) || bytes.Contains(name, []byte("Backward"))
}

var atenPrefix = []byte("aten::") // nearly all of them

// operators are the outermost operators and the modules of a process, in order of start;
// without those that are there as ranges too.
func (c *collector) operators(pid int64, ranges []trace.Range) []trace.Range {
	out := c.ofThreads(pid, func(t *hostThread) [][]trace.Range {
		return [][]trace.Range{c.outermost(t.ops.all()), t.modules.all()}
	})
	t := trace.Trace{Ops: out}
	t.Sort() // threads came in any order
	at := 0
	return slices.DeleteFunc(slices.Compact(t.Ops), func(r trace.Range) bool {
		for at < len(ranges) && ranges[at].Start < r.Start {
			at++
		}
		if at == len(ranges) || ranges[at].Start > r.Start {
			return false
		}
		_, twice := slices.BinarySearchFunc(ranges[at:], r, func(a, b trace.Range) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Thread, b.Thread))
		})
		return twice
	})
}

// ofThreads are lists of the threads of a process as one, in any order. One that is
// alone, as it mostly is, is not copied.
func (c *collector) ofThreads(pid int64, lists func(*hostThread) [][]trace.Range) []trace.Range {
	var parts [][]trace.Range
	for _, t := range c.threads {
		if t.pid == pid {
			parts = append(parts, lists(t)...)
		}
	}
	parts = slices.DeleteFunc(parts, func(s []trace.Range) bool { return len(s) == 0 })
	if len(parts) == 1 {
		return parts[0]
	}
	return slices.Concat(parts...)
}

// functions are the long Python functions of a process, in order of start.
func (c *collector) functions(pid int64) []trace.Range {
	out := c.ofThreads(pid, func(t *hostThread) [][]trace.Range { return [][]trace.Range{t.functions.all()} })
	t := trace.Trace{Functions: out}
	t.Sort() // threads came in any order
	return slices.Compact(t.Functions)
}

// outermost leaves the operators of a thread that none of the others called. Where two
// are equally long, which whole microseconds make of a call now and then, the shorter
// name is taken for the caller's: aten::conv2d calls aten::convolution.
func (c *collector) outermost(ops []trace.Range) []trace.Range {
	text := c.names.Text
	callers := func(a, b trace.Range) int {
		switch {
		case a.Start != b.Start:
			return cmp.Compare(a.Start, b.Start)
		case a.End != b.End:
			return cmp.Compare(b.End, a.End)
		}
		x, y := text(a.Name), text(b.Name)
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	}
	if !slices.IsSortedFunc(ops, callers) { // as they came, nearly always
		slices.SortFunc(ops, callers)
	}
	kept, covered := ops[:0], int64(trace.NoTime)
	for _, r := range ops {
		if r.End <= covered {
			continue
		}
		kept = append(kept, r)
		if calls([]byte(text(r.Name))) {
			covered = r.End
		}
	}
	return kept
}
