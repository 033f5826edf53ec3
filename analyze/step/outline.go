package step

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// work hands over all device work of a trace, in any order.
type work func(add func([]trace.Span))

// workOf is the work of a trace that has it in memory.
func workOf(t *trace.Trace) work {
	return func(add func([]trace.Span)) { add(t.Device) }
}

// outlined is a trace whose device work is not in memory, while its ranges are looked at:
// of the work they know when the first and the last begins.
func outlined(t *trace.Trace, o *trace.Outline, look func()) {
	t.Device = []trace.Span{{Start: o.Device.Start}, {Start: o.LastStart}}
	defer func() { t.Device = nil }()
	look()
}

// Each hands over all device work of a trace that is not in memory, in any order.
type Each func(add func([]trace.Span)) error

// keeping is the work with the error that reading it came to.
func (e Each) keeping(err *error) work {
	return func(add func([]trace.Span)) {
		if *err == nil {
			*err = e(add)
		}
	}
}

// FindOutlined finds the steps of a trace whose device work is not in memory, as far as
// ranges mark them. What a second anchor says is known once all work was seen in order:
// see NewSecond. ok is false where only the work itself could tell what the steps are:
// then Find needs it.
func FindOutlined(t *trace.Trace, o *trace.Outline, opt Options, each Each) (f Found, ok bool, err error) {
	outlined(t, o, func() {
		all := each.keeping(&err)
		var by found
		if by, ok = rangesAsked(t, opt, all); !ok {
			return
		}
		steps, edges := windows(t, by.marks)
		own := by.ownEnds(steps)
		if edges != nil || own != nil {
			all(func(spans []trace.Span) {
				edges.add(spans)
				own.add(spans)
			})
		}
		f = by.found(t, steps, edges, own, opt)
	})
	return f, ok, err
}

// ListOutlined are those markers of List that are ranges, of a trace whose device work is
// not in memory.
func ListOutlined(t *trace.Trace, o *trace.Outline, each Each) (out []run.Marker, err error) {
	outlined(t, o, func() {
		for f := range usableRanges(t, each.keeping(&err)) {
			out = append(out, f.by)
		}
	})
	return out, err
}

// rangesAsked are the ranges that opt asks for, if the steps are ranges.
func rangesAsked(t *trace.Trace, opt Options, all work) (found, bool) {
	switch {
	case opt.Kernel != nil:
		return found{}, false
	case opt.Range != nil:
		f := findMarks(t, opt, all)
		return f, len(f.marks) > 0
	}
	for f := range usableRanges(t, all) {
		if opt.Marker == (run.Marker{}) || f.by == opt.Marker {
			return f, true
		}
	}
	return found{}, false
}
