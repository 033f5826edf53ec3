package step

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// withOutline calls look on a trace whose device spans are not in memory. For that time two
// spans stand in the trace, with the start of the first and of the last one.
func withOutline(t *trace.Trace, o *trace.Outline, look func()) {
	t.Device = []trace.Span{{Start: o.Device.Start}, {Start: o.LastStart}}
	defer func() { t.Device = nil }()
	look()
}

// ReadWork reads the device work of a trace that is not in memory, and calls add with all of
// its spans, in any order.
type ReadWork func(add func([]trace.Span)) error

// keepError returns the same work, which keeps the first error of reading in err.
func (e ReadWork) keepError(err *error) deviceWork {
	return func(add func([]trace.Span)) {
		if *err == nil {
			*err = e(add)
		}
	}
}

// FindOutlined finds the steps of a trace whose device spans are not in memory, if ranges mark
// them. ok is false where only the device's work could tell what the steps are: then all spans
// must be loaded and Find be used.
func FindOutlined(t *trace.Trace, o *trace.Outline, opt Options, each ReadWork) (f Found, ok bool, err error) {
	t, f.Unended = withoutUnended(t)
	withOutline(t, o, func() {
		all := each.keepError(&err)
		var by markerMarks
		if by, ok = requestedRanges(t, opt, all); !ok {
			return
		}
		steps, edges := stepsOfMarks(t, by.marks)
		own := by.ownEnds(steps)
		if edges != nil || own != nil {
			all(func(spans []trace.Span) {
				edges.add(spans)
				own.add(spans)
			})
		}
		unended := f.Unended
		f = by.finish(t, steps, edges, own, opt)
		f.Unended = unended
	})
	return f, ok, err
}

// MarkersOutlined lists the markers of Markers that are ranges, for a trace whose device spans
// are not in memory.
func MarkersOutlined(t *trace.Trace, o *trace.Outline, each ReadWork) (out []run.Marker, err error) {
	t, _ = withoutUnended(t)
	withOutline(t, o, func() {
		for f := range usableRanges(t, each.keepError(&err)) {
			out = append(out, f.marker)
		}
	})
	return out, err
}

// requestedRanges returns the marks that opt asks for, if they are ranges.
func requestedRanges(t *trace.Trace, opt Options, all deviceWork) (markerMarks, bool) {
	switch {
	case opt.Kernel != nil:
		return markerMarks{}, false
	case opt.Range != nil:
		f := findMarks(t, opt, all)
		return f, len(f.marks) > 0
	}
	for f := range usableRanges(t, all) {
		if opt.Marker == (run.Marker{}) || f.marker == opt.Marker {
			return f, true
		}
	}
	return markerMarks{}, false
}
