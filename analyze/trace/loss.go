package trace

import "slices"

// Content is a set of things that a capture holds and that can be lost separately: a table of an export, the names
// that its rows point to, the durations of one kind of event.
type Content uint16

// The contents.
const (
	Kernels Content = 1 << iota // and graph replays, with their times
	Copies                      // of memory
	Kinds                       // names of kernels, which tell communication from compute
	Calls                       // of CUDA, with their names
	Ranges
	SystemCalls
	FileAccesses
	MPICalls
	Operators // of a framework, and its functions
	MemoryUse // changes of the device's memory
	Sizes     // of the arguments of operators
	Clocks    // of host and device, which agree: nothing of one side is compared with the other otherwise
)

// Loss says why a capture does not hold all of a content. What is measured from that content then counts as not
// recorded: otherwise a part of it would be taken for all, and none of it for zero.
type Loss struct {
	Of Content
	// Why says what is needed and what is there, as it goes on behind "needs":
	// "all kernels: 48 of 96 launches have none".
	Why string
}

// Lose notes a loss; of each content the first counts.
func (t *Trace) Lose(of Content, why string) {
	if of &^= t.Incomplete(); of != 0 {
		t.Losses = append(t.Losses, Loss{of, why})
	}
}

// Incomplete returns all that the capture does not hold whole.
func (t *Trace) Incomplete() (all Content) {
	for _, l := range t.Losses {
		all |= l.Of
	}
	return all
}

// WhyIncomplete returns why any of these contents is lost, "" where all are there.
func (t *Trace) WhyIncomplete(of Content) string {
	if i := slices.IndexFunc(t.Losses, func(l Loss) bool { return l.Of&of != 0 }); i >= 0 {
		return t.Losses[i].Why
	}
	return ""
}

// How much of a content may be lost before nothing is measured from it any more. Chosen, not measured: lost kernels
// are an error of that size in a step, and the threshold is as large.
const (
	toleratedWork   = 0.02 // of kernels and of their names
	toleratedCopies = 0.1  // a copy of no bytes leaves nothing
	toleratedHost   = 0.1  // of what the host did: a share of a share of the time
)

// Beyond reports whether so many of all are more than may be lost of c.
func (c Content) Beyond(some, all int64) bool {
	limit := toleratedHost
	switch {
	case c&(Kernels|Kinds) != 0:
		limit = toleratedWork
	case c&Copies != 0:
		limit = toleratedCopies
	}
	return some > 0 && float64(some) > limit*float64(all)
}
