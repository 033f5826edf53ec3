package step

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// FindOutlined finds the steps of a trace whose device work is not in memory, as far as
// ranges mark them. each hands over all work, in any order. What a second anchor says is
// known once all work was seen in order: see NewSecond. ok is false where only the work
// itself could tell what the steps are: then Find needs it.
func FindOutlined(t *trace.Trace, o *trace.Outline, opt Options,
	each func(add func([]trace.Span)) error) (f Found, ok bool, err error) {
	t.Device = []trace.Span{{Start: o.Device.Start}, {Start: o.LastStart}}
	defer func() { t.Device = nil }()
	by, ok := rangesAsked(t, opt)
	if !ok {
		return Found{}, false, nil
	}
	steps, edges := windows(t, by.marks)
	if edges != nil {
		if err := each(edges.add); err != nil {
			return Found{}, false, err
		}
		edges.set()
	}
	return by.found(t, steps, opt), true, nil
}

// UsableOutlined are those of Usable that are ranges, of a trace whose device work is not
// in memory.
func UsableOutlined(t *trace.Trace, o *trace.Outline) (out []run.Marker) {
	t.Device = []trace.Span{{Start: o.Device.Start}, {Start: o.LastStart}}
	defer func() { t.Device = nil }()
	for f := range usableRanges(t) {
		out = append(out, f.by)
	}
	return out
}

// rangesAsked are the ranges that opt asks for, if the steps are ranges.
func rangesAsked(t *trace.Trace, opt Options) (found, bool) {
	switch {
	case opt.Kernel != nil:
		return found{}, false
	case opt.Range != nil:
		f := findMarks(t, opt)
		return f, len(f.marks) > 0
	}
	for f := range usableRanges(t) {
		if opt.Marker == (run.Marker{}) || f.by == opt.Marker {
			return f, true
		}
	}
	return found{}, false
}
