package kineto

import (
	"cmp"
	"slices"

	"perfdiff/analyze/flop"
	"perfdiff/analyze/trace"
)

// operation is one call of an operator whose work is counted.
type operation struct {
	trace.Interval
	of   *flop.Operator
	call flop.Call
}

// counting is what is counted of the calls of a file.
type counting struct {
	flop.Counter
	args    flop.Args // of the current call; its room is used again
	numbers []float64
	sized   bool // some call said the sizes of its arguments
	without int  // calls before that did not
}

// triedForSizes is after how many operators without sizes none is looked for any more: a profiler
// that was asked to record them records them from the start.
const triedForSizes = 256

// operator is the operator whose work is counted, nil of any other event.
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
	if e.sizes == nil {
		n.without++
		e.skipSizes = !n.sized && n.without >= triedForSizes
		return
	}
	n.sized = true
	n.read(e)
	t.operations.push(c.room, operation{at, of, n.Count(of, &n.args)})
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

// operations are the calls of a process whose work is counted, in order of start. Of calls within
// each other one counts.
func (c *collector) operations(pid int64) (out []trace.Operation) {
	for _, t := range c.threads {
		if t.pid != pid || t.operations.len() == 0 {
			continue
		}
		for _, x := range c.settled(t.operations.all()) {
			x.Thread = t.id
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b trace.Operation) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.End, b.End), cmp.Compare(a.FLOPs, b.FLOPs))
	})
	return out
}

// nestedCall is a call with those that it lies in.
type nestedCall struct {
	*operation
	work      flop.Work
	parent    int           // index, -1 none
	gradients flop.Gradient // that calls within it compute
	hasInner  bool          // calls within it are counted, or tried
	innerKnow bool          // and one of them is known
}

// settled are the calls of a thread that count. A composite operator and those that it calls do
// the same work: the innermost that is known counts, whose kernels are all its own.
func (c *collector) settled(list []operation) (out []trace.Operation) {
	slices.SortStableFunc(list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.of.Gradient, b.of.Gradient))
	})
	calls := c.nested(list)
	for i := range calls {
		x := &calls[i]
		w := x.work
		if x.of.Gradient != 0 || x.innerKnow || !(w.FLOPs > 0) && (x.hasInner || knownAround(calls, i)) {
			continue
		}
		if x.call.Both {
			w = w.Times(gradientsIn(cmp.Or(x.call.Gradients, x.gradients)))
		}
		out = append(out, trace.Operation{Start: x.Start, End: x.End, Type: w.Type, FLOPs: w.FLOPs, Bytes: w.Bytes})
	}
	return out
}

// maxNesting is how many calls around one are looked at. Composite operators are four deep.
const maxNesting = 16

// nested finds which calls lie in which, of a list in order of start with the longer first.
func (c *collector) nested(list []operation) []nestedCall {
	calls := make([]nestedCall, len(list))
	open := -1
	for i := range list {
		x := &calls[i]
		*x = nestedCall{operation: &list[i], work: c.counted.Settled(&list[i].call)}
		for open >= 0 && calls[open].End < x.End {
			open = calls[open].parent
		}
		for open >= 0 && calls[open].End <= x.Start {
			open = calls[open].parent
		}
		x.parent = open
		for p, depth := open, 0; p >= 0 && depth < maxNesting; p, depth = calls[p].parent, depth+1 {
			if x.of.Gradient != 0 {
				calls[p].gradients |= x.of.Gradient
				continue
			}
			calls[p].hasInner = true
			calls[p].innerKnow = calls[p].innerKnow || x.work.FLOPs > 0
		}
		open = i
	}
	return calls
}

// knownAround reports whether a call lies in one that is known and counts.
func knownAround(calls []nestedCall, i int) bool {
	for p, depth := calls[i].parent, 0; p >= 0 && depth < maxNesting; p, depth = calls[p].parent, depth+1 {
		if calls[p].work.FLOPs > 0 && !calls[p].innerKnow {
			return true
		}
	}
	return false
}

// gradientsIn is how many gradients a set holds: both where it is not known.
func gradientsIn(g flop.Gradient) int {
	if g == flop.OfInput || g == flop.OfFilter {
		return 1
	}
	return 2
}
