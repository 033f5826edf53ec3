package idle

import (
	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// Process is the process that launches a rank's work, as far as it tells why the device idles:
// which of its threads count, what their calls do, and when it waits for input.
type Process struct {
	Input      interval.Set // when the thread that runs the steps waits for input
	InputKnown bool         // the capture would show such a wait
	InputNamed bool         // it has ranges for it, without which calls alone tell the least

	trace      *trace.Trace
	thread     int32          // that runs the steps; 0: not known
	deviceUse  trace.Interval // when the device is, by work that takes time
	lastLaunch int64          // the end of the last launch of another thread, before the trace's calls; or NoTime
	kinds      *callKinds
	threads    threads // that launch, and the one that runs the steps

	outline          *trace.Outline // of a capture in pieces, else nil
	inputRangesFound interval.Set   // the same: ranges in which it waits for input
	inputCallsSoFar  interval.Set   // the same: calls in which it does, in the pieces so far
}

// NewProcess looks at the calls and ranges of a capture that is in memory. thread runs the
// steps, 0 if it is not known; inUse is from the first to the last work of the device.
func NewProcess(t *trace.Trace, thread int32, inUse trace.Interval) *Process {
	p := &Process{trace: t, thread: thread, deviceUse: inUse, lastLaunch: trace.NoTime, kinds: newCallKinds(t.Names)}
	p.threads = launchThreads(t, thread, p.kinds)
	p.Input, p.InputKnown = p.findInput()
	return p
}

// launchThreads returns the threads that launch, and the one that runs the steps.
func launchThreads(t *trace.Trace, thread int32, kinds *callKinds) (out threads) {
	if thread != 0 {
		out.add(thread)
	}
	new := trace.CallersOf(&t.Names.Callers, func(x trace.Caller) bool { return kinds.of(x.Name) == causeLaunch })
	for _, c := range t.API {
		if new[c.By()] {
			new[c.By()] = false
			out.add(t.Names.Caller(c).Thread)
		}
	}
	return out
}
