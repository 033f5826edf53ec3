package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// plainProcess is the process of events that a PyTorch without Kineto wrote (Debian's build, or
// an older torch.autograd.profiler). Its dialect is a bare array of complete events without
// category. All of them are operators; the names that a program gave are among them and are
// recognised by the name alone.
const plainProcess = "CPU functions"

// plainEvents says what was seen of that dialect.
type plainEvents struct {
	seen  bool
	known bool // some names are known to be the profiler's
}

// addPlain counts an event of the dialect for the observed time and for its process: nothing else in such a file says
// these.
func (c *collector) addPlain(e *event) {
	p := &c.plain
	p.seen = true
	p.known = p.known || bytes.HasPrefix(e.name, atenPrefix) || bytes.HasPrefix(e.name, profilerStep)
	if e.isMarker() {
		return
	}
	if _, _, ok := c.timeOf(e); ok {
		c.process(e.pid)
	}
}

var profilerStep = []byte("ProfilerStep#")

// isGloo reports whether a range is a collective of Gloo, as gloo:all_reduce is.
func isGloo(name []byte) bool { return bytes.HasPrefix(name, glooPrefix) }

var glooPrefix = []byte("gloo:")

// collectives returns Gloo's collectives among the ranges. Gloo runs several at a time, each on a
// thread of its own.
func (c *collector) collectives(ranges []trace.Range) (out []trace.Call) {
	for _, r := range ranges {
		if isGloo([]byte(c.names.Text(r.Name))) {
			out = append(out, c.names.Call(r.Start, r.End, r.Name, r.Thread))
		}
	}
	return out
}

// ofOtherProgram reports whether events look like those of the dialect, and no name is the
// profiler's.
func (p *plainEvents) ofOtherProgram() bool { return p.seen && !p.known }
