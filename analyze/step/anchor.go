package step

import (
	"fmt"
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
	second := anchor{name: "kernels", of: isLaunch}
	if by.OnDevice() {
		second = anchor{name: "copies from the host", of: isUpload}
	}
	s := &Second{others: []anchor{{name: "collective kernels", of: isCollective}, second}}
	for i := range s.others {
		s.others[i].counts = newCounts(steps, false)
	}
	return s
}

// Add takes work of the device, in order of start over all calls.
func (s *Second) Add(spans []trace.Span) {
	for _, what := range s.others {
		for i := range spans {
			if what.of(&spans[i]) {
				what.counts.add(spans[i].Start)
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

func isUpload(s *trace.Span) bool     { return s.Kind == trace.Memcpy && s.Copy == trace.HostToDev }
func isCollective(s *trace.Span) bool { return s.Class == trace.Comm }

// anchor is a kind of device work that may occur equally often in each step.
type anchor struct {
	name   string
	of     func(*trace.Span) bool
	counts *counts
}

// counts counts the times that fall into each kept step, on the host's or the
// device's clock. Times come in order.
type counts struct {
	steps []trace.Step
	host  bool
	at    int
	n     []int // by step
}

func newCounts(steps []trace.Step, host bool) *counts {
	return &counts{steps: steps, host: host, n: make([]int, len(steps))}
}

func (c *counts) add(ts int64) {
	for c.at < len(c.steps) && (c.steps[c.at].Dropped != "" || ts >= edge(c.steps[c.at], c.host, true)) {
		c.at++
	}
	if c.at < len(c.steps) && ts >= edge(c.steps[c.at], c.host, false) {
		c.n[c.at]++
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

func edge(s trace.Step, host, end bool) int64 {
	switch {
	case host && end:
		return s.HostEnd
	case host:
		return s.HostStart
	case end:
		return s.End
	}
	return s.Start
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
