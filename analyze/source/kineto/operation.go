package kineto

import (
	"cmp"
	"slices"

	"perfdiff/analyze/flop"
	"perfdiff/analyze/trace"
)

// countedCall is the work of calls of one operator with arguments of one form.
type countedCall struct {
	flop.Call
	of *flop.Operator
}

// counting counts the work of the calls of a file.
type counting struct {
	flop.Counter
	args    flop.Args // of the current call; its room is used again
	numbers []float64
	sized   bool // some call said the sizes of its arguments
	without int  // calls before that did not
	calls   []countedCall
}

// triedForSizes is the number of operators without sizes after which none is looked for any more: a profiler that was
// asked to record them records them from the start.
const triedForSizes = 256

// operator returns the operator whose work is counted, nil for any other event.
func (e *event) operator() *flop.Operator {
	switch {
	case e.kind != kindOp || e.skipSizes:
		return nil
	case e.head != nil:
		return e.head.operator
	}
	return flop.Of(string(e.name))
}

// addOperation counts a call on a thread.
func (c *collector) addOperation(e *event, t *hostThread, of *flop.Operator, at trace.Interval) {
	n := &c.counted
	if e.sizes == nil && e.counted == 0 {
		n.without++
		e.skipSizes = !n.sized && n.without >= triedForSizes
		return
	}
	n.sized = true
	call := e.counted - 1
	if call < 0 {
		n.read(e)
		call = int32(len(n.calls))
		n.calls = append(n.calls, countedCall{n.Count(of, &n.args), of})
		if e.head != nil {
			e.head.forms.learn(e.form, call)
		}
	}
	t.operations.Push(c.room, trace.Operation{Start: at.Start, End: at.End, Thread: t.id, Work: call})
}

// read sets the arguments to those of an event.
func (n *counting) read(e *event) {
	n.readSizes(e)
	n.args.Types, n.args.Values = n.args.Types[:0], n.args.Values[:0]
	eachText(e.types, func(text []byte) {
		n.args.Types = append(n.args.Types, trace.NumberTypeOf(string(text)))
	})
	eachText(e.values, func(text []byte) {
		n.args.Values = append(n.args.Values, string(text))
	})
}

// maxArguments is how many arguments of an operator are read. Those that count have fewer.
const maxArguments = 32

// appendSizes reads "[[32, 3, 224, 224], [], [[4, 5]]]": the sizes of each argument, nil for one
// without any, for a list of tensors, and for anything else than whole numbers up to 2^53.
// numbers is the room that they are in.
func appendSizes(out [][]float64, numbers []float64, list []byte) ([][]float64, []float64) {
	depth, from, ok := 0, 0, true
	for i := 0; i < len(list) && len(out) < maxArguments; i++ {
		switch b := list[i]; {
		case b == '[':
			if depth++; depth == 2 {
				from, ok = len(numbers), true
			} else if depth > 2 {
				ok = false
			}
		case b == ']':
			if depth--; depth == 1 {
				if !ok || from == len(numbers) {
					out = append(out, nil)
				} else {
					out = append(out, numbers[from:len(numbers):len(numbers)])
				}
			}
		case b-'0' <= 9:
			v := 0.0
			for ; i < len(list) && list[i]-'0' <= 9; i++ {
				v = float64(v*10) + float64(list[i]-'0')
			}
			i--
			ok = ok && v <= flop.Largest
			numbers = append(numbers, v)
		case b != ',' && b > ' ':
			ok = false // a sign, a fraction, a text
		}
	}
	return out, numbers
}

// eachText goes through the items of a list of texts; one that is no text counts as empty.
func eachText(list []byte, do func([]byte)) {
	if len(list) < 2 || list[0] != '[' {
		return
	}
	i := 1
	for range maxArguments {
		if i = skipSpace(list, i); i >= len(list) || list[i] == ']' {
			return
		}
		v, end, str, err := scalarAt(list, i)
		if err != nil {
			return
		}
		if !str {
			v = nil
		}
		do(v)
		if i = skipSpace(list, end); i >= len(list) || list[i] != ',' {
			return
		}
		i++
	}
}

// operations returns the calls of a process whose work is counted, in order of start. Of nested calls one counts. Work
// is an index into what works returns.
func (c *collector) operations(pid int64) (out []trace.Operation) {
	n := &c.counted
	for i := range n.calls {
		n.Settle(&n.calls[i].Call)
	}
	for _, t := range c.threads {
		if t.pid == pid && t.operations.Len() > 0 {
			out = mergeOperations(out, n.settled(t.operations.All()))
		}
	}
	return out
}

// works returns the work of all calls, two entries for each: with one gradient, and with two.
func (n *counting) works() []trace.Work {
	out := make([]trace.Work, 0, 2*len(n.calls))
	for i := range n.calls {
		out = append(out, trace.Work(n.calls[i].Work), trace.Work(n.calls[i].Times(2)))
	}
	return out
}

// mergeOperations joins the calls of two sets of threads, each in order.
func mergeOperations(a, b []trace.Operation) []trace.Operation {
	if len(a) == 0 {
		return b
	}
	out := make([]trace.Operation, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if cmp.Or(cmp.Compare(a[0].Start, b[0].Start), cmp.Compare(a[0].Thread, b[0].Thread)) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// nestedCall says how a call is nested among the calls of its thread.
type nestedCall struct {
	parent    int32         // index of the one that it lies in, -1 none
	gradients flop.Gradient // that calls within it compute
	hasInner  bool          // calls within it are counted, or tried
	innerKnow bool          // and one of them is known
	counts    bool          // it is one of those that count
}

// settled returns the calls of a thread that count, sorted, in the memory of the list. A composite operator and those
// that it calls do the same work: the innermost known one counts, since all its kernels are its own.
func (n *counting) settled(list []trace.Operation) []trace.Operation {
	inOrder := func(a, b trace.Operation) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(n.calls[a.Work].of.Gradient, n.calls[b.Work].of.Gradient))
	}
	if !slices.IsSortedFunc(list, inOrder) { // as they came, nearly always
		slices.SortStableFunc(list, inOrder)
	}
	calls := n.nested(list)
	for i := range calls {
		x := &calls[i]
		x.counts = n.calls[list[i].Work].of.Gradient == 0 && !x.innerKnow &&
			(n.known(list[i]) || !x.hasInner && !n.knownAround(list, calls, i))
	}
	kept := list[:0]
	for i, x := range list {
		if !calls[i].counts {
			continue
		}
		call := &n.calls[x.Work]
		x.Work *= 2
		if call.Both && gradientsIn(cmp.Or(call.Gradients, calls[i].gradients)) == 2 {
			x.Work++
		}
		kept = append(kept, x)
	}
	return kept
}

// known reports whether it is known what a call computes.
func (n *counting) known(x trace.Operation) bool { return n.calls[x.Work].FLOPs > 0 }

// maxNesting is how many calls around one are looked at. Composite operators are four deep.
const maxNesting = 16

// nested finds which calls lie in which, of a list in order of start with the longer first.
func (n *counting) nested(list []trace.Operation) []nestedCall {
	calls := make([]nestedCall, len(list))
	open := int32(-1)
	for i, x := range list {
		for open >= 0 && (list[open].End < x.End || list[open].End <= x.Start) {
			open = calls[open].parent
		}
		calls[i].parent = open
		gradient, known := n.calls[x.Work].of.Gradient, n.known(x)
		for p, depth := open, 0; p >= 0 && depth < maxNesting; p, depth = calls[p].parent, depth+1 {
			if gradient != 0 {
				calls[p].gradients |= gradient
				continue
			}
			calls[p].hasInner = true
			calls[p].innerKnow = calls[p].innerKnow || known
		}
		open = int32(i)
	}
	return calls
}

// knownAround reports whether a call lies in one that is known and counts.
func (n *counting) knownAround(list []trace.Operation, calls []nestedCall, i int) bool {
	for p, depth := calls[i].parent, 0; p >= 0 && depth < maxNesting; p, depth = calls[p].parent, depth+1 {
		if n.known(list[p]) && !calls[p].innerKnow {
			return true
		}
	}
	return false
}

// gradientsIn returns how many gradients a set holds: both where it is not known.
func gradientsIn(g flop.Gradient) int {
	if g == flop.OfInput || g == flop.OfFilter {
		return 1
	}
	return 2
}
