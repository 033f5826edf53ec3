package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// A PyTorch that was built without Kineto (Debian's, or an older
// torch.autograd.profiler) writes a dialect of its own: a bare array of complete
// events without category, whose process is this text. They are all operators;
// what a program named is among them and told by the name alone.
const plainProcess = "CPU functions"

// plainEvents are what was seen of that dialect.
type plainEvents struct {
	seen  bool
	known bool // names among them that only the profiler gives
}

// addPlain takes in what an event of the dialect says of the whole: there is
// nothing else that tells what was observed, and of which process.
func (c *collector) addPlain(e *event) {
	p := &c.plain
	p.seen = true
	p.known = p.known || bytes.HasPrefix(e.name, atenPrefix) || bytes.HasPrefix(e.name, profilerStep)
	if e.marker() {
		return
	}
	if _, _, ok := c.times(e); ok {
		c.process(e.pid)
	}
}

var profilerStep = []byte("ProfilerStep#")

// isGloo reports whether a range is a collective of Gloo: gloo:all_reduce.
func isGloo(name []byte) bool { return bytes.HasPrefix(name, glooPrefix) }

var glooPrefix = []byte("gloo:")

// collectives are those of Gloo among the ranges. Gloo runs several at a time,
// each on a thread of its own.
func (c *collector) collectives(ranges []trace.Range) (out []trace.Call) {
	for _, r := range ranges {
		if isGloo([]byte(c.names.Text(r.Name))) {
			out = append(out, trace.Call{Start: r.Start, End: r.End, Name: r.Name, Thread: r.Thread})
		}
	}
	return out
}

// foreign reports whether events look like those of the dialect and none has a
// name of the profiler.
func (p *plainEvents) foreign() bool { return p.seen && !p.known }
