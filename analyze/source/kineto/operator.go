package kineto

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// modulePrefix begins the name that the Python tracer gives to a module's forward: "nn.Module:
// Linear_3".
var modulePrefix = []byte("nn.Module: ")

// isModule reports whether a Python function is the forward of a module.
func (e *event) isModule() bool {
	if bytes.IndexByte(e.name, '\\') >= 0 {
		return bytes.HasPrefix(unescapeText(nil, e.name), modulePrefix)
	}
	return bytes.HasPrefix(e.name, modulePrefix)
}

// moduleCallPrefix begins the functions through which PyTorch calls a module's forward. They
// are not kept, since the module's name says more.
var moduleCallPrefix = []byte("torch/nn/modules/module.py(")

// hostThread holds the framework's work on one thread of the host. Of nested operators only the outermost is kept,
// which is a third of them: aten::conv2d without the aten::convolution and others that it calls.
type hostThread struct {
	pid          int64
	id           int32
	ops          build.List[trace.Range]
	lastOperator trace.Interval              // the operator that came last
	modules      build.List[trace.Range]     // all of them, although they are nested
	functions    build.List[trace.Range]     // Python functions of at least longFunction that are no modules
	operations   build.List[trace.Operation] // operators whose work is counted, all of them; Work is an index in counting.calls
	started      build.List[startedCollective]
}

type threadKey struct {
	pid int64
	tid int32
}

// thread returns the thread of an event.
func (c *hostThreads) thread(e *event) *hostThread {
	pid, _ := integer(e.pid)
	key := threadKey{pid, threadID(e.tid)}
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

// addOperator keeps an operator, a module or a function. It changes neither the observed time
// nor the list of processes: steps and waits are found in the same events with and without
// operators.
func (c *collector) addOperator(e *event) {
	c.framework++
	start, ok := e.startTime()
	if !ok || start < earliest || start > latest {
		c.badTimes.countNoTime(e)
		return
	}
	dur, ok := e.duration()
	if !ok || dur < 0 {
		dur = 0
		c.badTimes.countNoDuration(e, "")
	}
	end := start + dur
	if dur > maxDuration || end < start {
		c.badTimes.countNoTime(e)
		return
	}
	if e.kind == kindPython && !e.isModule() {
		if !bytes.HasPrefix(e.name, moduleCallPrefix) {
			t := c.thread(e)
			t.functions.Push(c.room, trace.Range{Start: start, End: end, Name: c.functionName(e.name), Thread: t.id})
		}
		return
	}
	h := c.frameFacts(e)
	t, x := h.hostThread, trace.Interval{Start: start, End: end}
	if e.kind == kindPython {
		t.modules.Push(c.room, trace.Range{Start: start, End: end, Name: c.operatorID(e, h), Thread: t.id})
		return
	}
	if o := e.operator(); o != nil {
		c.addOperation(e, t, o, x)
	}
	if inside(x, t.lastOperator) {
		return
	}
	if h.hidesInner {
		// Profilers of 2021 write an operator behind those that it called.
		for o := t.ops.Top(); o != nil && inside(trace.Interval{Start: o.Start, End: o.End}, x); o = t.ops.Top() {
			t.ops.Pop()
		}
		t.lastOperator = x
	}
	t.ops.Push(c.room, trace.Range{Start: start, End: end, Name: c.operatorID(e, h), Thread: t.id})
}

// frameFacts returns the thread of an operator or a module, and whether it hides what runs inside
// it.
func (c *collector) frameFacts(e *event) *hostFacts {
	h := c.headFacts(e)
	if h.hostThread == nil {
		h.hostThread, h.hidesInner = c.thread(e), hidesInner(e.name)
	}
	return h
}

// operatorID does what operatorName does for an event with facts h.
func (c *collector) operatorID(e *event, h *hostFacts) trace.NameID {
	if !h.known {
		h.name, h.known = c.operatorName(e.name), true
	}
	return h.name
}

// operatorName does what rangeName does for a set of few names. They are looked up as they stand in the
// file: merely looking for escapes in them would cost a third of reading the event.
func (c *texts) operatorName(raw []byte) trace.NameID {
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

// functionName returns the id of a Python function's name, which is looked up as it stands in the
// file too.
func (c *texts) functionName(raw []byte) trace.NameID {
	id, ok := c.functionNames[string(raw)]
	if !ok {
		id = c.names.ID(pythonFunction(string(c.unescape(raw))))
		if len(c.functionNames) < maxOperatorNames {
			c.functionNames[string(raw)] = id
		}
	}
	return id
}

// pythonFunction returns the short name of a Python function: "forward (layer.py)" for
// "vllm/attention/layer.py(290): forward". Line numbers change with every edit, folders can
// name a user, and built-in functions hold an address that differs each time.
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

// inside reports whether a is a part of b. Of two equal intervals neither is; outermost decides
// about those.
func inside(a, b trace.Interval) bool {
	return b.Start <= a.Start && a.End <= b.End && a != b
}

// hidesInner reports whether an operator of this name hides what runs inside it. Operators of a namespace
// (aten::linear, autograd::engine::evaluate_function: …) and the nodes of autograd do. Other names come from the
// program, and the operators inside of them are worth knowing.
func hidesInner(name []byte) bool {
	return bytes.HasPrefix(name, atenPrefix) || bytes.Contains(name, []byte("::")) || bytes.Contains(name, []byte("Backward"))
}

var atenPrefix = []byte("aten::") // nearly all of them

// operators returns the outermost operators and the modules of a process, in order of start, without those that were
// recorded as ranges too.
func (c *hostThreads) operators(pid int64, ranges []trace.Range) []trace.Range {
	out := c.joinThreads(pid, func(t *hostThread) [][]trace.Range {
		return [][]trace.Range{c.outermost(t.ops.All()), t.modules.All()}
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

// joinThreads joins the lists of the threads of a process, in any order. A single list, which
// is usual, is not copied.
func (c *hostThreads) joinThreads(pid int64, lists func(*hostThread) [][]trace.Range) []trace.Range {
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

// functions returns the long Python functions of a process, in order of start.
func (c *hostThreads) functions(pid int64) []trace.Range {
	out := c.joinThreads(pid, func(t *hostThread) [][]trace.Range { return [][]trace.Range{t.functions.All()} })
	t := trace.Trace{Functions: out}
	t.Sort() // threads came in any order
	return slices.Compact(t.Functions)
}

// outermost returns the operators of a thread that no other operator called. If two have equal times, as happens with
// whole microseconds, the one with the shorter name is taken for the caller: aten::conv2d calls aten::convolution.
func (c *hostThreads) outermost(ops []trace.Range) []trace.Range {
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
		if hidesInner([]byte(text(r.Name))) {
			covered = r.End
		}
	}
	return kept
}
