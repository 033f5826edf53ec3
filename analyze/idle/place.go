package idle

import (
	"slices"
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Where the host is, is added up in evenly spaced steps only, since it hardly differs from
// step to step: in at most maxPlacedSteps of a rank, which together hold at most
// maxPlacedSpans spans of the device, or in one.
const (
	maxPlacedSteps = 64
	maxPlacedSpans = 20_000
)

// maxGapPlaces is how many places of the host are kept with a gap.
const maxGapPlaces = 3

// modulePrefix begins the names of a framework's operators that are modules.
const modulePrefix = "nn.Module: "

// programPlace is where in the program a thread is: in the outermost operator or, outside of
// operators, in the innermost function; and in the innermost module.
type programPlace struct{ operator, function, module trace.NameID }

// hostLocator finds where in the program the host is while the device idles, step after step.
type hostLocator struct {
	names                                        *trace.Names
	operatorRanges, moduleRanges, functionRanges nestedRanges
	stepReady                                    bool // the ranges below were cut for this step
	lo, hi                                       int64
	sums                                         map[programPlace]int64 // ns, in the steps that are looked at
	steps                                        int
}

// newHostLocator looks up places in the operators and functions of the threads that count; nil if none were recorded.
// It does not copy them: a trace has as many of them as kernels.
func newHostLocator(h *hostWork) *hostLocator {
	t := h.process.trace
	if len(t.Ops)+len(t.Functions) == 0 {
		return nil
	}
	counts, module := h.threadCounts(), t.Names.Ask(func(name string) bool { return strings.HasPrefix(name, modulePrefix) })
	return &hostLocator{
		names:          t.Names,
		sums:           map[programPlace]int64{},
		operatorRanges: nestedRanges{list: t.Ops, include: func(x *trace.Range) bool { return !module(x.Name) && counts(x) }},
		moduleRanges:   nestedRanges{list: t.Ops, include: func(x *trace.Range) bool { return module(x.Name) && counts(x) }},
		functionRanges: nestedRanges{list: t.Functions, include: counts},
	}
}

// beginStep goes on to the step [lo, hi). What is in it is looked up when the first gap asks.
func (p *hostLocator) beginStep(lo, hi int64) { p.lo, p.hi, p.stepReady = lo, hi, false }

// locate calls add with each place of the host in the stretches, and for how many ns it is
// there. The stretches of a step come in order of time, over all calls.
func (p *hostLocator) locate(stretches interval.Set, add func(programPlace, int64)) {
	if !p.stepReady {
		p.stepReady = true
		for _, n := range []*nestedRanges{&p.operatorRanges, &p.moduleRanges, &p.functionRanges} {
			n.flatten(p.lo, p.hi)
		}
	}
	for _, s := range stretches {
		for at := s.Start; at < s.End; {
			var in programPlace
			end := s.End
			for _, x := range []struct {
				*nestedRanges
				to *trace.NameID
			}{{&p.operatorRanges, &in.operator}, {&p.moduleRanges, &in.module}, {&p.functionRanges, &in.function}} {
				name, until := x.innermostAt(at)
				*x.to, end = name, min(end, until)
			}
			if in.operator != 0 {
				in.function = 0
			}
			if in != (programPlace{}) {
				add(in, end-at)
			}
			at = end
		}
	}
}

// readable turns sums in ns into at most so many places with their names, the longest first.
func (p *hostLocator) readable(sums map[programPlace]int64, most int) []run.HostPlace {
	var out []run.HostPlace
	for in, ns := range sums {
		out = append(out, run.HostPlace{
			Operator: kernelname.CanonicalRange(p.names.Text(in.operator)), Function: p.names.Text(in.function),
			Module: moduleClass(p.names.Text(in.module)), Time: ns,
		})
	}
	out = run.MergeHostPlaces(nil, out)
	return out[:min(most, len(out))]
}

// moduleClass returns the name of a module without the number of its instance: "Linear" of
// "nn.Module: Linear_3".
func moduleClass(name string) string {
	name = strings.TrimPrefix(name, modulePrefix)
	if i := strings.LastIndexByte(name, '_'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return name
}

// placedSteps returns the indices of the steps in which it is added up where the host is, for a
// capture with that many spans of the device.
func placedSteps(steps []trace.Step, work int) map[int]bool {
	var kept []int
	for i, s := range steps {
		if s.Dropped == "" && s.Start != trace.NoTime && s.End > s.Start {
			kept = append(kept, i)
		}
	}
	out := map[int]bool{}
	every := max(1, (len(kept)+maxPlacedSteps-1)/maxPlacedSteps, work/maxPlacedSpans)
	for i := 0; i < len(kept); i += every {
		out[kept[i]] = true
	}
	return out
}

// nestedRanges are ranges within each other. At any time the innermost one counts.
type nestedRanges struct {
	list     []trace.Range             // in order of start
	include  func(x *trace.Range) bool // which of them count; nil: all
	next     int                       // the first that no window has reached
	open     []trace.Range             // those of the window, in order of start
	stack    []trace.Range
	flat     []trace.Range // the window cut into stretches that each have one name
	nextFlat int           // index of the first that ends after the last time that was asked for
}

// flatten cuts [lo, hi) into stretches with one innermost range each. Windows come in order of
// lo.
func (n *nestedRanges) flatten(lo, hi int64) {
	n.open = slices.DeleteFunc(n.open, func(x trace.Range) bool { return x.End <= lo })
	for ; n.next < len(n.list) && n.list[n.next].Start < hi; n.next++ {
		if x := &n.list[n.next]; x.End > lo && (n.include == nil || n.include(x)) {
			n.open = append(n.open, *x)
		}
	}
	n.flat, n.stack, n.nextFlat = n.flat[:0], n.stack[:0], 0
	at := lo
	upTo := func(t int64) {
		if k := len(n.stack); k > 0 && min(t, n.stack[k-1].End, hi) > at {
			n.flat = append(n.flat, trace.Range{Start: at, End: min(t, n.stack[k-1].End, hi), Name: n.stack[k-1].Name})
			at = n.flat[len(n.flat)-1].End
		}
	}
	for _, x := range n.open {
		for len(n.stack) > 0 && n.stack[len(n.stack)-1].End <= x.Start {
			upTo(x.Start)
			n.stack = n.stack[:len(n.stack)-1]
		}
		upTo(x.Start)
		at = max(at, min(x.Start, hi))
		n.stack = append(n.stack, x)
	}
	for ; len(n.stack) > 0; n.stack = n.stack[:len(n.stack)-1] {
		upTo(hi)
	}
}

// innermostAt returns the name of the innermost range at a time, 0 if there is none, and until when
// that holds. Times come in order.
func (n *nestedRanges) innermostAt(t int64) (trace.NameID, int64) {
	for n.nextFlat < len(n.flat) && n.flat[n.nextFlat].End <= t {
		n.nextFlat++
	}
	switch {
	case n.nextFlat == len(n.flat):
		return 0, 1<<63 - 1
	case n.flat[n.nextFlat].Start > t:
		return 0, n.flat[n.nextFlat].Start
	}
	return n.flat[n.nextFlat].Name, n.flat[n.nextFlat].End
}

// findFrameworkTime returns when threads that count are in operators, modules or functions. An operator or module as
// long as a step is left out, as it says no more than the step's range; a function of any length says that the host
// runs the program.
func (h *hostWork) findFrameworkTime(longest int64) interval.Set {
	t := h.process.trace
	counts := h.threadCounts()
	functions := unionOf(t.Functions, counts)
	ops := unionOf(t.Ops, func(x *trace.Range) bool { return (longest == 0 || x.End-x.Start < longest) && counts(x) })
	switch {
	case len(functions) == 0:
		return ops
	case len(ops) == 0:
		return functions
	}
	return interval.Union(nil, ops, functions)
}

// threadCounts returns a function that tells whether the thread of an operator or function
// counts. It is fast where ranges of one thread follow each other, as they mostly do.
func (h *hostWork) threadCounts() func(*trace.Range) bool {
	last, does, asked := int32(0), false, false
	return func(x *trace.Range) bool {
		if x.Thread != last || !asked {
			last, does, asked = x.Thread, h.threads.has(x.Thread), true
		}
		return does
	}
}

// unionOf returns when any range of a sorted list that counts is open. It goes through the list twice, to make room
// first: a set that grows takes three times the memory.
func unionOf(list []trace.Range, counts func(*trace.Range) bool) interval.Set {
	apart, end := 0, trace.NoTime
	for i := range list {
		if x := &list[i]; x.End > x.Start && x.End > end && counts(x) {
			if x.Start > end {
				apart++
			}
			end = x.End
		}
	}
	if apart == 0 {
		return nil
	}
	out := make(interval.Set, 0, apart)
	for i := range list {
		if x := &list[i]; counts(x) {
			out = out.Add(x.Start, x.End)
		}
	}
	return out
}
