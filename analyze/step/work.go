package step

import "perfdiff/analyze/trace"

// deviceWork calls add with all device spans of a trace, in any order and in one or more
// pieces.
type deviceWork func(add func([]trace.Span))

// workInMemory returns the device work of a trace whose spans are in memory.
func workInMemory(t *trace.Trace) deviceWork {
	return func(add func([]trace.Span)) { add(t.Device) }
}
