package step

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// wholeCapture returns the one step that a capture is: all of its work on the device, from the first to the last.
func wholeCapture(t *trace.Trace, opt Options) Found {
	s := trace.Step{Start: t.Device[0].Start, End: t.Device[0].End, HostStart: t.Device[0].Start}
	for i := range t.Device {
		sp := &t.Device[i]
		s.End = max(s.End, sp.End)
		if sp.Launch != trace.NoTime {
			s.HostStart = min(s.HostStart, sp.Launch)
		}
	}
	s.HostEnd = s.End
	steps, rec := []trace.Step{s}, run.Receipt{File: t.File, Marker: opt.Marker.String(), By: opt.Marker, Found: 1, Second: "none"}
	rec.Hint = opt.dropOutside(steps, t.Capture.Start)
	rec.Dropped, rec.Kept = tallyDrops(steps)
	return Found{Steps: steps, Receipt: rec}
}
