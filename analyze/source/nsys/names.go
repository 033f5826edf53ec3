package nsys

import (
	"fmt"

	"perfdiff/analyze/trace"
)

// unnamed counts what has no name, of all, in number and time.
type unnamed struct{ some, all, time, allTime int64 }

func (u *unnamed) add(named bool, length int64) {
	u.all, u.allTime = u.all+1, u.allTime+length
	if !named {
		u.some, u.time = u.some+1, u.time+length
	}
}

// beyond reports whether more is without a name than may be lost of a content.
func (u *unnamed) beyond(of trace.Content) bool {
	return of.Beyond(u.some, u.all) || of.Beyond(u.time, u.allTime)
}

// loseNames counts the rows of a trace whose names are not in the file: what a kernel is,
// and what a call does, is told by its name alone.
func (r *reader) loseNames(t *trace.Trace) {
	if r.nameless || r.inParts { // in parts, names are given later
		r.loseNamesOfRows(t)
	}
	if n := r.words.lost; n > 0 && len(t.Ranges) > 0 {
		var ranges unnamed // one that the program gave no name has none to lose
		for i := range t.Ranges {
			ranges.add(t.Ranges[i].Name != 0, 0)
		}
		r.loseNamed(t, &ranges, trace.Ranges, "ranges")
	}
}

// loseNamesOfRows is for kernels and calls.
func (r *reader) loseNamesOfRows(t *trace.Trace) {
	var kernels unnamed
	for i := range t.Device {
		if s := &t.Device[i]; s.Kind == trace.Kernel {
			kernels.add(s.Name != 0, s.End-s.Start)
		}
	}
	r.loseNamed(t, &kernels, trace.Kinds, "kernels")
	for _, of := range []struct {
		content trace.Content
		list    []trace.Call
		what    string
	}{
		{trace.Calls, t.API, "calls of CUDA"}, {trace.SystemCalls, t.OS, "calls of the system"},
		{trace.MPICalls, t.MPI, "calls of MPI"},
	} {
		var calls unnamed
		for i := range of.list {
			calls.add(of.list[i].Name != 0, of.list[i].End-of.list[i].Start)
		}
		r.loseNamed(t, &calls, of.content, of.what)
	}
}

func (r *reader) loseNamed(t *trace.Trace, u *unnamed, of trace.Content, what string) {
	if u.some == 0 {
		return
	}
	const format = "names of %s: those of %d in %d are not in table StringIds (%s)"
	if u.beyond(of) {
		r.loseAloud(t, of, format, what, u.some, u.all, again)
		return
	}
	r.say(t, fmt.Sprintf(format, what, u.some, u.all, again))
}
