package metric

import (
	"math"
	"regexp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

var (
	// inputRange are the ranges in which a training loop waits for its next
	// batch: PyTorch's DataLoader, NVIDIA DALI, and what people call it.
	inputRange = regexp.MustCompile(`(?i)enumerate\(dataloader\)|dataloader\S*__next__|\bdali\b.*(?:run|next|output)|(?:next|get|load|fetch|wait)[ _-]?(?:for[ _-]?)?(?:batch|data|input|sample)s?\b|\b(?:data|input|batch)[ _-]?(?:load(?:ing|er)?|wait|fetch(?:ing)?|read(?:ing)?|next)\b|^(?:blocking[ _-])?(?:p?read(?:ing|v)?)\b`)
	readCall   = regexp.MustCompile(`^(?:p?read(?:v2?)?(?:64)?|fread|__read|io_getevents|aio_suspend)$`)
)

// Sources of io_read_throughput, best first. Node-wide storage and network
// counters belong in front of these when they are read.
const (
	sourceFiles = "file access events"
	sourceH2D   = "host-to-device copies, a proxy: what reached the device, not what was read"
)

// inputMetrics measure the wait for input and the rate of reading.
func inputMetrics() []Metric {
	return []Metric{
		{
			Metric: run.Metric{Name: "input_wait_time", Unit: "s", Better: run.Lower, Main: true,
				Doc:   "Time in which the thread that runs the steps waits for input (DataLoader, DALI, blocking reads), within the step's period on the host.",
				Needs: "a range around fetching a batch (PyTorch's profiler writes one for DataLoader), or OS calls with --trace=osrt"},
			Measure: nil, // a host metric: measured also where the device's window is unknown
		},
		{
			Metric: run.Metric{Name: "io_read_throughput", Unit: "B/s", Better: run.Higher, Main: true,
				Doc:   "Bytes read in the step over its duration, by this rank.",
				Needs: "file accesses: record with --trace=osrt --osrt-file-access=true"},
			Measure: func(s *Step, emit Emit) {
				if bytes, ok := bytesRead(s); ok && s.Time > 0 {
					emit("", bytes/seconds(s.Time))
				}
			},
			Source: readSource,
		},
	}
}

func readSource(r *Rank) string {
	switch {
	case r.Trace.Recorded.Has(trace.HasFileBytes):
		return sourceFiles
	case r.toDevice:
		return sourceH2D
	}
	return ""
}

// bytesRead sums the bytes of the reads in the step; a read that crosses an
// edge counts by the share of its time that lies inside.
func bytesRead(s *Step) (bytes float64, ok bool) {
	switch readSource(s.Rank) {
	case sourceFiles:
		for _, a := range touching(s.Trace.Access, s.Step.Start, s.Step.End) {
			if a.Op == trace.OpRead {
				bytes += share(a.Start, a.End, s.Step.Start, s.Step.End) * float64(a.Bytes)
			}
		}
		return bytes, true
	case sourceH2D:
		for i := range s.Device {
			if sp := &s.Device[i]; sp.Kind == trace.Memcpy && sp.Copy.String() == "h2d" {
				bytes += float64(sp.Bytes)
			}
		}
		return bytes, true
	}
	return 0, false
}

// share is the part of [start, end) that lies in [lo, hi); an instant lies in
// it or does not.
func share(start, end, lo, hi int64) float64 {
	if end <= start {
		if start >= lo && start < hi {
			return 1
		}
		return 0
	}
	return math.Max(0, float64(min(end, hi)-max(start, lo))) / float64(end-start)
}

// touching returns the accesses that can reach into [lo, hi). They are in
// order of start; none lasts longer than longestRead before its start counts.
func touching(all []trace.FileAccess, lo, hi int64) []trace.FileAccess {
	const longestRead = 10e9 // ns; a read call that blocks longer is cut here
	byStart := func(a trace.FileAccess, t int64) int {
		if a.Start < t {
			return -1
		}
		return 1
	}
	i, _ := slices.BinarySearchFunc(all, lo-longestRead, byStart)
	j, _ := slices.BinarySearchFunc(all, hi, byStart)
	return all[i:j]
}

// inputWait is when the host thread waits for input: its input ranges and,
// where OS calls were recorded, its blocking reads. known is false when the
// capture holds neither an input range nor OS calls of that thread.
func inputWait(t *trace.Trace, thread int32) (wait interval.Set, known bool) {
	match := make([]int8, t.Names.Len())
	is := func(id trace.NameID, re *regexp.Regexp) bool {
		if match[id] == 0 {
			match[id] = -1
			if re.MatchString(t.Names.Text(id)) {
				match[id] = 1
			}
		}
		return match[id] > 0
	}
	for _, r := range t.Ranges {
		if (thread == 0 || r.Thread == thread) && is(r.Name, inputRange) {
			wait, known = wait.Add(r.Start, r.End), true
		}
	}
	clear(match)
	for _, c := range t.OS {
		if thread != 0 && c.Thread == thread {
			known = true
			if is(c.Name, readCall) {
				wait = wait.Add(c.Start, c.End)
			}
		}
	}
	return wait, known
}
