package nsys

import (
	"fmt"
	"slices"

	"perfdiff/analyze/trace"
)

// answer remembers of a process's call whether any span says to be launched by it: found is
// 1, else 0. It has no branch, since which calls are found follows no pattern.
func (p *process) answer(call int, by trace.CallerID, found uint8) {
	if call>>6 >= len(p.answered) {
		p.answered = append(p.answered, 0)
	}
	if int(by) >= len(p.without) {
		p.without = append(p.without, make([]int32, int(by)+65-len(p.without))...)
	}
	p.answered[call>>6] |= uint64(found) << (call & 63)
	p.without[by] += int32(1 - found)
}

// hasKernels reports whether any kernel or graph of the process is there.
func (p *process) hasKernels() bool {
	for _, d := range p.devices {
		if slices.ContainsFunc(d.spans, isKernel) {
			return true
		}
	}
	return false
}

func isKernel(s trace.Span) bool { return s.Kind == trace.Kernel || s.Kind == trace.Graph }

// unansweredLaunches are the losses that the calls of a process tell of. Most captures
// have hardly such a call; only of others all calls are looked at once more.
func (r *reader) unansweredLaunches(p *process) (losses []trace.Loss) {
	if !r.anyDevice || r.damaged&(trace.HasDevice|trace.HasLaunches) != 0 {
		return nil
	}
	suspicious := false
	for by, n := range p.without {
		if n > 0 {
			as := trace.LaunchOf(r.words.text[p.word(trace.CallerID(by))])
			suspicious = suspicious || as == trace.LaunchesCopy || as == trace.LaunchesKernel
		}
	}
	if !suspicious {
		return nil
	}
	kernels, copies := p.counted.Unanswered()
	if !r.inParts {
		kernels, copies = trace.Unanswered(r.followed(p))
	}
	lose := func(of trace.Content, what string, x trace.Share) {
		if of.Beyond(x.Some, x.All) {
			why := fmt.Sprintf("%s: %d of %d have none (%s)", what, x.Some, x.All, again)
			r.warn("lacks %s", why)
			losses = append(losses, trace.Loss{Of: of, Why: why})
		}
	}
	if p.hasKernels() { // loseDevice tells of none at all
		lose(trace.Kernels, "a kernel for each launch", kernels)
	}
	lose(trace.Copies, "a copy for each call that copies", copies)
	return losses
}

// followed are the calls of a process from which device work follows, by the bits that
// were set when they were read.
func (r *reader) followed(p *process) (calls []trace.Launched) {
	kinds := trace.CallersOf(&p.Callers, func(x trace.Caller) trace.Launch { return trace.LaunchOf(r.words.text[wordOf(x)]) })
	for i := range p.api {
		c := &p.api[i]
		if as := kinds[c.By()]; as != trace.LaunchesNothing {
			found := p.answered[i>>6]>>(i&63)&1 == 1
			calls = append(calls, trace.Launched{Start: c.Start, Lane: p.At(c.By()).Thread, As: as, Answered: found})
		}
	}
	return calls
}
