package kineto

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

const again = "record again, or export the trace again"

// contents are what the kinds of events are of what a capture holds.
var contents = map[kind]trace.Content{
	kindKernel: trace.Kernels, kindMemcpy: trace.Copies, kindMemset: trace.Copies, kindCall: trace.Calls,
	kindRange: trace.Ranges, kindOp: trace.Operators, kindPython: trace.Operators,
}

// contentOf is what an event is of what a capture holds.
func contentOf(e *event) trace.Content {
	if e.kind == kindOp && e.marker() {
		return trace.Ranges
	}
	return contents[e.kind]
}

// contentNames are what people call them.
var contentNames = []struct {
	of   trace.Content
	name string
}{
	{trace.Kernels, "kernels"}, {trace.Copies, "copies and sets"}, {trace.Calls, "calls of CUDA"},
	{trace.Ranges, "ranges"}, {trace.Operators, "operators and functions"},
}

// faulty counts events whose times say nothing. They are few, or the file is no good.
type faulty struct {
	endless  map[trace.Content]int64            // kept with no length: dur is missing, no number or negative
	named    map[trace.Content]map[string]int64 // these by name, as far as names are few
	timeless map[trace.Content]int64            // dropped: ts is none, or dur is longer than can be
}

// maxFaulty bounds the names of events without a duration that are told apart.
const maxFaulty = 1 << 10

// noEnd counts an event without a duration.
func (f *faulty) noEnd(e *event, name string) {
	of := contentOf(e)
	if f.endless == nil {
		f.endless, f.named = make(map[trace.Content]int64), make(map[trace.Content]map[string]int64)
	}
	f.endless[of]++
	if f.named[of] == nil {
		f.named[of] = make(map[string]int64)
	}
	if _, known := f.named[of][name]; known || len(f.named[of]) < maxFaulty {
		f.named[of][strings.Clone(name)]++
	}
}

// noTime counts an event that is dropped for its times.
func (f *faulty) noTime(e *event) {
	if f.timeless == nil {
		f.timeless = make(map[trace.Content]int64)
	}
	f.timeless[contentOf(e)]++
}

// events are how many events of a content were kept.
func (c *collector) events(of trace.Content) (n int64) {
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

// occurrences are how many events have a name.
func (c *collector) occurrences(of trace.Content) map[string]int64 {
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

// losses are what the file does not hold whole, once all events were read and connected.
func (c *collector) losses() (out []trace.Loss) {
	for _, x := range contentNames {
		endless, timeless := c.faulty.endless[x.of], c.faulty.timeless[x.of]
		if endless+timeless == 0 {
			continue
		}
		all := c.events(x.of) + timeless
		why := fmt.Sprintf("times of %s: %d of %d have none that can be (%s)", x.name, endless+timeless, all, again)
		if endless > 0 { // what was dropped is told already
			const format = "durations of %s: dur of %d in %d is missing, no number or negative, and they count as 0 (%s)"
			c.say(fmt.Sprintf(format, x.name, endless, all, again))
		}
		if x.of.Beyond(endless+timeless, all) || c.mostOfName(x.of) {
			out = append(out, trace.Loss{Of: x.of, Why: why})
		}
	}
	return append(out, c.lostDevice()...)
}

// mostOfName reports whether most events of any one name have no duration: they may be few
// and take most of the time.
func (c *collector) mostOfName(of trace.Content) bool {
	if len(c.faulty.named[of]) == 0 {
		return false
	}
	all := c.occurrences(of)
	for name, n := range c.faulty.named[of] {
		if 2*n > all[name] && all[name] > 0 {
			return true
		}
	}
	return false
}

func (c *collector) say(lacks string) { c.lacks = append(c.lacks, "lacks "+lacks) }

// lostDevice looks for device work that is not there: work without any kernel, since
// nothing copies for its own sake, and launches without any work.
func (c *collector) lostDevice() (out []trace.Loss) {
	if len(c.device) == 0 {
		return nil
	}
	lose := func(of trace.Content, format string, args ...any) {
		why := fmt.Sprintf(format, args...)
		c.say(why)
		out = append(out, trace.Loss{Of: of, Why: why})
	}
	kernels, copies := c.unanswered()
	if !slices.ContainsFunc(c.device, func(s trace.Span) bool { return s.Kind == trace.Kernel }) {
		lose(trace.Kernels|trace.Kinds, "kernels: the device copied, and no event has the category kernel "+
			"(record with activities=[CPU, CUDA])")
	} else if trace.Kernels.Beyond(kernels.Some, kernels.All) {
		lose(trace.Kernels, "a kernel for each launch: %d of %d have none (%s)", kernels.Some, kernels.All, again)
	}
	if trace.Copies.Beyond(copies.Some, copies.All) {
		lose(trace.Copies, "a copy for each call that copies: %d of %d have none (%s)", copies.Some, copies.All, again)
	}
	var unnamed trace.Share
	for i := range c.device {
		if s := &c.device[i]; s.Kind == trace.Kernel {
			if unnamed.All++; s.Name == 0 {
				unnamed.Some++
			}
		}
	}
	if trace.Kinds.Beyond(unnamed.Some, unnamed.All) {
		lose(trace.Kinds, "names of kernels: %d of %d have none (%s)", unnamed.Some, unnamed.All, again)
	}
	return out
}

// loseLaunches looks at the launches of what the device did.
func (c *collector) loseLaunches(t *trace.Trace) {
	if x := t.Unlaunched(); trace.Calls.Beyond(x.Some, x.All) {
		const format = "the calls that launch: %d of %d kernels, copies and sets have none (%s)"
		why := fmt.Sprintf(format, x.Some, x.All, again)
		t.Lose(trace.Calls, why)
		c.say(why)
	}
}

// unanswered counts the launches without device work. Most files have more work than
// launches; only of others, and where graphs make many kernels of one launch, the calls
// are held against the work one by one.
func (c *collector) unanswered() (kernels, copies trace.Share) {
	does := make([]trace.Launch, c.names.Len()) // by name, plus one
	var calls [trace.EndsCapture + 1]int64
	graphs := false
	of := func(l *link) trace.Launch {
		if does[l.name] == 0 {
			text := c.names.Text(l.name)
			does[l.name] = trace.LaunchOf(text) + 1
			graphs = graphs || strings.Contains(text, "GraphLaunch")
		}
		return does[l.name] - 1
	}
	for i := range c.calls {
		calls[of(&c.calls[i])]++
	}
	if !graphs && c.events(trace.Kernels) >= calls[trace.LaunchesKernel] && c.copied() >= calls[trace.LaunchesCopy] {
		return kernels, copies
	}
	links := slices.Clone(c.links)
	slices.Sort(links)
	var followed []trace.Launched
	at := 0
	for i := range c.calls { // in order of correlation
		l := &c.calls[i]
		for at < len(links) && links[at] < l.correlation {
			at++
		}
		if as := of(l); as != trace.LaunchesNothing {
			found := at < len(links) && links[at] == l.correlation
			followed = append(followed, trace.Launched{Start: l.start, Lane: l.process, As: as, Answered: found})
		}
	}
	return trace.Unanswered(followed)
}

// copied is the number of copies.
func (c *collector) copied() (n int64) {
	for i := range c.device {
		if c.device[i].Kind == trace.Memcpy {
			n++
		}
	}
	return n
}
