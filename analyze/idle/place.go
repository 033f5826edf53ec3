package idle

import (
	"slices"
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Where the host is, is added up in so many steps of a rank, evenly taken, which hold so
// much work of the device together at most, or in one: it hardly differs from step to step.
const (
	mostPlaced     = 64
	mostPlacedWork = 20_000
)

// gapPlaces is how many places a gap is told with.
const gapPlaces = 3

// modulePrefix begins the names of modules among a framework's operators.
const modulePrefix = "nn.Module: "

// site is where in the program a thread is: in the outermost operator or, outside of
// operators, in the innermost function; and in the innermost module.
type site struct{ operator, function, module trace.NameID }

// placer tells where the host is while the device idles, step after step.
type placer struct {
	names                       *trace.Names
	operators, modules, callees nest
	asked                       bool // the nests are those of the step
	lo, hi                      int64
	sums                        map[site]int64 // ns, in the steps that are looked at
	steps                       int
}

// newPlacer looks at the operators and functions of the threads that count, which stay
// where they are: a trace has as many of them as kernels.
func newPlacer(h *host) *placer {
	t := h.process.trace
	if len(t.Ops)+len(t.Functions) == 0 {
		return nil
	}
	counts, module := h.counts(), t.Names.Ask(func(name string) bool { return strings.HasPrefix(name, modulePrefix) })
	return &placer{
		names:     t.Names,
		sums:      map[site]int64{},
		operators: nest{list: t.Ops, counts: func(x *trace.Range) bool { return !module(x.Name) && counts(x) }},
		modules:   nest{list: t.Ops, counts: func(x *trace.Range) bool { return module(x.Name) && counts(x) }},
		callees:   nest{list: t.Functions, counts: counts},
	}
}

// begin goes on to the next step. What is in it is looked for when a gap asks.
func (p *placer) begin(lo, hi int64) { p.lo, p.hi, p.asked = lo, hi, false }

// of gives to add where the host is in stretches of the step, which come in order of time
// from call to call.
func (p *placer) of(stretches interval.Set, add func(site, int64)) {
	if !p.asked {
		p.asked = true
		for _, n := range []*nest{&p.operators, &p.modules, &p.callees} {
			n.window(p.lo, p.hi)
		}
	}
	for _, s := range stretches {
		for at := s.Start; at < s.End; {
			var in site
			end := s.End
			for _, x := range []struct {
				*nest
				to *trace.NameID
			}{{&p.operators, &in.operator}, {&p.modules, &in.module}, {&p.callees, &in.function}} {
				name, until := x.at(at)
				*x.to, end = name, min(end, until)
			}
			if in.operator != 0 {
				in.function = 0
			}
			if in != (site{}) {
				add(in, end-at)
			}
			at = end
		}
	}
}

// told are sums as places for people, the longest first.
func (p *placer) told(sums map[site]int64, most int) []run.Place {
	var out []run.Place
	for in, ns := range sums {
		out = append(out, run.Place{
			Operator: kernelname.CanonicalRange(p.names.Text(in.operator)), Function: p.names.Text(in.function),
			Module: moduleClass(p.names.Text(in.module)), Time: ns,
		})
	}
	out = run.AddPlaces(nil, out)
	return out[:min(most, len(out))]
}

// moduleClass is a module without the number of its instance: "Linear" of
// "nn.Module: Linear_3".
func moduleClass(name string) string {
	name = strings.TrimPrefix(name, modulePrefix)
	if i := strings.LastIndexByte(name, '_'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return name
}

// placed are the places of the steps in which it is added up where the host is.
func placed(steps []trace.Step, work int) map[int]bool {
	var kept []int
	for i, s := range steps {
		if s.Dropped == "" && s.Start != trace.NoTime && s.End > s.Start {
			kept = append(kept, i)
		}
	}
	out := map[int]bool{}
	every := max(1, (len(kept)+mostPlaced-1)/mostPlaced, work/mostPlacedWork)
	for i := 0; i < len(kept); i += every {
		out[kept[i]] = true
	}
	return out
}

// nest is stretches within each other, of which the innermost counts.
type nest struct {
	list   []trace.Range             // in order of start
	counts func(x *trace.Range) bool // which of them are in it; nil: all
	next   int                       // the first that no window has reached
	open   []trace.Range             // those of the window, in order of start
	stack  []trace.Range
	flat   []trace.Range // the window cut into stretches that each have one name
	seen   int           // the first of them that ends behind what was asked for last
}

// window makes flat those of [lo, hi). Windows come in order of lo.
func (n *nest) window(lo, hi int64) {
	n.open = slices.DeleteFunc(n.open, func(x trace.Range) bool { return x.End <= lo })
	for ; n.next < len(n.list) && n.list[n.next].Start < hi; n.next++ {
		if x := &n.list[n.next]; x.End > lo && (n.counts == nil || n.counts(x)) {
			n.open = append(n.open, *x)
		}
	}
	n.flat, n.stack, n.seen = n.flat[:0], n.stack[:0], 0
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

// at is the name at a time, 0 where there is none, and until when that is so. Times are
// asked for in order.
func (n *nest) at(t int64) (trace.NameID, int64) {
	for n.seen < len(n.flat) && n.flat[n.seen].End <= t {
		n.seen++
	}
	switch {
	case n.seen == len(n.flat):
		return 0, 1<<63 - 1
	case n.flat[n.seen].Start > t:
		return 0, n.flat[n.seen].Start
	}
	return n.flat[n.seen].Name, n.flat[n.seen].End
}

// frameworkTime is when threads that count are in operators, modules or functions. An
// operator or a module as long as a step says as little as the step's range; a function
// says that the host runs the program, however long it is.
func (h *host) frameworkTime(longest int64) interval.Set {
	t := h.process.trace
	counts := h.counts()
	functions := timeOf(t.Functions, counts)
	ops := timeOf(t.Ops, func(x *trace.Range) bool { return (longest == 0 || x.End-x.Start < longest) && counts(x) })
	switch {
	case len(functions) == 0:
		return ops
	case len(ops) == 0:
		return functions
	}
	return interval.Union(nil, ops, functions)
}

// counts tells whether an operator's or function's thread counts. Those of a thread
// mostly come one after the other.
func (h *host) counts() func(*trace.Range) bool {
	last, does, asked := int32(0), false, false
	return func(x *trace.Range) bool {
		if x.Thread != last || !asked {
			last, does, asked = x.Thread, h.threads.has(x.Thread), true
		}
		return does
	}
}

// timeOf is when any of those that count is, of a list in order of start. They are
// counted before they are kept: a set that grows takes three times the memory.
func timeOf(list []trace.Range, counts func(*trace.Range) bool) interval.Set {
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
