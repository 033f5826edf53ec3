package nsys

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"perfdiff/analyze/trace"
)

// A call that launches has a row of device work with its correlation id: in ten captures
// from real machines that were looked at, every launch of a kernel and every copy between
// the first and the last that have one. Where many have none, rows of device work are
// gone, whatever table they were in. Sets are not looked at: some have no row.

// launch is what a call does as far as that is followed.
type launch uint8

const (
	launchNothing launch = iota
	launchKernel         // or a graph
	launchCopy
	captureBegin // what is launched within a capture becomes a graph and does not run
	captureEnd
)

var launchCalls = []struct {
	calls *regexp.Regexp
	as    launch
}{
	{regexp.MustCompile(`^(?:cuda|hip|cu)(?:LaunchHostFunc|LaunchByPtr)`), launchNothing},
	{regexp.MustCompile(`^(?:cuda|hip|cu)(?:Launch|GraphLaunch|(?:Mod|Ext)\w*Launch)`), launchKernel},
	{regexp.MustCompile(`^(?:cuda|hip|cu)Memcpy`), launchCopy},
	{regexp.MustCompile(`^(?:cuda|hip|cu)StreamBeginCapture`), captureBegin},
	{regexp.MustCompile(`^(?:cuda|hip|cu)StreamEndCapture`), captureEnd},
}

func launchOf(call string) launch {
	for _, x := range launchCalls {
		if x.calls.MatchString(call) {
			return x.as
		}
	}
	return launchNothing
}

// answers remembers of the last call of a process whether any span says to be launched by it.
func (p *process) answers(found bool) {
	at, name := len(p.api)-1, int(p.api[len(p.api)-1].Name)
	if at>>6 >= len(p.answered) {
		p.answered = append(p.answered, 0)
	}
	if found {
		p.answered[at>>6] |= 1 << (at & 63)
		return
	}
	if n := name + 1 - len(p.without); n > 0 {
		p.without = append(p.without, make([]int32, n+64)...)
	}
	p.without[name]++
}

// hasKernels reports whether any kernel or graph of the process is there.
func (p *process) hasKernels() bool {
	for _, d := range p.devices {
		if slices.ContainsFunc(d.spans, isKernel) {
			return true
		}
	}
	return false
}

func isKernel(s trace.Span) bool { return s.Kind == trace.Kernel || s.Kind == trace.Graph }

// unansweredLaunches are the losses that the calls of a process tell of. Most captures
// have hardly such a call; only of others all calls are looked at once more.
func (r *reader) unansweredLaunches(p *process) (losses []trace.Loss) {
	if !r.anyDevice || r.damaged&(trace.HasDevice|trace.HasLaunches) != 0 {
		return nil
	}
	suspicious := false
	for at, n := range p.without {
		if n > 0 {
			as := launchOf(r.words.text[at])
			suspicious = suspicious || as == launchCopy || as == launchKernel && p.hasKernels()
		}
	}
	if !suspicious {
		return nil
	}
	count := r.countAnswers(p)
	for _, x := range []struct {
		of   trace.Content
		as   launch
		what string
	}{{trace.Kernels, launchKernel, "a kernel for each launch"}, {trace.Copies, launchCopy, "a copy for each call that copies"}} {
		if x.as == launchKernel && !p.hasKernels() {
			continue // loseDevice says that
		}
		if c := count[x.as]; c.some > 0 && beyond(x.of, c.some, c.all) {
			why := fmt.Sprintf("%s: %d of %d have none (%s)", x.what, c.some, c.all, again)
			r.warn("lacks %s", why)
			losses = append(losses, trace.Loss{Of: x.of, Why: why})
		}
	}
	return losses
}

// calledAt is a call that is followed.
type calledAt struct {
	start  int64
	thread int32
	as     launch
	found  bool // a span says to be launched by it
}

// followed are the calls of a process that are, in order of time.
func (r *reader) followed(p *process) (calls []calledAt) {
	kinds := make([]launch, len(r.words.text)) // by word, plus one
	for i := range p.api {
		c := &p.api[i]
		if kinds[c.Name] == 0 {
			kinds[c.Name] = launchOf(r.words.text[c.Name]) + 1
		}
		if as := kinds[c.Name] - 1; as != launchNothing {
			calls = append(calls, calledAt{c.Start, c.Thread, as, p.answered[i>>6]>>(i&63)&1 == 1})
		}
	}
	slices.SortStableFunc(calls, func(a, b calledAt) int { return cmp.Compare(a.start, b.start) })
	return calls
}

// countAnswers counts the launches of a process, and those without any device work,
// between the first and the last that have some, outside of the capture of graphs.
func (r *reader) countAnswers(p *process) (count [captureEnd + 1]unnamed) {
	var open, none [captureEnd + 1]unnamed // since the last that has some
	capturing, begun := map[int32]bool{}, false
	for _, c := range r.followed(p) {
		switch {
		case c.as == captureBegin || c.as == captureEnd:
			capturing[c.thread] = c.as == captureBegin
		case c.found:
			begun = true
			open[c.as].add(true, 0)
			for as := range open {
				count[as].plus(&open[as])
			}
			open = none
		case begun && !capturing[c.thread]:
			open[c.as].add(false, 0)
		}
	}
	return count
}
