package build

import (
	"cmp"
	"regexp"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// A call that launches has device work with its correlation id: in the captures from real
// machines that were looked at, every launch of a kernel and every copy between the first
// and the last that have some. Where many have none, device work was lost, whatever table
// or list it was in. Sets are not looked at: some leave nothing.

// Launch says what device work a call launches, if any.
type Launch uint8

// What calls do. What is launched within a capture becomes a graph and does not run.
const (
	LaunchesNothing Launch = iota
	LaunchesKernel         // or a graph
	LaunchesCopy
	BeginsCapture
	EndsCapture
)

var launches = []struct {
	calls *regexp.Regexp
	as    Launch
}{
	{regexp.MustCompile(`^(?:cuda|hip|cu)(?:LaunchHostFunc|LaunchByPtr)`), LaunchesNothing},
	{regexp.MustCompile(`^(?:cuda|hip|cu)(?:Launch|GraphLaunch|(?:Mod|Ext)\w*Launch)`), LaunchesKernel},
	{regexp.MustCompile(`^(?:cuda|hip|cu)Memcpy`), LaunchesCopy},
	{regexp.MustCompile(`^(?:cuda|hip|cu)StreamBeginCapture`), BeginsCapture},
	{regexp.MustCompile(`^(?:cuda|hip|cu)StreamEndCapture`), EndsCapture},
}

// LaunchOf returns what a call of CUDA or HIP launches, by its name.
func LaunchOf(call string) Launch { return launchOf(call) }

var launchOf = kernelname.Remember(func(call string) Launch {
	for _, x := range launches {
		if x.calls.MatchString(call) {
			return x.as
		}
	}
	return LaunchesNothing
})

// Launched is a call that launches, or that begins or ends a capture of its lane.
type Launched struct {
	Start    int64
	Lane     int32 // thread or process
	As       Launch
	Answered bool // device work says to be launched by it
}

// Launching returns the calls that launch, or that begin or end a capture; answered reports for each whether device
// work names it as its launch.
func Launching(names *trace.Names, calls []trace.Call, answered func(call int) bool) (out []Launched) {
	as := trace.CallersOf(&names.Callers, func(x trace.Caller) Launch { return LaunchOf(names.Text(x.Name)) })
	for i, c := range calls {
		if does := as[c.By()]; does != LaunchesNothing {
			out = append(out, Launched{Start: c.Start, Lane: names.Caller(c).Thread, As: does, Answered: answered(i)})
		}
	}
	return out
}

// Unanswered counts launches of kernels and of copies without device work, among those between the first and the last
// launch that have some. It sorts calls by time.
func Unanswered(calls []Launched) (kernels, copies Share) {
	var a Answers
	a.Add(calls)
	return a.Unanswered()
}

// Answers counts launches that come a stretch of time after the other.
type Answers struct {
	count, open [EndsCapture + 1]Share // open: since the last that has device work
	capturing   map[int32]bool         // by lane
	begun       bool
}

// Add adds calls that start after all earlier ones, and sorts them by time.
func (a *Answers) Add(calls []Launched) {
	slices.SortStableFunc(calls, func(a, b Launched) int { return cmp.Compare(a.Start, b.Start) })
	if a.capturing == nil {
		a.capturing = map[int32]bool{}
	}
	for _, c := range calls {
		switch {
		case c.As == BeginsCapture || c.As == EndsCapture:
			a.capturing[c.Lane] = c.As == BeginsCapture
		case c.Answered:
			a.begun = true
			for as, open := range a.open {
				a.count[as] = Share{a.count[as].Some + open.Some, a.count[as].All + open.All}
			}
			a.open = [EndsCapture + 1]Share{}
			a.count[c.As].All++
		case a.begun && !a.capturing[c.Lane]:
			a.open[c.As] = Share{a.open[c.As].Some + 1, a.open[c.As].All + 1}
		}
	}
}

// Unanswered counts over all calls so far, as the function of that name does.
func (a *Answers) Unanswered() (kernels, copies Share) {
	return a.count[LaunchesKernel], a.count[LaunchesCopy]
}

// UnlaunchedIn counts the device work of a sorted trace whose launch is not known, between the first and the last work
// whose launch is: before and after, the capture may have been cut.
func UnlaunchedIn(t *trace.Trace) Share {
	var u Unlaunched
	u.Add(t.Device)
	return u.Share
}

// Unlaunched counts device work without a known launch, given one stretch of time after the other.
type Unlaunched struct {
	Share
	open int64 // since the last whose launch is known
}

// Add takes device work, in order of start over all calls.
func (u *Unlaunched) Add(spans []trace.Span) {
	known := func(s trace.Span) bool { return s.Launch != trace.NoTime }
	if u.All == 0 {
		spans = spans[max(0, slices.IndexFunc(spans, known)):]
	}
	last := len(spans) - 1
	for last >= 0 && !known(spans[last]) {
		last--
	}
	if last >= 0 {
		none := int64(0)
		for i := range spans[:last+1] {
			if spans[i].Launch == trace.NoTime {
				none++
			}
		}
		u.Share, u.open = Share{u.Some + u.open + none, u.All + u.open + int64(last+1)}, 0
	}
	if u.All > 0 {
		u.open += int64(len(spans) - last - 1)
	}
}
