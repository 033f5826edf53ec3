package kineto

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// recordAgain is the remedy for a file that lacks something.
const recordAgain = "record again, or export the trace again"

// contentOfKind says which part of a capture's content an event of a kind is.
var contentOfKind = map[kind]trace.Content{
	kindKernel: trace.Kernels, kindMemcpy: trace.Copies, kindMemset: trace.Copies, kindCall: trace.Calls,
	kindRange: trace.Ranges, kindOp: trace.Operators, kindPython: trace.Operators,
}

// contentOf returns the part of the capture's content that an event belongs to.
func contentOf(e *event) trace.Content {
	if e.kind == kindOp && e.isMarker() {
		return trace.Ranges
	}
	return contentOfKind[e.kind]
}

// badTimes counts events with impossible times. In a good file there are few.
type badTimes struct {
	endless       map[trace.Content]int64            // kept with length 0: dur is missing, negative or no number
	endlessByName map[trace.Content]map[string]int64 // the same by name, as far as names are few
	timeless      map[trace.Content]int64            // dropped: ts is missing or no time, or dur is too long
}

// maxNamesCounted bounds the names in endlessByName.
const maxNamesCounted = 1 << 10

// countNoDuration counts an event without a usable duration.
func (f *badTimes) countNoDuration(e *event, name string) {
	of := contentOf(e)
	if f.endless == nil {
		f.endless, f.endlessByName = make(map[trace.Content]int64), make(map[trace.Content]map[string]int64)
	}
	f.endless[of]++
	if f.endlessByName[of] == nil {
		f.endlessByName[of] = make(map[string]int64)
	}
	if _, known := f.endlessByName[of][name]; known || len(f.endlessByName[of]) < maxNamesCounted {
		f.endlessByName[of][strings.Clone(name)]++
	}
}

// countNoTime counts an event that is dropped for its time or duration.
func (f *badTimes) countNoTime(e *event) {
	if f.timeless == nil {
		f.timeless = make(map[trace.Content]int64)
	}
	f.timeless[contentOf(e)]++
}

// completeness looks, once all events were read and linked, for things that must have been there and are missing.
type completeness struct{ *collector }

// countEvents returns how many events of a content were kept.
func (c completeness) countEvents(of trace.Content) (n int64) {
	switch of {
	case trace.Kernels, trace.Copies:
		for i := range c.device {
			if (c.device[i].Kind == trace.Kernel) == (of == trace.Kernels) {
				n++
			}
		}
	case trace.Operators:
		n = c.framework
	default:
		for _, p := range c.procs {
			if n += int64(len(p.api)); of == trace.Ranges {
				n += int64(len(p.ranges) - len(p.api))
			}
		}
	}
	return n
}

// countByName returns how many events of a content have each name.
func (c completeness) countByName(of trace.Content) map[string]int64 {
	out := make(map[string]int64)
	switch of {
	case trace.Kernels, trace.Copies:
		for i := range c.device {
			out[c.names.Text(c.device[i].Name)]++
		}
	case trace.Ranges:
		for _, p := range c.procs {
			for i := range p.ranges {
				out[c.names.Text(p.ranges[i].Name)]++
			}
		}
	}
	return out
}

// checkTimes looks for contents whose times cannot be. All events must have been read and linked.
func (c completeness) checkTimes() {
	for _, of := range []trace.Content{trace.Kernels, trace.Copies, trace.Calls, trace.Ranges, trace.Operators} {
		endless, timeless := c.badTimes.endless[of], c.badTimes.timeless[of]
		if endless+timeless == 0 {
			continue
		}
		all, name := c.countEvents(of)+timeless, build.NameOf(of, "CUDA")
		if endless > 0 { // what was dropped is told already
			c.losses.Warn("lacks durations of %s: dur of %d in %d is missing, no number or negative, and they count as 0 (%s)",
				name, endless, all, recordAgain)
		}
		if of.Beyond(endless+timeless, all) || c.mostOfOneName(of) {
			c.losses.Lose(of, build.TimesLost, name, endless+timeless, all, recordAgain)
		}
	}
}

// mostOfOneName reports whether most events of some name have no duration. Such events may be few and still take most
// of the time.
func (c completeness) mostOfOneName(of trace.Content) bool {
	if len(c.badTimes.endlessByName[of]) == 0 {
		return false
	}
	all := c.countByName(of)
	for name, n := range c.badTimes.endlessByName[of] {
		if 2*n > all[name] && all[name] > 0 {
			return true
		}
	}
	return false
}

// checkWork looks for device work that must be missing: there are copies and no kernel at all, or calls that launch
// work and none of that work.
func (c completeness) checkWork() {
	if len(c.device) == 0 && len(c.unread) == 0 {
		return
	}
	var kernelNames build.Share // those without
	for i := range c.device {
		if s := &c.device[i]; s.Kind == trace.Kernel {
			kernelNames.Count(s.Name == 0)
		}
	}
	kernels, copies := c.launchesWithoutWork()
	switch {
	case kernelNames.All > 0:
	case len(c.unread) > 0:
		c.losses.Lack(trace.Kernels|trace.Kinds, "kernels: %s", unreadText(c.unread))
		kernels = build.Share{}
	default:
		c.losses.Lack(trace.Kernels|trace.Kinds, "kernels: the device copied, and no event has the category kernel "+
			"(record with activities=[CPU, CUDA])")
		kernels = build.Share{}
	}
	c.losses.LackAnswers(kernels, copies, recordAgain)
	c.losses.LackNames(kernelNames, recordAgain)
}

// checkLaunches looks for device work of a trace whose launches are missing, or whose times cannot be.
func (c completeness) checkLaunches(t *trace.Trace) {
	if why := build.EnclosingLost(t, recordAgain); why != "" {
		t.Lose(trace.Kernels, why)
		c.losses.Warn("lacks %s", why)
	}
	if x := build.UnlaunchedIn(t); trace.Calls.Beyond(x.Some, x.All) {
		const format = "the calls that launch: %d of %d kernels, copies and sets have none (%s)"
		why := fmt.Sprintf(format, x.Some, x.All, recordAgain)
		t.Lose(trace.Calls, why)
		c.losses.Warn("lacks %s", why)
	}
}

// launchesWithoutWork counts launches whose device work is missing. Most files have at least as much work as launches,
// and then none is missing. Only in others, and where graphs make many kernels of one launch, each call is looked up.
func (c completeness) launchesWithoutWork() (kernels, copies build.Share) {
	does := make([]build.Launch, c.names.Len()) // by name, plus one
	var calls [build.EndsCapture + 1]int64
	graphs := false
	of := func(l *launchCall) build.Launch {
		if does[l.name] == 0 {
			text := c.names.Text(l.name)
			does[l.name] = build.LaunchOf(text) + 1
			graphs = graphs || strings.Contains(text, "GraphLaunch")
		}
		return does[l.name] - 1
	}
	for i := range c.launchCalls {
		calls[of(&c.launchCalls[i])]++
	}
	if !graphs && c.countEvents(trace.Kernels) >= calls[build.LaunchesKernel] && c.countCopies() >= calls[build.LaunchesCopy] {
		return kernels, copies
	}
	links := slices.Clone(c.links)
	slices.Sort(links)
	var followed []build.Launched
	at := 0
	for i := range c.launchCalls { // in order of correlation
		l := &c.launchCalls[i]
		for at < len(links) && links[at] < l.correlation {
			at++
		}
		if as := of(l); as != build.LaunchesNothing {
			found := at < len(links) && links[at] == l.correlation
			followed = append(followed, build.Launched{Start: l.start, Lane: l.process, As: as, Answered: found})
		}
	}
	return build.Unanswered(followed)
}

// countCopies returns the number of copies.
func (c completeness) countCopies() (n int64) {
	for i := range c.device {
		if c.device[i].Kind == trace.Memcpy {
			n++
		}
	}
	return n
}
