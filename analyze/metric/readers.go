package metric

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// readers counts threads that read at once. Reads come in order of start.
type readers struct {
	time, busy int64 // ns in which any reads, and the sum over threads
	until      int64 // when the last read so far ended
	threads    []readerThread
}

type readerThread struct {
	thread int32
	until  int64
}

// add adds a read of a thread.
func (x *readers) add(thread int32, from, to int64) {
	if to <= from {
		return
	}
	x.time += max(0, to-max(from, x.until))
	x.until = max(x.until, to)
	at := slices.IndexFunc(x.threads, func(t readerThread) bool { return t.thread == thread }) // a rank has few
	if at < 0 {
		at, x.threads = len(x.threads), append(x.threads, readerThread{thread, from})
	}
	t := &x.threads[at]
	x.busy += max(0, to-max(from, t.until)) // a call within another one reads the same
	t.until = max(t.until, to)
}

// atOnce returns how many threads read at once while any does, 0 without any.
func (x *readers) atOnce() float64 {
	if x.time == 0 {
		return 0
	}
	return float64(x.busy) / float64(x.time)
}

// readCalls finds the reading calls of the operating system in one step after the other.
type readCalls struct {
	reads []bool // by caller
	next  int    // the first call that no step has reached
	last  int64  // the start of the last step
	open  []trace.Call
}

// readersOf returns how many threads are in reading calls at once in a step. A call that lasts longer than
// the step waits for a pipe or a socket, and reads no file.
func (r *Rank) readersOf(s *Step) float64 {
	c, t := &r.readCalls, r.Trace
	if c.reads == nil {
		read := t.Names.Ask(trace.ReadCall)
		c.reads = trace.CallersOf(&t.Names.Callers, func(x trace.Caller) bool { return read(x.Name) })
	}
	lo, hi := s.Step.Start, s.Step.End
	if lo < c.last { // steps that overlap
		c.begin()
	}
	c.last = lo
	c.open = slices.DeleteFunc(c.open, func(x trace.Call) bool { return x.End() <= lo })
	for ; c.next < len(t.OS) && t.OS[c.next].Start < hi; c.next++ {
		if x := t.OS[c.next]; c.reads[x.By()] && x.End() > lo {
			c.open = append(c.open, x)
		}
	}
	x := readers{until: lo}
	for i := range c.open {
		if call := &c.open[i]; call.Start < hi && call.Length() < hi-lo {
			x.add(t.Names.Caller(*call).Thread, max(call.Start, lo), min(call.End(), hi))
		}
	}
	return x.atOnce()
}

// begin goes on with other calls, the open ones first.
func (c *readCalls) begin() { c.next, c.open = 0, c.open[:0] }

// emitReaders emits how many threads read at once: by the file accesses, or else by the calls that read.
func emitReaders(s *Step, emit Emit) {
	switch t := s.Rank.Trace; {
	case t.Recorded.Has(trace.HasFileBytes):
		if r := s.requests(); len(r.times) > 0 {
			emit("", r.readers)
		}
	case t.Recorded.Has(trace.HasOS) && !s.Rank.lacks(trace.SystemCalls):
		if n := s.Rank.readersOf(s); n > 0 {
			emit("", n)
		}
	}
}

// readersFrom names the source of emitReaders where it is not the usual one.
func readersFrom(r *Rank) string {
	if r.Trace.Recorded.Has(trace.HasFileBytes) {
		return ""
	}
	return run.SourceReadCalls
}
