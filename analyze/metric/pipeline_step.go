package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/trace"
)

// pairStep holds what is needed of a step with point-to-point calls to measure how long a pipeline idles. It holds
// only sums of the idle time: a large rank has hundreds of thousands of gaps.
type pairStep struct {
	idle    int64       // ns, in all
	until   []idleUntil // for each start and end of such a call, in order
	before  int64       // ns of compute before the step's first such call was done
	batches []pipeline.Batch
}

// idleUntil is how long the device idled in the step before a moment, in ns.
type idleUntil struct{ at, idle int64 }

// sumIdle sums up the gaps of a step, which has these communication kernels.
func (x *pairStep) sumIdle(gaps interval.Set, spans []collective.Span) {
	for i := range spans {
		if isPair(&spans[i]) {
			x.until = append(x.until, idleUntil{at: spans[i].Start}, idleUntil{at: spans[i].End})
		}
	}
	slices.SortFunc(x.until, func(a, b idleUntil) int { return cmp.Compare(a.at, b.at) })
	x.until = slices.Clip(slices.Compact(x.until))
	i := 0
	for _, g := range gaps {
		for ; i < len(x.until) && x.until[i].at < g.End; i++ {
			x.until[i].idle = x.idle + max(0, x.until[i].at-g.Start)
		}
		x.idle += g.End - g.Start
	}
	for ; i < len(x.until); i++ {
		x.until[i].idle = x.idle
	}
}

// idleBefore returns the idle time before a start or an end of one of the calls.
func (x *pairStep) idleBefore(at int64) int64 {
	i, _ := slices.BinarySearchFunc(x.until, at, func(u idleUntil, at int64) int { return cmp.Compare(u.at, at) })
	if i == len(x.until) {
		return x.idle
	}
	return x.until[i].idle
}

// isPair reports whether a kernel exchanges data with single ranks.
func isPair(s *collective.Span) bool { return s.PointToPoint() }

// keepPairs keeps what else a step with point-to-point calls shows.
func (x *commCollector) keepPairs(i int, s *Step, spans []collective.Span) {
	first := 0
	for first < len(spans) && !isPair(&spans[first]) { // by index, since a copy of each costs more than the question
		first++
	}
	if first == len(spans) {
		return
	}
	if x.out.Pairs == nil {
		x.out.Pairs = map[int]pairStep{}
	}
	st := s.Window.Step
	kept := pairStep{
		before:  s.Compute.Clip(nil, st.Start, min(st.End, spans[first].End)).Total(),
		batches: x.batchesOf(st),
	}
	kept.sumIdle(s.Gaps, spans)
	x.out.Pairs[i] = kept
}

// batchesOf returns the micro-batches whose forward passes have a range in a step.
func (x *commCollector) batchesOf(st trace.Step) (out []pipeline.Batch) {
	if st.HostStart == trace.NoTime || st.HostEnd == trace.NoTime || st.HostEnd <= st.HostStart {
		return nil
	}
	for _, r := range startingIn(x.rank.Trace.Ranges, st.HostStart, st.HostEnd, rangeStart) {
		if x.namesBatch(r.Name) {
			out = append(out, x.batches[r.Name])
		}
	}
	return out
}

// namesBatch reports whether a range's name names a micro-batch, and remembers it. Each name is looked at once: a
// capture can have a different one for every range.
func (x *commCollector) namesBatch(id trace.NameID) bool {
	const no, yes = 1, 2
	if int(id) >= len(x.isBatch) {
		x.isBatch = append(x.isBatch, make([]uint8, max(x.rank.Trace.Names.Len(), int(id)+1)-len(x.isBatch))...)
	}
	if x.isBatch[id] == 0 {
		x.isBatch[id] = no
		if b, is := pipeline.BatchOf(x.rank.Trace.Names.Text(id)); is {
			if x.batches == nil {
				x.batches = map[trace.NameID]pipeline.Batch{}
			}
			x.isBatch[id], x.batches[id] = yes, b
		}
	}
	return x.isBatch[id] == yes
}

// beginsLater is how much a later stage may compute before it has received, as a share of what the first stage
// computes before it sends. Chosen, not measured: a later stage can do nothing before, but for what each step begins
// with.
const beginsLater = 0.5
