package xla

import (
	"cmp"
	"slices"

	"perfdiff/analyze/trace"
)

// link is the correlation id of a call, and the device that it says to be for.
type link struct{ correlation, device int64 }

// launch is a call by its correlation id.
type launch struct {
	id, start int64
	device    int64 // that it says to be for, 0 where it says none
	at        int32 // place among the calls
}

// link replaces the correlation ids of spans by the starts of the calls, of several with one id
// that of the first, which is the outer one. It returns how many launches have no kernel.
func (b *builder) link() trace.Share {
	calls := make([]launch, 0, len(b.api))
	for i, l := range b.links {
		if l.correlation > 0 {
			calls = append(calls, launch{l.correlation, b.api[i].Start, l.device, int32(i)})
		}
	}
	slices.SortFunc(calls, func(a, b launch) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.start, b.start)) })
	answered := make([]bool, len(b.api))
	for _, p := range b.gpus {
		for i := range p.spans {
			s := &p.spans[i]
			at, ok := findLaunch(calls, s.Launch, p.ordinal)
			if s.Launch = trace.NoTime; ok {
				s.Launch, answered[calls[at].at] = calls[at].start, true
			}
		}
	}
	answerAll(calls, answered)
	kernels, _ := trace.Unanswered(trace.Launching(b.names, b.api, func(i int) bool { return answered[i] }))
	return kernels
}

// findLaunch is the place of the call with a correlation id, of several with one id the first
// that is for the device, else the first. Ids are unique within a process; of a file that was put
// together of several the devices tell them apart.
func findLaunch(calls []launch, id, device int64) (at int, ok bool) {
	at, ok = slices.BinarySearchFunc(calls, id, func(l launch, want int64) int { return cmp.Compare(l.id, want) })
	const most = 64 // processes of a file, of calls with one id
	for i := at; ok && i < min(at+most, len(calls)) && calls[i].id == id; i++ {
		if calls[i].device == device {
			return i, true
		}
	}
	return at, ok
}

// answerAll takes all calls with one id for one device as answered where one of them is.
func answerAll(calls []launch, answered []bool) {
	for i := 1; i < len(calls); i++ {
		if calls[i].id == calls[i-1].id && calls[i].device == calls[i-1].device && answered[calls[i-1].at] {
			answered[calls[i].at] = true
		}
	}
}
