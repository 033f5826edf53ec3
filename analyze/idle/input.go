package idle

import (
	"regexp"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// inputRange matches ranges in which a training loop waits for its next batch: the names in PyTorch's DataLoader and
// in NVIDIA DALI, and usual names that people give.
var inputRange = regexp.MustCompile(`(?i)enumerate\(dataloader\)|dataloader\S*__next__|\bdali\b.*(?:run|next|output)|(?:next|get|load|fetch|wait)[ _-]?(?:for[ _-]?)?(?:batch|data|input|sample)s?\b|\b(?:data|input|batch)[ _-]?(?:load(?:ing|er)?|wait|fetch(?:ing)?|read(?:ing)?|next)\b|^(?:blocking[ _-])?(?:p?read(?:ing|v)?)\b`)

// waitsForInput reports whether a range of that name is a wait for the next batch.
func waitsForInput(name string) bool {
	return kernelname.HoldsAny(name, "batch", "dali", "data", "input", "read", "sample") && inputName(name)
}

var inputName = kernelname.Remember(inputRange.MatchString)

// maxLaunchInterval is how far apart, in ns, the launches of another thread may be to count as one piece of work, such
// as a backward pass: the step's thread then waits for that work and not for input. Chosen, not measured.
const maxLaunchInterval = 1_000_000

// findInput finds when the thread that runs the steps waits for input: in ranges for it; in blocking reads; and in
// waits outside of CUDA's calls while other threads or helper processes read, such as waits for a queue that loaders
// fill. The metric and the causes of idle time both use it.
//
// known is false if the capture could not show any: it has no such range on that thread, and does not have both its
// system calls and anybody's reads. The wait is then not known, and not 0.
func (p *Process) findInput() (wait interval.Set, known bool) {
	ranges, known := p.inputRanges()
	if p.InputNamed = known; p.thread == 0 {
		return ranges, known
	}
	calls := p.systemCalls()
	return interval.Union(nil, ranges, p.inputCalls(&calls, nil)), known || calls.recorded && calls.anyRead
}

// inputRanges returns the ranges of the step's thread that are waits for input and ended, and whether there
// are any.
func (p *Process) inputRanges() (ranges interval.Set, known bool) {
	input := p.trace.Names.AskAlike(waitsForInput)
	for _, x := range p.trace.Ranges {
		if (p.thread == 0 || x.Thread == p.thread) && !x.Open && input(x.Name) {
			ranges, known = ranges.Add(x.Start, x.End), true
		}
	}
	return ranges, known
}

// inputCalls returns when calls of the step's thread wait for input. ahead holds calls of CUDA that start after those
// of the trace.
func (p *Process) inputCalls(calls *systemCalls, ahead []trace.Call) interval.Set {
	queue := interval.Intersect(nil, p.ownWaits(calls.waits, ahead), calls.otherReads)
	return interval.Union(nil, calls.reads, queue)
}

// systemCalls are the calls of the operating system by which a wait for input is recognised.
type systemCalls struct {
	reads      interval.Set // blocking reads of the step's thread
	waits      interval.Set // its waits
	otherReads interval.Set // reads of all other threads that overlap these waits
	recorded   bool         // calls of the step's thread were recorded
	anyRead    bool         // a read by anybody was recorded, while the device was in use
}

func (p *Process) systemCalls() (out systemCalls) {
	t := p.trace
	kinds := p.systemCallKinds()
	inUse := func(start int64) bool { // what a program reads before it trains is no input of steps
		return p.deviceUse.End <= p.deviceUse.Start || start >= p.deviceUse.Start && start < p.deviceUse.End
	}
	for i := range t.OS {
		c := &t.OS[i]
		kind := kinds[c.By()]
		out.anyRead = out.anyRead || kind&systemRead != 0 && inUse(c.Start)
		if kind&ofStepsThread == 0 {
			continue
		}
		switch out.recorded = true; {
		case kind&systemRead != 0:
			out.reads = out.reads.Add(c.Start, c.End())
		case kind&systemWait != 0:
			out.waits = out.waits.Add(c.Start, c.End())
		}
	}
	var calls, accesses interval.Set // of millions only those that matter are kept
	near := overlapCursor{set: out.waits}
	for i := range t.OS {
		if len(out.waits) == 0 { // none is near any
			break
		}
		if c := &t.OS[i]; kinds[c.By()]&(ofStepsThread|systemRead) == systemRead && near.overlaps(c.Start, c.End()) {
			calls = calls.Add(c.Start, c.End())
		}
	}
	near = overlapCursor{set: out.waits}
	for i := range t.Access {
		a := &t.Access[i]
		if a.Op != trace.OpRead {
			continue
		}
		if out.anyRead = out.anyRead || inUse(a.Start); a.Thread != p.thread && near.overlaps(a.Start, a.End) {
			accesses = accesses.Add(a.Start, a.End)
		}
	}
	out.otherReads = interval.Union(nil, calls, accesses)
	return out
}

// What callers of the operating system do, as bits.
const (
	ofStepsThread = 1 << iota
	systemRead
	systemWait
)

// systemCallKinds returns these bits by caller.
func (p *Process) systemCallKinds() []uint8 {
	names := p.trace.Names
	read, waits := names.Ask(trace.ReadCall), names.Ask(isWaitCall)
	return trace.CallersOf(&names.Callers, func(x trace.Caller) (bits uint8) {
		if x.Thread == p.thread {
			bits |= ofStepsThread
		}
		if read(x.Name) {
			bits |= systemRead
		}
		if waits(x.Name) {
			bits |= systemWait
		}
		return bits
	})
}

// ownWaits returns the waits that are not for the device: without time inside calls of CUDA that free, wait or launch,
// and without times in which another thread launches one kernel after the other.
func (p *Process) ownWaits(waits interval.Set, ahead []trace.Call) interval.Set {
	if len(waits) == 0 {
		return nil
	}
	var own [causeCount]interval.Set // by kind, as calls of two kinds can hold each other
	var others interval.Set
	callers := &p.trace.Names.Callers
	kinds := trace.CallersOf(callers, func(x trace.Caller) cause {
		if p.threads.has(x.Thread) {
			return p.kinds.of(x.Name)
		}
		return causeUnknown
	})
	last := p.lastLaunch // the end of another thread's last launch
	near, nearOthers := overlapCursor{set: waits}, overlapCursor{set: waits}
	for _, list := range [][]trace.Call{p.trace.API, ahead} {
		for i := range list {
			c := &list[i]
			kind, end := kinds[c.By()], c.End()
			if kind != causeAllocator && kind != causeSync && kind != causeLaunch {
				continue
			}
			if near.overlaps(c.Start, end) {
				own[kind] = own[kind].Add(c.Start, end)
			}
			if kind != causeLaunch || callers.At(c.By()).Thread == p.thread {
				continue
			}
			start := c.Start
			if last != trace.NoTime && c.Start-last < maxLaunchInterval {
				start = min(start, last)
			}
			if last = max(last, end); nearOthers.overlaps(start, end) {
				others = others.Add(start, end)
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

// overlapCursor tells whether intervals overlap a set. They must come in order of start.
type overlapCursor struct {
	set interval.Set
	at  int
}

func (f *overlapCursor) overlaps(start, end int64) bool {
	for f.at < len(f.set) && f.set[f.at].End <= start {
		f.at++
	}
	return f.at < len(f.set) && f.set[f.at].Start < end
}
