package xla

import (
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// link is the correlation id of a call, and the device that it says to be for.
type link struct{ correlation, device int64 }

// link replaces the correlation ids of spans by the starts of the calls; if several calls have one id, it takes the
// first, which is the outer one. It returns how many launches have no kernel.
func (b *builder) link() build.Share {
	answered := make([]bool, len(b.api))
	for _, p := range b.gpus {
		starts := make([]int64, len(p.spans))
		for i := range starts {
			starts[i] = trace.NoTime
		}
		b.answer(p, starts, answered, func(l link) bool { return l.device == p.ordinal })
		b.answer(p, starts, answered, func(link) bool { return true })
		for i := range p.spans {
			p.spans[i].Launch = starts[i]
		}
	}
	kernels, _ := build.Unanswered(build.Launching(b.names, b.api, func(i int) bool { return answered[i] }))
	return kernels
}

// answer finds the launches of a device's spans that have no start yet, among the calls that may be theirs. Ids are
// unique within a process; in a file joined from several, calls say which device they are for.
func (b *builder) answer(p *plane, starts []int64, answered []bool, may func(link) bool) {
	var launches build.Launches
	for i := range p.spans {
		if starts[i] == trace.NoTime {
			launches.Ask(p.spans[i].Launch)
		}
	}
	launches.Begin()
	for i, l := range b.links {
		if may(l) && launches.Note(l.correlation, b.api[i].Start) {
			answered[i] = true
		}
	}
	for i := range p.spans {
		if starts[i] == trace.NoTime {
			starts[i] = launches.Of(p.spans[i].Launch)
		}
	}
}
