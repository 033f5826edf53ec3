package nsys

import (
	"slices"

	"perfdiff/analyze/source/build"
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
		if slices.ContainsFunc(d.spans, build.IsKernel) {
			return true
		}
	}
	return false
}

// unansweredLaunches returns the losses that the calls of a process show. Most captures have hardly a call without
// work; only if there are more, all calls are looked at once more.
func (r *reader) unansweredLaunches(p *process) (losses []trace.Loss) {
	if !r.anyDevice || r.damaged&(trace.HasDevice|trace.HasLaunches) != 0 {
		return nil
	}
	suspicious := false
	for by, n := range p.without {
		if n > 0 {
			as := build.LaunchOf(r.words.text[p.word(trace.CallerID(by))])
			suspicious = suspicious || as == build.LaunchesCopy || as == build.LaunchesKernel
		}
	}
	if !suspicious {
		return nil
	}
	kernels, copies := p.counted.Unanswered()
	if !r.inParts {
		kernels, copies = build.Unanswered(r.followed(p))
	}
	if !p.hasKernels() { // check.Kernels tells of none at all
		kernels = build.Share{}
	}
	from := len(r.Lost)
	r.LackAnswers(kernels, copies, again)
	losses = slices.Clone(r.Lost[from:])
	r.Lost = r.Lost[:from]
	return losses
}

// followed returns the calls of a process that launch device work, by the bits that were set when they were read.
func (r *reader) followed(p *process) (calls []build.Launched) {
	kinds := trace.CallersOf(&p.Callers, func(x trace.Caller) build.Launch { return build.LaunchOf(r.words.text[wordOf(x)]) })
	for i := range p.api {
		c := &p.api[i]
		if as := kinds[c.By()]; as != build.LaunchesNothing {
			found := p.answered[i>>6]>>(i&63)&1 == 1
			calls = append(calls, build.Launched{Start: c.Start, Lane: p.At(c.By()).Thread, As: as, Answered: found})
		}
	}
	return calls
}
