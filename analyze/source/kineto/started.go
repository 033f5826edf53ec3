package kineto

import (
	"bytes"
	"cmp"
	"slices"

	"perfdiff/analyze/flop"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// Kernels of collectives say how much they send from PyTorch 2.3 on. Before, only the host knew:
// PyTorch starts a collective within a range of its own ("nccl:all_reduce", ProcessGroupNCCL.cpp)
// whose arguments are what the rank puts in, and which stands in the operator that was called
// ("c10d::alltoall_base_"), whose first arguments are what comes out and what is put in. Both
// say so where the profiler was asked to record shapes.

// startedCollective is what a range or an operator of the host says about a collective that is started within it.
type startedCollective struct {
	trace.Interval
	name    string        // of the collective: "AllToAll"
	in, out startedTensor // what the rank puts in, and what comes out
	kernels int           // of communication that are launched within it
}

// startedTensor describes a tensor among the arguments of a collective.
type startedTensor struct {
	bytes int64  // 0 unknown
	dtype string // as kernels name it: "Float"; "" unknown
}

var (
	ncclPrefix = []byte("nccl:")
	c10dPrefix = []byte("c10d::")
)

// startsCollective reports whether an annotation or an operator is one in which collectives are
// started.
func (e *event) startsCollective() bool {
	switch {
	case e.kind != kindRange && e.kind != kindOp:
		return false
	case e.head != nil:
		return e.head.startsCollective
	}
	return bytes.HasPrefix(e.name, ncclPrefix) || bytes.HasPrefix(e.name, c10dPrefix)
}

// addStarted keeps an event in which a collective is started.
func (c *collector) addStarted(e *event) {
	start, ok := e.startTime()
	length, long := e.duration()
	if !e.isComplete() || !ok || !long || start < earliest || start > latest || length < 0 || length > maxDuration {
		return
	}
	s := startedCollective{Interval: trace.Interval{Start: start, End: start + length}}
	if s.name = kernelname.CollectiveName(string(c.unescape(e.name))); s.name == "Generic" {
		return
	}
	c.counted.readSizes(e)
	if tensors, whole := c.counted.tensors(e); bytes.HasPrefix(e.name, ncclPrefix) {
		if whole {
			s.in = together(tensors)
		}
	} else if len(tensors) > 1 && outComesFirst(s.name) {
		s.out, s.in = tensors[0], tensors[1]
	}
	c.thread(e).started.Push(c.room, s)
}

// outComesFirst reports whether a collective's operators name their output before their input (_allgather_base_,
// alltoall_base_, _reduce_scatter_base_).
func outComesFirst(collective string) bool {
	return collective == "AllGather" || collective == "AllToAll" || collective == "ReduceScatter"
}

// readSizes sets the sizes of the arguments to those of an event.
func (n *counting) readSizes(e *event) {
	n.args.Dims, n.numbers = appendSizes(n.args.Dims[:0], n.numbers[:0], e.sizes)
}

// tensors returns the arguments whose sizes were read. whole is false where there may be more.
func (n *counting) tensors(e *event) (all []startedTensor, whole bool) {
	var types []string
	eachText(e.types, func(text []byte) { types = append(types, scalarTypes[string(text)]) })
	for i, dims := range n.args.Dims[:min(len(n.args.Dims), len(types))] {
		all = append(all, tensorOf(dims, types[i]))
	}
	return all, len(types) == len(n.args.Dims) && len(types) < maxArguments
}

// tensorOf returns a tensor of a size and a type. One without dimensions cannot be told from one whose
// size was not read.
func tensorOf(dims []float64, dtype string) startedTensor {
	bytes := float64(trace.ElementSize(dtype))
	for _, d := range dims {
		bytes = float64(bytes * d)
	}
	if len(dims) == 0 || !(bytes > 0 && bytes <= flop.Largest) {
		return startedTensor{}
	}
	return startedTensor{int64(bytes), dtype}
}

// together adds up tensors that one collective sends; the zero value if one of them is not known or of another type.
func together(all []startedTensor) (sum startedTensor) {
	for i, x := range all {
		if x.bytes == 0 || i > 0 && x.dtype != sum.dtype || sum.bytes+x.bytes > flop.Largest {
			return startedTensor{}
		}
		sum = startedTensor{sum.bytes + x.bytes, x.dtype}
	}
	return sum
}

// scalarTypes are the names of types that arguments of operators have, by C++ (typeMetaToScalarType
// and caffe2::TypeMeta::name), with those that kernels of collectives have (c10::ScalarType).
var scalarTypes = map[string]string{
	"float": "Float", "double": "Double", "bool": "Bool",
	"int": "Int", "long": "Long", "long int": "Long", "short": "Short", "short int": "Short",
	"unsigned char": "Byte", "signed char": "Char",
	"c10::Half": "Half", "c10::BFloat16": "BFloat16", "at::Half": "Half", "at::BFloat16": "BFloat16",
	"c10::Float8_e4m3fn": "Float8_e4m3fn", "c10::Float8_e5m2": "Float8_e5m2",
	"c10::Float8_e4m3fnuz": "Float8_e4m3fnuz", "c10::Float8_e5m2fnuz": "Float8_e5m2fnuz",
	"c10::complex<float>": "ComplexFloat", "c10::complex<double>": "ComplexDouble",
}

// launchedWithin is a communication kernel with the events of the host that it was launched in.
type launchedWithin struct {
	span *trace.Span
	in   []*startedCollective // the innermost first
}

// describeStarted completes what communication kernels say with what the host said where it launched them. owner is
// the process of each device span; the calls of processes are in order.
func (c *collector) describeStarted(owner []int32) {
	started := map[threadKey][]startedCollective{}
	for key, t := range c.threads {
		if all := t.started.All(); len(all) > 0 {
			slices.SortStableFunc(all, func(a, b startedCollective) int {
				return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
			})
			started[key] = all
		}
	}
	if len(started) == 0 {
		return
	}
	d := describer{c.names, &c.messages}
	var found []launchedWithin
	for i := range c.device {
		s := &c.device[i]
		if s.Class != trace.Comm || s.Launch == trace.NoTime || owner[i] < 0 {
			continue
		}
		p := c.procs[owner[i]]
		if thread, ok := d.launchThread(p, s.Launch); ok {
			if in := around(started[threadKey{p.pid, thread}], s.Launch); len(in) > 0 {
				for _, e := range in {
					e.kernels++
				}
				found = append(found, launchedWithin{s, in})
			}
		}
	}
	for _, x := range found {
		d.completeMessage(x)
	}
}

// describer completes what communication kernels say about themselves.
type describer struct {
	names    *trace.Names
	messages *trace.Messages
}

// launchThread returns the thread on which a process called at a time; false where several did.
func (c describer) launchThread(p *process, at int64) (thread int32, ok bool) {
	i, found := slices.BinarySearchFunc(p.api, at, func(x trace.Call, at int64) int { return cmp.Compare(x.Start, at) })
	if !found {
		return 0, false
	}
	for k := i; k < len(p.api) && p.api[k].Start == at; k++ {
		if c.names.Caller(p.api[k]).Thread != c.names.Caller(p.api[i]).Thread {
			return 0, false
		}
	}
	return c.names.Caller(p.api[i]).Thread, true
}

// maxStartedAround is how many events before a launch are searched. PyTorch nests two, and those that follow each
// other do not overlap.
const maxStartedAround = 8

// around returns the events that a launch lies in, the innermost first, of a list in order.
func around(all []startedCollective, at int64) (in []*startedCollective) {
	i, _ := slices.BinarySearchFunc(all, at, func(x startedCollective, at int64) int {
		if x.Start <= at {
			return -1
		}
		return 1
	})
	for k := i - 1; k >= max(i-maxStartedAround, 0); k-- {
		if at < all[k].End {
			in = append(in, &all[k])
		}
	}
	return in
}

// completeMessage gives a kernel the name, size and type of the collective that it was launched
// for, as far as it does not say them itself and nothing contradicts them.
func (c describer) completeMessage(x launchedWithin) {
	s := x.span
	name, ran := x.in[0].name, c.names.Text(c.messages.Coll(s))
	others := func(e *startedCollective) bool { return e.name != name }
	if !runs(ran, name) || slices.ContainsFunc(x.in, others) {
		return
	}
	m := c.messages.Of(s)
	m.Coll = c.names.ID(name)
	c.addTensors(&m, name, x.in)
	s.SetMessage(c.messages.Add(m))
}

// addTensors gives a message without a size the size of the tensors of the started collective with a name.
func (c describer) addTensors(m *trace.Message, name string, started []*startedCollective) {
	in, out, agree := tensorsOf(started)
	if m.Bytes != 0 || !agree {
		return
	}
	sent := in
	if name == "AllGather" {
		sent = out
	}
	dtype := c.names.ID(sent.dtype)
	if sent.bytes == 0 || m.Type != 0 && m.Type != dtype {
		return
	}
	m.Bytes, m.Type = sent.bytes, dtype
	if name == "AllToAll" && m.Received == 0 && out.dtype == sent.dtype {
		m.Received = out.bytes
	}
}

// runs reports whether a kernel of that name can be the collective that the host started: an all-to-all is made of
// sends and receives, and some names do not say what they do.
func runs(ran, started string) bool {
	return ran == started || ran == "Generic" || ran == "SendRecv" && started == "AllToAll"
}

// tensorsOf returns what nested events say that one collective puts in and brings out; false if they do not agree.
func tensorsOf(all []*startedCollective) (in, out startedTensor, agree bool) {
	agree = true
	take := func(to *startedTensor, x startedTensor) {
		switch {
		case x.bytes == 0:
		case to.bytes == 0:
			*to = x
		default:
			agree = agree && *to == x
		}
	}
	for _, x := range all {
		if x.kernels != 1 {
			continue // what it says is of several kernels
		}
		take(&in, x.in)
		take(&out, x.out)
	}
	return in, out, agree
}
