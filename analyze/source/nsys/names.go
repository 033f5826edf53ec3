package nsys

import (
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// namelessCount counts rows and their time in ns, both for all rows and for those without a name.
type namelessCount struct{ without, all, withoutTime, allTime int64 }

func (u *namelessCount) add(named bool, length int64) {
	u.all, u.allTime = u.all+1, u.allTime+length
	if !named {
		u.without, u.withoutTime = u.without+1, u.withoutTime+length
	}
}

// tooMany reports whether more rows, or more of their time, lack a name than a content may lose.
func (u *namelessCount) tooMany(of trace.Content) bool {
	return of.Beyond(u.without, u.all) || of.Beyond(u.withoutTime, u.allTime)
}

// loseNames counts the rows of a trace whose names are not in the file: what a kernel is, and what a call does, only
// its name tells.
func (r *reader) loseNames(t *trace.Trace) {
	if r.nameless || r.inParts { // in parts, names are given later
		r.loseNamesOfRows(t)
	}
	if n := r.words.lost; n > 0 && len(t.Ranges) > 0 {
		var ranges namelessCount // one that the program gave no name has none to lose
		for i := range t.Ranges {
			ranges.add(t.Ranges[i].Name != 0, 0)
		}
		r.loseNameless(t, &ranges, trace.Ranges, "ranges")
	}
}

// loseNamesOfRows does what loseNames does for kernels and calls.
func (r *reader) loseNamesOfRows(t *trace.Trace) {
	var kernels namelessCount
	for i := range t.Device {
		if s := &t.Device[i]; s.Kind == trace.Kernel {
			kernels.add(s.Name != 0, s.End-s.Start)
		}
	}
	r.loseNameless(t, &kernels, trace.Kinds, "kernels")
	named := trace.CallersOf(&t.Names.Callers, func(x trace.Caller) bool { return x.Name != 0 })
	for _, of := range []struct {
		content trace.Content
		list    []trace.Call
		what    string
	}{
		{trace.Calls, t.API, "calls of CUDA"}, {trace.SystemCalls, t.OS, "calls of the system"},
		{trace.MPICalls, t.MPI, "calls of MPI"},
	} {
		var calls namelessCount
		for i := range of.list {
			calls.add(named[of.list[i].By()], of.list[i].Length())
		}
		r.loseNameless(t, &calls, of.content, of.what)
	}
}

func (r *reader) loseNameless(t *trace.Trace, u *namelessCount, of trace.Content, what string) {
	if u.without == 0 {
		return
	}
	const format = "names of %s: those of %d in %d are not in table StringIds (%s)"
	if u.tooMany(of) {
		build.Lack(t, of, format, what, u.without, u.all, again)
		return
	}
	build.Warn(t, "lacks "+format, what, u.without, u.all, again)
}
