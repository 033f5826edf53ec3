package idle

import (
	"regexp"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// inputRange are the ranges in which a training loop waits for its next
// batch: PyTorch's DataLoader, NVIDIA DALI, and what people call it.
var inputRange = regexp.MustCompile(`(?i)enumerate\(dataloader\)|dataloader\S*__next__|\bdali\b.*(?:run|next|output)|(?:next|get|load|fetch|wait)[ _-]?(?:for[ _-]?)?(?:batch|data|input|sample)s?\b|\b(?:data|input|batch)[ _-]?(?:load(?:ing|er)?|wait|fetch(?:ing)?|read(?:ing)?|next)\b|^(?:blocking[ _-])?(?:p?read(?:ing|v)?)\b`)

// waitsForInput reports whether a range of that name waits for the next batch.
func waitsForInput(name string) bool {
	return kernelname.HoldsAny(name, "batch", "dali", "data", "input", "read", "sample") && inputName(name)
}

var inputName = kernelname.Remember(inputRange.MatchString)

// launching is how close to each other the launches of another thread are, in ns, while it
// is that thread's work that the step's thread waits for, as for a backward pass.
const launching = 1_000_000

// findInput finds when the thread that runs the steps waits for input, for the metric and
// for the causes of idle time alike: its input ranges; its blocking reads; and what it
// waits for outside of CUDA's calls while other threads of the process or helper processes
// read, a queue that loaders fill. known is whether the capture would show it: it holds
// an input range of that thread, or its calls of the system and anybody's reads. A
// capture without either has no evidence of input, and no wait of 0.
func (p *Process) findInput() (wait interval.Set, known bool) {
	ranges, known := p.inputRanges()
	if p.thread == 0 {
		return ranges, known
	}
	calls := p.systemCalls()
	return interval.Union(nil, ranges, p.inputCalls(&calls, nil)), known || calls.seen && calls.read
}

// inputRanges are the ranges of the step's thread in which it waits for input.
func (p *Process) inputRanges() (ranges interval.Set, known bool) {
	input := p.trace.Names.AskAlike(waitsForInput)
	for _, x := range p.trace.Ranges {
		if (p.thread == 0 || x.Thread == p.thread) && input(x.Name) {
			ranges, known = ranges.Add(x.Start, x.End), true
		}
	}
	return ranges, known
}

// inputCalls are the calls of the step's thread in which it waits for input. ahead are
// calls of CUDA that start behind those of the trace.
func (p *Process) inputCalls(calls *systemCalls, ahead []trace.Call) interval.Set {
	queue := interval.Intersect(nil, p.ownWaits(calls.waits, ahead), calls.others)
	return interval.Union(nil, calls.own, queue)
}

// systemCalls are the calls of the operating system that tell of input.
type systemCalls struct {
	own    interval.Set // blocking reads of the step's thread
	waits  interval.Set // its waits
	others interval.Set // reads of all others that touch these
	seen   bool         // calls of the step's thread were recorded
	read   bool         // a read was, of anybody, while the device was in use
}

func (p *Process) systemCalls() (out systemCalls) {
	t := p.trace
	read, waits := t.Names.Ask(trace.ReadCall), t.Names.Ask(waits)
	inUse := func(start int64) bool { // what a program reads before it trains is no input of steps
		return p.inUse.End <= p.inUse.Start || start >= p.inUse.Start && start < p.inUse.End
	}
	for i := range t.OS {
		c := &t.OS[i]
		isRead := read(c.Name)
		out.read = out.read || isRead && inUse(c.Start)
		if c.Thread != p.thread {
			continue
		}
		switch out.seen = true; {
		case isRead:
			out.own = out.own.Add(c.Start, c.End)
		case waits(c.Name):
			out.waits = out.waits.Add(c.Start, c.End)
		}
	}
	var calls, accesses interval.Set // of millions only those that matter are kept
	near := follower{set: out.waits}
	for i := range t.OS {
		if c := &t.OS[i]; c.Thread != p.thread && read(c.Name) && near.touches(c.Start, c.End) {
			calls = calls.Add(c.Start, c.End)
		}
	}
	near = follower{set: out.waits}
	for i := range t.Access {
		a := &t.Access[i]
		if a.Op != trace.OpRead {
			continue
		}
		if out.read = out.read || inUse(a.Start); a.Thread != p.thread && near.touches(a.Start, a.End) {
			accesses = accesses.Add(a.Start, a.End)
		}
	}
	out.others = interval.Union(nil, calls, accesses)
	return out
}

// ownWaits are those waits in which nothing is done for the device: not the inside of a
// call of CUDA that frees, waits or launches, and not the time in which another thread
// launches one thing after the other.
func (p *Process) ownWaits(waits interval.Set, ahead []trace.Call) interval.Set {
	if len(waits) == 0 {
		return nil
	}
	var own [causes]interval.Set // by kind, as calls of two kinds can hold each other
	var others interval.Set
	last := p.lastLaunch // the end of another thread's last launch
	near, nearOthers := follower{set: waits}, follower{set: waits}
	for _, list := range [][]trace.Call{p.trace.API, ahead} {
		for i := range list {
			c := &list[i]
			kind := p.kinds.of(c.Name)
			if kind != causeAllocator && kind != causeSync && kind != causeLaunch || !p.threads.has(c.Thread) {
				continue
			}
			if near.touches(c.Start, c.End) {
				own[kind] = own[kind].Add(c.Start, c.End)
			}
			if kind != causeLaunch || c.Thread == p.thread {
				continue
			}
			start := c.Start
			if last != trace.NoTime && c.Start-last < launching {
				start = min(start, last)
			}
			if last = max(last, c.End); nearOthers.touches(start, c.End) {
				others = others.Add(start, c.End)
			}
		}
	}
	waits = interval.Subtract(nil, waits, others)
	for _, s := range own {
		if len(s) > 0 {
			waits = interval.Subtract(nil, waits, s)
		}
	}
	return waits
}

// follower tells whether intervals touch a set, asked in order of start.
type follower struct {
	set interval.Set
	at  int
}

func (f *follower) touches(start, end int64) bool {
	for f.at < len(f.set) && f.set[f.at].End <= start {
		f.at++
	}
	return f.at < len(f.set) && f.set[f.at].Start < end
}
