package analyze

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// deviceCounts holds what is counted over all the device's work once the steps are known, whether it is in memory at
// once or in parts.
type deviceCounts struct {
	spans  run.SpanCount
	sum    *fingerprint
	clocks *clockedWork
	second *step.SecondAnchor // nil: there are no steps
}

// newDeviceCounts starts a count. api and os are how many calls there are, as far as that is known.
func newDeviceCounts(t *trace.Trace, found *step.Found, api, os int) *deviceCounts {
	c := &deviceCounts{
		spans: run.SpanCount{Ranges: len(t.Ranges), Calls: api, OSCalls: os, FileCalls: len(t.Access)},
		sum:   newFingerprint(t), clocks: newClockedWork(found.Steps, t.Syncs),
	}
	if len(found.Steps) > 0 {
		c.second = step.NewSecondAnchor(t, found.Steps, found.Receipt.By)
	}
	return c
}

// inCache is how many spans are counted in all ways before the next: there are millions, which
// otherwise came from memory for each way anew.
const inCache = 2048

// add counts device spans, in order of start over all calls.
func (c *deviceCounts) add(spans []trace.Span) {
	for some := range slices.Chunk(spans, inCache) {
		countDevice(&c.spans, some)
		for i := range some { // at once: the digest waits for its multiplications, and the processor does the rest meanwhile
			c.sum.addSpan(&some[i])
			c.clocks.add(&some[i])
		}
		if c.second != nil {
			c.second.Add(some)
		}
	}
}

// receive puts what the second anchor found into the receipt.
func (c *deviceCounts) receive(r *run.Receipt) {
	if c.second != nil {
		r.Second = c.second.Text()
	}
}

// digest returns the digest of the trace that was counted.
func (c *deviceCounts) digest(t *trace.Trace) string {
	switch {
	case t.Logged != nil:
		return digestLogged(t.Logged)
	case c.sum.spans+len(t.Ranges)+c.spans.Calls+len(t.Ops)+len(t.Access)+c.spans.OSCalls+len(t.Timed) == 0:
		return ""
	}
	return c.sum.digest(c.spans.Calls, c.spans.OSCalls)
}
