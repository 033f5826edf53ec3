package step

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Second says whether something other than the marker sees the same steps:
// optimizer ranges by host time, else collectives, else launches; of steps that are
// launches themselves, copies from the host in place of launches. The marker's own
// kernels are no evidence for it.
type Second struct {
	text   string // what is known without looking at the device; "" nothing
	others []anchor
}

// NewSecond looks for a second anchor of the steps that were found by a marker.
func NewSecond(t *trace.Trace, steps []trace.Step, by run.Marker) *Second {
	if by.Kind != run.MarkOptimizer {
		if opt := rangeMarks(t, t.Names.AskAlike(optimizer.MatchString), nil); len(opt) > 0 {
			c := newCounts(steps, true)
			for _, m := range opt {
				c.add(m.start)
			}
			return &Second{text: agree("Optimizer.step", c.kept())}
		}
	}
	second := anchor{name: "kernels", of: anyLaunch}
	if by.OnDevice() {
		second = anchor{name: "copies from the host", of: uploads}
	}
	s := &Second{others: []anchor{{name: "collective kernels", of: collectives}, second}}
	for i := range s.others {
		s.others[i].counts = newCounts(steps, false)
	}
	return s
}

// Add takes work of the device, in order of start over all calls.
func (s *Second) Add(spans []trace.Span) {
	for i := range spans {
		sp := &spans[i]
		for k := range s.others {
			if what := &s.others[k]; what.of.has(sp) {
				what.counts.add(sp.Start)
			}
		}
	}
}

// Text is what the second anchor says, once all work was seen.
func (s *Second) Text() string {
	if s.text != "" {
		return s.text
	}
	for _, what := range s.others {
		if counts := what.counts.kept(); slices.ContainsFunc(counts, func(n int) bool { return n > 0 }) {
			return agree(what.name, counts)
		}
	}
	return "none"
}

// anchor is a kind of device work that may occur equally often in each step.
type anchor struct {
	name   string
	of     workKind
	counts *counts
}

// workKind is which device work counts.
type workKind int

const (
	anyLaunch workKind = iota
	collectives
	uploads
)

func (k workKind) has(sp *trace.Span) bool {
	switch k {
	case collectives:
		return sp.Class == trace.Comm
	case uploads:
		return sp.Kind == trace.Memcpy && sp.Copy == trace.HostToDev
	}
	return isLaunch(sp)
}

// counts counts the times that fall into each kept step, on the host's or the
// device's clock. Times come in order.
type counts struct {
	steps    []trace.Step
	host     bool
	at       int
	from, to int64 // of the step that is reached
	n        []int // by step
}

func newCounts(steps []trace.Step, host bool) *counts {
	return &counts{steps: steps, host: host, at: -1, from: math.MaxInt64, to: math.MinInt64, n: make([]int, len(steps))}
}

func (c *counts) add(ts int64) {
	if ts >= c.to {
		c.next(ts)
	}
	if ts >= c.from && c.at < len(c.n) {
		c.n[c.at]++
	}
}

// next goes on to the first kept step that ends behind a time.
func (c *counts) next(ts int64) {
	for ts >= c.to {
		if c.at++; c.at >= len(c.steps) {
			c.from, c.to = math.MaxInt64, math.MaxInt64
			return
		}
		if s := &c.steps[c.at]; s.Dropped != "" {
			continue
		} else if c.host {
			c.from, c.to = s.HostStart, s.HostEnd
		} else {
			c.from, c.to = s.Start, s.End
		}
	}
}

// kept are the counts of the kept steps.
func (c *counts) kept() (out []int) {
	for i, n := range c.n {
		if c.steps[i].Dropped == "" {
			out = append(out, n)
		}
	}
	return out
}

// agree words how alike the counts of a second anchor are.
func agree(name string, counts []int) string {
	if len(counts) == 0 {
		return "none"
	}
	lo, hi := slices.Min(counts), slices.Max(counts)
	if lo == hi {
		return fmt.Sprintf("agrees: %d %s in every step", lo, name)
	}
	return fmt.Sprintf("differs: %d to %d %s a step", lo, hi, name)
}
