package metric

import (
	"regexp"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// inputRange are the ranges in which a training loop waits for its next
// batch: PyTorch's DataLoader, NVIDIA DALI, and what people call it.
var inputRange = regexp.MustCompile(`(?i)enumerate\(dataloader\)|dataloader\S*__next__|\bdali\b.*(?:run|next|output)|(?:next|get|load|fetch|wait)[ _-]?(?:for[ _-]?)?(?:batch|data|input|sample)s?\b|\b(?:data|input|batch)[ _-]?(?:load(?:ing|er)?|wait|fetch(?:ing)?|read(?:ing)?|next)\b|^(?:blocking[ _-])?(?:p?read(?:ing|v)?)\b`)

// inputMetrics measure the wait for input.
func inputMetrics() []Metric {
	return []Metric{
		{
			Metric: run.Metric{Name: "input_wait_time", Unit: "s", Better: run.Lower, Main: true,
				Doc:   "Time in which the thread that runs the steps waits for input (DataLoader, DALI, blocking reads), within the step's period on the host.",
				Needs: "a range around fetching a batch (PyTorch's profiler writes one for DataLoader), or OS calls with --trace=osrt"},
			Measure: nil, // a host metric: measured also where the device's window is unknown
		},
	}
}

// inputWait is when the host thread waits for input: its input ranges and,
// where OS calls were recorded, its blocking reads. known is false when the
// capture holds neither an input range nor OS calls of that thread.
func inputWait(t *trace.Trace, thread int32) (wait interval.Set, known bool) {
	input, read := matcher(t.Names, inputRange.MatchString), matcher(t.Names, trace.ReadCall)
	var ranges, reads interval.Set
	for _, r := range t.Ranges {
		if (thread == 0 || r.Thread == thread) && input(r.Name) {
			ranges, known = ranges.Add(r.Start, r.End), true
		}
	}
	for _, c := range t.OS {
		if thread != 0 && c.Thread == thread {
			known = true
			if read(c.Name) {
				reads = reads.Add(c.Start, c.End)
			}
		}
	}
	return interval.Union(nil, ranges, reads), known
}
