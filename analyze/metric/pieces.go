package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/idle"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Lookahead is how much time after a piece must be known, in ns: the next launch of another
// thread tells how long its launches hold the step's thread up, and the next span ends a gap at
// the end of the piece.
const Lookahead = idle.Lookahead

// carriedSpans is how many spans of the device are carried into the next piece besides those that still run: the ones
// that a step looks back at.
const carriedSpans = picture.MaxSpansBack

// Pieces measures a capture that is too large for memory, one piece after the other in order of time. A piece is what
// starts in a stretch of time that cuts no step in two; what reaches into the next piece is carried over. Each row
// counts in the piece in which it starts, and in the same order as if all were one piece, so that all numbers are the
// same to the bit.
type Pieces struct {
	trace.Stretch // of the piece, with what was carried into it at the front

	rank    *Rank
	outline *trace.Outline
	steps   []trace.Step
	m       *measurer
	next    int // in the measured steps' order: the first that no piece has reached

	spans    int // of the device, so far
	project  []trace.Step
	launched []trace.Span // of the steps in which ranges are projected

	launchedTo int64 // until when they were kept
}

// NewPieces prepares measuring the steps of t, which holds everything but device work and
// calls. bars is how many a cut has at most; spans is the number of the device's spans, without
// those that are left out as double; [lo, hi) is the time that Activity shows.
func NewPieces(t *trace.Trace, o *trace.Outline, thread int32, steps []trace.Step, bars, spans int,
	lo, hi int64) *Pieces {
	r := newRank(t, thread)
	r.Bars, r.extent, r.busy = bars, o.Device, o.Busy
	r.anyComm = o.Comm
	r.toDevice = o.ToDevice && t.Recorded.Has(trace.HasMemcpyBytes) && !r.lacks(trace.Copies)
	r.MPI, r.Gloo, r.longestAccess = mpiCalls(t), glooCalls(t), longestAccess(t.Access)
	r.process = idle.NewProcessInPieces(t, o, thread)
	p := &Pieces{rank: r, outline: o, steps: steps, launchedTo: trace.NoTime}
	p.m = newMeasurer(r, steps, spans)
	r.StartActivity(lo, hi)
	r.host = newHostSums(r, steps)
	r.host.addRanges(t)
	p.project = r.stepsToProject(steps, spans)
	return p
}

// Measure measures the piece [from, to). Its rows were added to the stretch after those that were carried over. It
// returns how many calls of CUDA and of the system start in it.
func (p *Pieces) Measure(from, to int64) (api, os int) {
	r, t := p.rank, p.rank.Trace
	calls := p.API[:startingAt(p.API, to, callStart)]
	t.Device, t.API, t.OS = p.Device, calls, p.OS[:startingAt(p.OS, to, callStart)]
	r.makeSets(t.Device, math.MaxInt64)
	r.readCalls.begin()
	r.process.BeginPiece(from, to, p.API[len(calls):])
	if x := p.m.gaps; x != nil {
		x.BeginPiece()
	}
	p.m.work.at = p.Carried.Device
	if x := p.m.path; x != nil {
		x.scan.BeginPiece(p.Carried.Device)
	}
	for ; p.next < len(p.m.order) && p.steps[p.m.order[p.next]].Start < to; p.next++ {
		i := p.m.order[p.next]
		p.m.measureStep(i)
		p.keepLaunched(p.steps[i])
	}
	if x := p.m.path; x != nil {
		x.scan.Pass(p.Device[:startingAt(p.Device, to, spanStart)])
	}
	api, os = len(t.API)-p.Carried.API, len(t.OS)-p.Carried.OS
	p.addToCapture(from, to, p.NewSpans(to))
	p.carry(to, p.Device[:startingAt(p.Device, to, spanStart)])
	return api, os
}

// keepLaunched keeps the spans of a step in which ranges are projected; once where steps
// overlap.
func (p *Pieces) keepLaunched(st trace.Step) {
	if slices.ContainsFunc(p.project, func(x trace.Step) bool { return x.Start == st.Start && x.End == st.End }) {
		p.launched = append(p.launched, startingIn(p.rank.Trace.Device, max(st.Start, p.launchedTo), st.End, spanStart)...)
		p.launchedTo = max(p.launchedTo, st.End)
	}
}

// addToCapture adds what starts in the piece to the sums of the whole capture.
func (p *Pieces) addToCapture(from, to int64, spans []trace.Span) {
	r, t := p.rank, p.rank.Trace
	api, os := t.API[p.Carried.API:], t.OS[p.Carried.OS:]
	p.spans += len(spans)
	p.m.work.takeUntil(p.Carried.Device+len(spans), outsideSteps, false)
	r.host.api.addCalls(api)
	r.host.os.addCalls(os)
	r.covered.add(r, from, to)
	r.process.EndPiece(api)
}

// carry moves what the next piece needs of this one to the front of the lists.
func (p *Pieces) carry(to int64, spans []trace.Span) {
	kept := 0
	for i := range spans {
		if spans[i].End > to || i >= len(spans)-carriedSpans {
			spans[kept] = spans[i]
			kept++
		}
	}
	p.Device, p.Carried.Device = spans[:kept], kept
	var walk *idle.GapScan
	if x := p.m.gaps; x != nil {
		walk = x.GapScan
	}
	p.API, p.OS = p.rank.process.CarryOpenCalls(walk, to)
	p.Carried.API, p.Carried.OS = len(p.API), len(p.OS)
}

// ProjectedAlike reports whether ranges were projected, and the host located, in the same steps
// as in a capture with Spans spans in memory.
func (p *Pieces) ProjectedAlike() bool {
	return slices.Equal(p.project, p.rank.stepsToProject(p.steps, p.spans)) &&
		(p.m.gaps == nil || p.m.gaps.PlacedAlike(p.steps, p.spans))
}

// Spans returns how many spans of the device there were so far, each once.
func (p *Pieces) Spans() int { return p.spans }

// NewSpans returns the spans of the device that start in the piece that ends at a time, once the
// stretch was filled.
func (p *Pieces) NewSpans(to int64) []trace.Span {
	return p.Device[p.Carried.Device:startingAt(p.Device, to, spanStart)]
}

// LaunchTimes returns the times of the launches whose calls Finish needs, in any order.
func (p *Pieces) LaunchTimes() (times []int64) {
	for i := range p.launched {
		if at := p.launched[i].Launch; at != trace.NoTime {
			times = append(times, at)
		}
	}
	return times
}

// Finish puts what was measured into a rank, and returns its communication and the cuts that it proposes for excerpts.
// calls holds the calls that start at LaunchTimes.
func (p *Pieces) Finish(k *run.Rank, calls []trace.Call) (Communication, []picture.Cut) {
	r, t := p.rank, p.rank.Trace
	p.Stretch, t.Device, t.API, t.OS = trace.Stretch{}, nil, nil, nil
	r.forgetWindow()
	k.Series = p.m.series()
	k.Activity = r.Activity()
	k.Work = r.KernelWork()
	r.host.sumUp()
	k.Stats = run.TopStats(append(r.keptDeviceStats(), r.host.keptStats()...))
	k.Whole, k.Lost, k.Calls = p.wholeCapture(), r.Lost(), r.Calls()
	k.Longest, k.Gaps, k.Places, k.PlacedSteps, k.Reads = r.Longest, r.Gaps, r.Places, r.Placed, r.Reads
	k.MemoryPeak = r.MemoryPeak(k.Steps)
	t.Device, t.API = p.launched, calls
	projected, looked := r.projectRanges(p.project)
	k.Stats, k.Projected, k.Launched = run.JoinStats(k.Stats, projected), looked, r.Launched()
	return p.m.comm.done(), r.Cuts
}

// wholeCapture does for pieces what Rank.WholeCapture does for a capture in memory.
func (p *Pieces) wholeCapture() *run.WholeCapture {
	r := p.rank
	host := r.host.extent()
	if r.lacks(deviceWork | trace.Kinds) { // a part of what the device did says nothing of all
		return &run.WholeCapture{Stats: r.host.captureStats(), Host: host.End - host.Start}
	}
	w := &run.WholeCapture{Stats: run.TopStatsAndOthers(append(r.device.stats(r), r.host.captureStats()...)), Host: host.End - host.Start,
		Device: p.outline.Device.End - p.outline.Device.Start, Launches: r.device.launches}
	r.covered.put(w)
	r.putSampled(w, p.outline.Device)
	return w
}
