package step

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// SecondAnchor checks the steps against something other than their marker: the ranges of the
// optimizer on the host, else the collectives on the device, else all kernels. Where the marker
// itself is a kernel or a graph replay, copies from the host take the place of kernels, since
// the marker's own kernels are no evidence for it.
type SecondAnchor struct {
	known   string // the answer, where it was found without the device's work; "" else
	anchors []anchor
}

// NewSecondAnchor prepares to check steps that were found by the given marker.
func NewSecondAnchor(t *trace.Trace, steps []trace.Step, by run.Marker) *SecondAnchor {
	if by.Kind != run.MarkOptimizer {
		t, _ := withoutUnended(t)
		if opt := rangeMarks(t, t.Names.AskAlike(optimizer.MatchString), nil); len(opt) > 0 {
			c := newStepCounts(steps, true)
			for _, m := range opt {
				c.add(m.start)
			}
			return &SecondAnchor{known: agreementText("Optimizer.step", c.ofKeptSteps())}
		}
	}
	second := anchor{name: "kernels", kind: anyLaunch}
	if by.OnDevice() {
		second = anchor{name: "copies from the host", kind: uploads}
	}
	s := &SecondAnchor{anchors: []anchor{{name: "collective kernels", kind: collectives}, second}}
	for i := range s.anchors {
		s.anchors[i].counts = newStepCounts(steps, false)
	}
	return s
}

// Add adds spans of the device, which over all calls must come in order of start. It stops counting for anchors after
// the first one that has an answer: most jobs communicate, and have many kernels.
func (s *SecondAnchor) Add(spans []trace.Span) {
	for k := range s.anchors {
		what := &s.anchors[k]
		for i := range spans {
			if sp := &spans[i]; what.kind.matches(sp) {
				what.counts.add(sp.Start)
			}
		}
		if what.counted() {
			return
		}
	}
}

// counted reports whether any work of the kind is in a kept step.
func (a *anchor) counted() bool {
	a.any = a.any || slices.ContainsFunc(a.counts.ofKeptSteps(), func(n int) bool { return n > 0 })
	return a.any
}

// Text returns the answer for the receipt, once all of the device's work was added: "agrees: 12
// kernels in every step", "differs: …", or "none".
func (s *SecondAnchor) Text() string {
	if s.known != "" {
		return s.known
	}
	for i := range s.anchors {
		if what := &s.anchors[i]; what.counted() {
			return agreementText(what.name, what.counts.ofKeptSteps())
		}
	}
	return "none"
}

// anchor counts one kind of device work, which may occur equally often in each step.
type anchor struct {
	name   string
	kind   workKind
	counts *stepCounts
	any    bool // some of the work is in a kept step, as far as that was asked
}

// workKind is a kind of device work.
type workKind int

const (
	anyLaunch workKind = iota
	collectives
	uploads
)

func (k workKind) matches(sp *trace.Span) bool {
	switch k {
	case collectives:
		return sp.Class == trace.Comm
	case uploads:
		return sp.Kind == trace.Memcpy && sp.Copy == trace.HostToDev
	}
	return isLaunch(sp)
}

// stepCounts counts how many times fall into each kept step. Times are in ns, of the host's
// clock or of the device's, and come in order.
type stepCounts struct {
	steps []trace.Step
	host  bool
	// index of the step that the last time fell into or before
	current  int
	from, to int64 // start and end of that step
	perStep  []int // by step
}

func newStepCounts(steps []trace.Step, host bool) *stepCounts {
	return &stepCounts{steps: steps, host: host, current: -1, from: math.MaxInt64, to: math.MinInt64, perStep: make([]int, len(steps))}
}

func (c *stepCounts) add(ts int64) {
	if ts >= c.to {
		c.advance(ts)
	}
	if ts >= c.from && c.current < len(c.perStep) {
		c.perStep[c.current]++
	}
}

// advance goes on to the first kept step that ends after ts.
func (c *stepCounts) advance(ts int64) {
	for ts >= c.to {
		if c.current++; c.current >= len(c.steps) {
			c.from, c.to = math.MaxInt64, math.MaxInt64
			return
		}
		if s := &c.steps[c.current]; s.Dropped != "" {
			continue
		} else if c.host {
			c.from, c.to = s.HostStart, s.HostEnd
		} else {
			c.from, c.to = s.Start, s.End
		}
	}
}

// ofKeptSteps returns the counts without those of dropped steps.
func (c *stepCounts) ofKeptSteps() (out []int) {
	for i, n := range c.perStep {
		if c.steps[i].Dropped == "" {
			out = append(out, n)
		}
	}
	return out
}

// agreementText says whether all steps have the same count of name.
func agreementText(name string, counts []int) string {
	if len(counts) == 0 {
		return "none"
	}
	lo, hi := slices.Min(counts), slices.Max(counts)
	if lo == hi {
		return fmt.Sprintf("agrees: %d %s in every step", lo, name)
	}
	return fmt.Sprintf("differs: %d to %d %s per step", lo, hi, name)
}
