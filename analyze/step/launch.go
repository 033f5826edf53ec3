package step

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// kernelMarks makes a mark of each device span whose name matches.
func kernelMarks(t *trace.Trace, match func(string) bool) []mark {
	known := make([]int8, t.Names.Len())
	var marks []mark
	for _, sp := range t.Device {
		if sp.Kind != trace.Kernel && sp.Kind != trace.Graph {
			continue
		}
		if known[sp.Name] == 0 {
			known[sp.Name] = -1
			if match(t.Names.Text(sp.Name)) {
				known[sp.Name] = 1
			}
		}
		if known[sp.Name] > 0 {
			marks = append(marks, launchMark(sp, len(marks)))
		}
	}
	return marks
}

func launchMark(sp trace.Span, i int) mark {
	m := mark{number: int64(i), start: sp.Launch, end: trace.NoTime, device: sp.Start}
	if m.start == trace.NoTime {
		m.start = sp.Start
	}
	return m
}

// regularLaunch finds the kernel or graph replay that repeats at the longest
// regular period: it runs from the start of the device's activity to its end,
// at least minKernelRepeats times, most of its periods are alike in length, and
// most hold the same number of launches.
func regularLaunch(t *trace.Trace) ([]mark, string) {
	counts := make([]int, t.Names.Len())
	for _, sp := range t.Device {
		if sp.Kind == trace.Kernel && sp.Class != trace.Comm || sp.Kind == trace.Graph {
			counts[sp.Name]++
		}
	}
	var names []trace.NameID
	for id, n := range counts {
		if n >= minKernelRepeats {
			names = append(names, trace.NameID(id))
		}
	}
	slices.SortFunc(names, func(a, b trace.NameID) int {
		return cmp.Or(cmp.Compare(counts[a], counts[b]), strings.Compare(t.Names.Text(a), t.Names.Text(b)))
	})
	for _, id := range names[:min(len(names), 64)] {
		text := t.Names.Text(id)
		marks := kernelMarks(t, func(name string) bool { return name == text })
		if regular(t, marks) {
			return marks, fmt.Sprintf("%q", trace.CanonicalKernel(text))
		}
	}
	return nil, ""
}

// regular reports whether marks are evenly spaced over the device's activity.
func regular(t *trace.Trace, marks []mark) bool {
	n := len(marks)
	active := t.Device[len(t.Device)-1].Start - t.Device[0].Start
	if float64(marks[n-1].device-marks[0].device) < minKernelSpan*float64(active) {
		return false
	}
	periods := make([]int64, n-1)
	for i := range periods {
		periods[i] = marks[i+1].device - marks[i].device
	}
	slices.Sort(periods)
	at := func(q float64) float64 { return float64(periods[int(q*float64(n-2))]) }
	return at(.9)-at(.1) <= maxPeriodSpread*at(.5) && sameWork(t, marks)
}

// sameWork reports whether most periods hold the same number of kernels.
func sameWork(t *trace.Trace, marks []mark) bool {
	counts, at := make([]int, len(marks)), -1
	for i := range t.Device {
		for at+1 < len(marks) && t.Device[i].Start >= marks[at+1].device {
			at++
		}
		if at >= 0 && t.Device[i].Kind != trace.Memcpy && t.Device[i].Kind != trace.Memset {
			counts[at]++
		}
	}
	counts = counts[:len(counts)-1] // the last period is cut
	most := map[int]int{}
	best := 0
	for _, n := range counts {
		most[n]++
		best = max(best, most[n])
	}
	return float64(best) >= minSameWork*float64(len(counts))
}

// secondAnchor says whether something other than the marker sees the same
// steps: optimizer ranges by host time, else collectives, else launches.
func secondAnchor(t *trace.Trace, steps []trace.Step, label string) string {
	if label != "Optimizer.step" {
		if opt := rangeMarks(t, optimizer.MatchString, nil); len(opt) > 0 {
			return agree("Optimizer.step", countIn(steps, func(yield func(int64)) {
				for _, m := range opt {
					yield(m.start)
				}
			}, true))
		}
	}
	for _, what := range []struct {
		name string
		of   func(*trace.Span) bool
	}{
		{"collective kernels", func(s *trace.Span) bool { return s.Class == trace.Comm }},
		{"kernels", func(s *trace.Span) bool { return s.Kind == trace.Kernel || s.Kind == trace.Graph }},
	} {
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
