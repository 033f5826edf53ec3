package metric

import (
	"math"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// maxWindowSpans is how many spans a window outside of steps holds at most. The sets of a whole
// capture would take as much memory as the capture; those of a window stay in the processor's
// cache.
const maxWindowSpans = 1 << 15

// measureDevice measures a capture that is in memory, window by window: steps (those that overlap share a window), and
// the time between them.
func (m *measurer) measureDevice() {
	from := int64(math.MinInt64)
	for order := m.order; len(order) > 0; {
		first := &m.steps[order[0]]
		from = m.measureUntil(from, first.Start)
		n, to := 1, first.End
		for ; n < len(order) && m.steps[order[n]].Start < to; n++ {
			to = max(to, m.steps[order[n]].End)
		}
		m.measureWindow(from, to, order[:n])
		from, order = to, order[n:]
	}
	m.measureWindow(m.measureUntil(from, math.MaxInt64), math.MaxInt64, nil)
}

// measureUntil measures windows without steps from one time towards another, as long as there
// are more spans than one window may hold. It returns where the rest begins.
func (m *measurer) measureUntil(from, to int64) int64 {
	for {
		rest := m.rank.Trace.Device[m.spansSoFar:]
		if len(rest) <= maxWindowSpans || rest[maxWindowSpans].Start >= to {
			return from
		}
		cut := rest[maxWindowSpans].Start
		if cut <= from { // many begin at one instant
			cut = to
		}
		m.measureWindow(from, cut, nil)
		from = cut
		if cut == to {
			return from
		}
	}
}

// measureWindow measures the window [from, to) and the steps in it, given by index.
func (m *measurer) measureWindow(from, to int64, steps []int) {
	r := m.rank
	spans := r.Trace.Device[m.spansSoFar:]
	spans = spans[:startingAt(spans, to, spanStart)]
	r.makeSets(spans, to)
	m.spansSoFar += len(spans)
	for _, i := range steps {
		m.measureStep(i)
	}
	m.work.takeUntil(m.spansSoFar, outsideSteps, false)
	r.covered.add(r, from, to)
}

// coverage is how much time the device's work covers in the windows so far.
type coverage struct {
	busy, compute, comm, overlap, graphs int64 // ns
	gaps                                 run.Histogram
	lastEnd                              int64                 // the end of the last busy stretch, or NoTime
	activity                             *picture.ActivityBins // nil: none is asked for
	room                                 interval.Set
}

// add adds the window [from, to), for which the sets of the rank were made.
func (c *coverage) add(r *Rank, from, to int64) {
	busy := r.Busy.Within(&c.room, from, to)
	c.busy += busy.Total()
	for _, iv := range busy {
		if c.lastEnd != trace.NoTime {
			countGap(&c.gaps, c.lastEnd, iv.Start)
		}
		c.lastEnd = iv.End
	}
	c.compute += r.Compute.Within(&c.room, from, to).Total()
	c.comm += r.Comm.Within(&c.room, from, to).Total()
	c.overlap += r.Hidden.Within(&c.room, from, to).Total()
	c.graphs += r.Graphs.Within(&c.room, from, to).Total()
	if c.activity != nil {
		c.activity.Add(from, to, r.Busy, r.Compute, r.Comm, r.Hidden)
	}
}

// put writes the sums into those of the whole capture.
func (c *coverage) put(w *run.WholeCapture) {
	w.Busy, w.Compute, w.Comm, w.Graphs = c.busy, c.compute, c.comm, c.graphs
	w.Overlap, w.Exposed, w.Gaps = c.overlap, c.comm-c.overlap, c.gaps
}

// unionBuilder builds a set of time from intervals that come in order of start.
type unionBuilder struct {
	set        interval.Set
	start, end int64 // of its last interval
	any        bool
}

func (u *unionBuilder) add(start, end int64) {
	switch {
	case end <= start:
	case !u.any || start > u.end:
		u.next(start, end)
	case end > u.end:
		u.end = end
	}
}

func (u *unionBuilder) next(start, end int64) {
	if u.any {
		u.set = append(u.set, interval.Interval{Start: u.start, End: u.end})
	}
	u.start, u.end, u.any = start, end, true
}

// done returns the set up to a time, which only the last of its intervals may reach beyond.
func (u *unionBuilder) done(to int64) interval.Set {
	if u.any && u.start < to {
		u.set = append(u.set, interval.Interval{Start: u.start, End: min(u.end, to)})
	}
	return u.set
}

// classUnions are the sets of the device's work by its class.
type classUnions struct{ busy, compute, comm, memory, graphs unionBuilder }

func (x *classUnions) add(class trace.Class, start, end int64) {
	x.busy.add(start, end)
	switch class {
	case trace.ClassUnknown:
		x.graphs.add(start, end)
		x.compute.add(start, end)
	case trace.Compute:
		x.compute.add(start, end)
	case trace.Comm:
		x.comm.add(start, end)
	case trace.Memory:
		x.memory.add(start, end)
	}
}

// makeRoom makes room for the work of spans. The sets of a long step are megabytes, which
// would be copied several times while they grow, and make the heap grow with them.
func (x *classUnions) makeRoom(spans []trace.Span) {
	var count [trace.Memory + 1]int
	for i := range spans {
		count[spans[i].Class]++
	}
	grow := func(u *unionBuilder, n int) { u.set = trace.InLargePages(u.set.Room(n + 1)) }
	grow(&x.busy, len(spans))
	grow(&x.compute, count[trace.Compute]+count[trace.ClassUnknown])
	grow(&x.comm, count[trace.Comm])
	grow(&x.memory, count[trace.Memory])
	grow(&x.graphs, count[trace.ClassUnknown])
}

// runningWork is the work that still runs where a window ends: by class, when it ends.
type runningWork struct {
	at   int64
	ends [trace.Memory + 1]int64
}

// noneRuns says that no class runs; times can be before 0.
var noneRuns = [...]int64{trace.NoTime, trace.NoTime, trace.NoTime, trace.NoTime}

// makeSets builds the sets of the device's work for a window that ends at a time: from spans,
// which start in it, and from work that still ran when the window before it ended.
func (r *Rank) makeSets(spans []trace.Span, to int64) {
	x := classUnions{busy: unionBuilder{set: r.Busy[:0]}, compute: unionBuilder{set: r.Compute[:0]}, comm: unionBuilder{set: r.Comm[:0]},
		memory: unionBuilder{set: r.Memory[:0]}, graphs: unionBuilder{set: r.Graphs[:0]}}
	if len(spans) > cap(r.Busy) {
		x.makeRoom(spans)
	}
	before := r.runningWork
	r.runningWork = runningWork{at: to, ends: noneRuns}
	for class, end := range before.ends {
		if end > before.at {
			x.add(trace.Class(class), before.at, end)
			r.runningWork.ends[class] = end
		}
	}
	for i := range spans {
		s := &spans[i]
		x.add(s.Class, s.Start, s.End)
		if s.End > to {
			r.runningWork.ends[s.Class] = max(r.runningWork.ends[s.Class], s.End)
		}
	}
	r.Busy, r.Compute, r.Comm = x.busy.done(to), x.compute.done(to), x.comm.done(to)
	r.Memory, r.Graphs = x.memory.done(to), x.graphs.done(to)
	r.Hidden = interval.Intersect(r.Hidden.Room(len(r.Comm)+len(r.Compute)), r.Comm, r.Compute)
}

// lookAtDevice goes through all device work for what must be known before steps are measured.
func (r *Rank) lookAtDevice() {
	t := r.Trace
	if len(t.Device) > 0 {
		r.extent = trace.Interval{Start: t.Device[0].Start, End: t.Device[0].End}
	}
	for i := range t.Device {
		s := &t.Device[i]
		r.extent.End = max(r.extent.End, s.End)
		if s.End > s.Start {
			if r.busy.End == r.busy.Start {
				r.busy = trace.Interval{Start: s.Start, End: s.End}
			}
			r.busy.End = max(r.busy.End, s.End)
		}
		switch s.Class {
		case trace.Comm:
			r.commSpans++
			r.anyComm = r.anyComm || s.End > s.Start
		case trace.Memory:
			r.toDevice = r.toDevice || s.Bytes() > 0 && s.Kind == trace.Memcpy && s.Copy.String() == "h2d"
		}
	}
	r.toDevice = r.toDevice && t.Recorded.Has(trace.HasMemcpyBytes) && !r.lacks(trace.Copies)
}
