package step

import (
	"fmt"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// secondAnchor says whether something other than the marker sees the same steps:
// optimizer ranges by host time, else collectives, else launches; of steps that are
// launches themselves, copies from the host in place of launches. The marker's own
// kernels are no evidence for it.
func secondAnchor(t *trace.Trace, steps []trace.Step, by run.Marker) string {
	if by.Kind != run.MarkOptimizer {
		if opt := rangeMarks(t, t.Names.AskAlike(optimizer.MatchString), nil); len(opt) > 0 {
			return agree("Optimizer.step", countIn(steps, func(yield func(int64)) {
				for _, m := range opt {
					yield(m.start)
				}
			}, true))
		}
	}
	others := []anchor{
		{"collective kernels", func(s *trace.Span) bool { return s.Class == trace.Comm }},
		{"kernels", func(s *trace.Span) bool { return s.Kind == trace.Kernel || s.Kind == trace.Graph }},
	}
	if by.OnDevice() {
		others[1] = anchor{"copies from the host", func(s *trace.Span) bool { return s.Kind == trace.Memcpy && s.Copy == trace.HostToDev }}
	}
	for _, what := range others {
		counts := countIn(steps, func(yield func(int64)) {
			for i := range t.Device {
				if what.of(&t.Device[i]) {
					yield(t.Device[i].Start)
				}
			}
		}, false)
		if slices.ContainsFunc(counts, func(n int) bool { return n > 0 }) {
			return agree(what.name, counts)
		}
	}
	return "none"
}

// anchor is a kind of device work that may occur equally often in each step.
type anchor struct {
	name string
	of   func(*trace.Span) bool
}

// countIn counts the times that fall into each kept step, on the host's or the
// device's clock. Times come in order.
func countIn(steps []trace.Step, each func(yield func(int64)), host bool) []int {
	counts := make([]int, len(steps))
	at := 0
	each(func(ts int64) {
		for at < len(steps) && (steps[at].Dropped != "" || ts >= edge(steps[at], host, true)) {
			at++
		}
		if at < len(steps) && ts >= edge(steps[at], host, false) {
			counts[at]++
		}
	})
	kept := counts[:0]
	for i, n := range counts {
		if steps[i].Dropped == "" {
			kept = append(kept, n)
		}
	}
	return kept
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
