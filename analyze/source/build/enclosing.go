package build

import (
	"fmt"

	"perfdiff/analyze/trace"
)

// Kernels of one stream run one after the other, and where the next may begin early it still ends
// later: in 23 captures of real machines no kernel lies within another of its stream. One that
// holds several, launched after it, has an end that cannot be. A graph's kernels have one launch and
// may run side by side. Communication is held to itself: where streams were lost it lies over compute.

// leastEnclosed is how many kernels must lie within another for its times to be wrong. Chosen, not measured: with one,
// time stamps may be a little off.
const leastEnclosed = 2

// Enclosing counts kernels that cannot have lasted as long as recorded, and sums their time, in ns, each as a share of
// all kernels.
type Enclosing struct {
	Kernels, Times Share
	dense          [256]enclosing // of streams with such numbers, two classes each
	other          map[int32]*enclosing
}

// enclosing is the kernel of a stream that ends last.
type enclosing struct {
	end, length, launch int64
	inside              int
}

// Add takes device work in order of start.
func (e *Enclosing) Add(spans []trace.Span) {
	for i := range spans {
		s := &spans[i]
		if s.Kind != trace.Kernel {
			continue
		}
		e.Kernels.All++
		e.Times.All += s.End - s.Start
		c := e.of(s)
		switch {
		case s.End >= c.end:
			*c = enclosing{s.End, s.End - s.Start, s.Launch, 0}
		case s.Launch != c.launch && s.Launch != trace.NoTime && s.End > s.Start:
			if c.inside++; c.inside == leastEnclosed {
				e.Kernels.Some++
				e.Times.Some += c.length
			}
		}
	}
}

// of returns, for the stream and class of s, the kernel so far that ends last.
func (e *Enclosing) of(s *trace.Span) *enclosing {
	key := s.Stream << 1
	if s.Class == trace.Comm {
		key++
	}
	if key >= 0 && int(key) < len(e.dense) {
		return &e.dense[key]
	}
	if e.other[key] == nil {
		if e.other == nil {
			e.other = map[int32]*enclosing{}
		}
		e.other[key] = &enclosing{}
	}
	return e.other[key]
}

// Lost says that the times of kernels are lost, if too many of them, or too much of their time, are impossible; "" if
// not. again says what to do.
func (e *Enclosing) Lost(again string) string {
	if !trace.Kernels.Beyond(e.Kernels.Some, e.Kernels.All) && !trace.Kernels.Beyond(e.Times.Some, e.Times.All) {
		return ""
	}
	return fmt.Sprintf("times of kernels that can be: %d of %d last longer than several that follow them in their stream (%s)",
		e.Kernels.Some, e.Kernels.All, again)
}

// EnclosingLost returns what Lost says about a sorted trace.
func EnclosingLost(t *trace.Trace, again string) string {
	var e Enclosing
	e.Add(t.Device)
	return e.Lost(again)
}
