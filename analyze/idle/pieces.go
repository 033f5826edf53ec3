package idle

import (
	"maps"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// Lookahead is how much time after a piece of a capture must be known, in ns: only the next launch of another thread
// shows whether its launches go on.
const Lookahead = maxLaunchInterval

// NewProcessInPieces does what NewProcess does for a capture that is too large for memory and comes in pieces in order
// of time. The trace holds everything but device work and calls; the outline has what must be known of these
// beforehand.
func NewProcessInPieces(t *trace.Trace, o *trace.Outline, thread int32) *Process {
	p := &Process{trace: t, thread: thread, deviceUse: o.Busy, lastLaunch: trace.NoTime, kinds: newCallKinds(t.Names), outline: o}
	if thread != 0 {
		p.threads.add(thread)
	}
	for _, c := range o.API {
		if p.kinds.of(c.Name) == causeLaunch {
			p.threads.add(c.Thread)
		}
	}
	p.inputRangesFound, p.InputNamed = p.inputRanges()
	p.InputKnown = p.InputNamed || thread != 0 && p.readsWhileDeviceUsed()
	return p
}

// readsWhileDeviceUsed reports whether the step's thread made system calls, and anybody read
// while the device was in use.
func (p *Process) readsWhileDeviceUsed() bool {
	if !slices.ContainsFunc(p.outline.OS, func(c trace.Caller) bool { return c.Thread == p.thread }) {
		return false
	}
	return p.outline.ReadsInUse || slices.ContainsFunc(p.trace.Access, func(a trace.FileAccess) bool {
		return a.Op == trace.OpRead && (p.deviceUse.End <= p.deviceUse.Start || a.Start >= p.deviceUse.Start && a.Start < p.deviceUse.End)
	})
}

// anyNonCUDA reports whether threads that count made calls that are not CUDA's.
func (p *Process) anyNonCUDA() bool {
	return slices.ContainsFunc(p.outline.OS, func(c trace.Caller) bool { return p.threads.has(c.Thread) }) ||
		slices.ContainsFunc(p.outline.API, func(c trace.Caller) bool {
			return p.kinds.of(c.Name) == causeHost && p.threads.has(c.Thread)
		})
}

// BeginPiece takes the piece [from, to), whose calls the trace holds now, and sets Input for
// it. ahead are calls of CUDA that start after it, within Lookahead.
func (p *Process) BeginPiece(from, to int64, ahead []trace.Call) {
	if p.thread != 0 {
		calls := p.systemCalls()
		for _, iv := range p.inputCalls(&calls, ahead).Clip(nil, from, to) {
			p.inputCallsSoFar = p.inputCallsSoFar.Add(iv.Start, iv.End)
		}
	}
	p.Input = interval.Union(nil, p.inputRangesFound, p.inputCallsSoFar)
}

// EndPiece takes the calls of CUDA that start in a piece, once its gaps were attributed.
func (p *Process) EndPiece(api []trace.Call) {
	for i := range api {
		if of := p.trace.Names.Caller(api[i]); p.threads.has(of.Thread) && of.Thread != p.thread && p.kinds.of(of.Name) == causeLaunch {
			p.lastLaunch = max(p.lastLaunch, api[i].End())
		}
	}
}

// BeginPiece goes on with the piece that the trace holds now.
func (w *GapScan) BeginPiece() {
	t := w.process.trace
	w.device, w.api.list, w.os.list = t.Device, t.API, t.OS
	if w.fullTime != nil {
		w.fullTime.beginPiece()
	}
}

// CarryOpenCalls moves calls that end after a time to the front of the trace's lists and returns them: they belong to
// the next piece too. The scan, which may be nil, goes on after those that it has seen.
func (p *Process) CarryOpenCalls(w *GapScan, to int64) (api, os []trace.Call) {
	var ofAPI, ofOS []*callCursor
	if w != nil {
		ofAPI, ofOS = []*callCursor{&w.api}, []*callCursor{&w.os}
		if h := w.fullTime; h != nil {
			ofOS = append(ofOS, &h.reading)
		}
	}
	return moveOpenToFront(p.trace.API, to, ofAPI), moveOpenToFront(p.trace.OS, to, ofOS)
}

// moveOpenToFront moves the calls that end after a time to the front and returns them. The cursors then stand after
// those that they have passed.
func moveOpenToFront(calls []trace.Call, to int64, cursors []*callCursor) (kept []trace.Call) {
	passed := make([]int, len(cursors))
	kept = calls[:0]
	for i := range calls {
		if calls[i].End() <= to {
			continue
		}
		for k, c := range cursors {
			if i < c.next {
				passed[k]++
			}
		}
		kept = append(kept, calls[i])
	}
	for k, c := range cursors {
		c.next = passed[k]
	}
	return kept
}

// PlacedAlike reports whether the scan located the host in the same steps in which it does for
// a capture with so many spans in memory. Their number is known only when all pieces have
// passed.
func (w *GapScan) PlacedAlike(steps []trace.Step, spans int) bool {
	return maps.Equal(w.placedSteps, placedSteps(steps, spans))
}
