package trace

import (
	"cmp"
	"regexp"
	"slices"
)

// A call that launches has device work with its correlation id: in the captures from real
// machines that were looked at, every launch of a kernel and every copy between the first
// and the last that have some. Where many have none, device work was lost, whatever table
// or list it was in. Sets are not looked at: some leave nothing.

// Launch is what a call does, as far as device work follows from it.
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

// LaunchOf is what a call of CUDA or HIP does, by its name.
func LaunchOf(call string) Launch {
	for _, x := range launches {
		if x.calls.MatchString(call) {
			return x.as
		}
	}
	return LaunchesNothing
}

// Launched is a call that launches, or that begins or ends a capture of its lane.
type Launched struct {
	Start    int64
	Lane     int32 // thread or process
	As       Launch
	Answered bool // device work says to be launched by it
}

// Share is how many of all are concerned.
type Share struct{ Some, All int64 }

// Unanswered counts the launches of kernels and of copies that have no device work, of
// those between the first and the last that have some. calls are put in order of time.
func Unanswered(calls []Launched) (kernels, copies Share) {
	slices.SortStableFunc(calls, func(a, b Launched) int { return cmp.Compare(a.Start, b.Start) })
	var count, open [EndsCapture + 1]Share // open: since the last that has some
	capturing, begun := map[int32]bool{}, false
	for _, c := range calls {
		switch {
		case c.As == BeginsCapture || c.As == EndsCapture:
			capturing[c.Lane] = c.As == BeginsCapture
		case c.Answered:
			begun = true
			for as := range open {
				count[as] = Share{count[as].Some + open[as].Some, count[as].All + open[as].All}
				open[as] = Share{}
			}
			count[c.As].All++
		case begun && !capturing[c.Lane]:
			open[c.As] = Share{open[c.As].Some + 1, open[c.As].All + 1}
		}
	}
	return count[LaunchesKernel], count[LaunchesCopy]
}

// Unlaunched counts the device work whose launch is not known, of that between the first
// and the last whose launch is: before and behind, the capture may have been cut. t must
// be sorted.
func (t *Trace) Unlaunched() (count Share) {
	open := int64(0)
	for i := range t.Device {
		switch {
		case t.Device[i].Launch != NoTime:
			count, open = Share{count.Some + open, count.All + open + 1}, 0
		case count.All > 0:
			open++
		}
	}
	return count
}
