package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// lookBack is how many spans before a step may run into it.
const lookBack = 256

// lanes are those of the classes of device work.
var lanes = [...]run.Lane{trace.ClassUnknown: run.LaneCompute, trace.Compute: run.LaneCompute, trace.Comm: run.LaneComm, trace.Memory: run.LaneMemory}

// painter draws strips of a rank. A name is worked out once for all strips.
type painter struct {
	r       *Rank
	markers map[int64]bool // when the ranges of steps begin
	texts   []string
	places  map[string]int32 // in texts
	kernels []int32          // 1 + place, by name of a kernel; 0 not looked at
	ranges  []int32          // likewise of ranges

	from, to int64   // of the step that is drawn
	local    []int32 // 1 + place in the strip's names, by place
	named    []int32 // the strip's names: their places
	lanes    [run.LaneRange + 1][]run.StripSpan
	gaps     []paintedGap    // of the step
	bars     []run.StripSpan // scratch
	room     []int64         // likewise
	names    []string        // scratch: of the strip
}

// paintedGap is a gap with what most of it is due to.
type paintedGap struct {
	interval.Interval
	cause cause
}

func newPainter(r *Rank, markers map[int64]bool) *painter {
	n := r.Trace.Names.Len()
	return &painter{r: r, markers: markers, places: map[string]int32{}, kernels: make([]int32, n), ranges: make([]int32, n)}
}

// place is that of a text.
func (p *painter) place(text string) int32 {
	at, ok := p.places[text]
	if !ok {
		at = int32(len(p.texts))
		p.places[text] = at
		p.texts, p.local = append(p.texts, text), append(p.local, 0)
	}
	return at
}

// known is the place of a name in one of the lists of those that were looked at.
func (p *painter) known(list []int32, id trace.NameID, text func() string) int32 {
	if list[id] == 0 {
		list[id] = p.place(text()) + 1
	}
	return list[id] - 1
}

// gap keeps a gap of the step that is drawn next, if it counts.
func (p *painter) gap(g interval.Interval, of *idle) {
	if g.End-g.Start < shortestGap {
		return
	}
	most := causeUnknown
	for k := range of {
		if of[k] > of[most] {
			most = cause(k)
		}
	}
	p.gaps = append(p.gaps, paintedGap{g, most})
}

// strip draws one step.
func (p *painter) strip(st trace.Step) run.Strip {
	r := p.r
	p.from, p.to = st.Start, st.End
	// A step begins with the start of a span; what still runs then began shortly
	// before, since the host waits for the device in most steps.
	device := r.Trace.Device
	first, _ := slices.BinarySearchFunc(device, st.Start, func(x trace.Span, t int64) int { return cmp.Compare(x.Start, t) })
	for i := max(0, first-lookBack); i < len(device) && device[i].Start < st.End; i++ {
		x := &device[i]
		switch {
		case x.End <= st.Start:
		case x.Kind == trace.Kernel:
			p.add(lanes[x.Class], x.Start, x.End, p.known(p.kernels, x.Name, func() string { return r.workName(x) }))
		default:
			p.add(lanes[x.Class], x.Start, x.End, p.place(r.workName(x)))
		}
	}
	for _, g := range p.gaps {
		p.add(run.LaneGap, g.Start, g.End, p.place(run.IdleCauses[g.cause]))
	}
	p.gaps = p.gaps[:0]
	p.hostRanges(st)
	return p.done(st)
}

// hostRanges draws the ranges of the thread that runs the steps.
func (p *painter) hostRanges(st trace.Step) {
	r := p.r
	ranges, longest := r.Trace.Ranges, st.HostEnd-st.HostStart
	from, _ := slices.BinarySearchFunc(ranges, st.Start-longest, func(x trace.Range, t int64) int { return cmp.Compare(x.Start, t) })
	for _, x := range ranges[from:] {
		if x.Start >= st.End {
			break
		}
		if x.End > st.Start && (r.thread == 0 || x.Thread == r.thread) && !p.markers[x.Start] && x.End-x.Start < longest {
			p.add(run.LaneRange, x.Start, x.End, p.known(p.ranges, x.Name, func() string { return kernelname.CanonicalRange(r.Trace.Names.Text(x.Name)) }))
		}
	}
}

func (p *painter) add(lane run.Lane, start, end int64, text int32) {
	start, end = max(start, p.from), min(end, p.to)
	if end <= start {
		return
	}
	if p.local[text] == 0 {
		p.named = append(p.named, text)
		p.local[text] = int32(len(p.named))
	}
	p.lanes[lane] = append(p.lanes[lane], run.StripSpan{Start: start - p.from, End: end - p.from, Name: p.local[text] - 1, Lane: lane})
}

// done is the strip with its longest bars, in order of lane and start.
func (p *painter) done(st trace.Step) run.Strip {
	out := run.Strip{Rank: p.r.Trace.Identity.Rank, Length: st.End - st.Start}
	p.bars = p.bars[:0]
	inOrder := func(a, b run.StripSpan) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) }
	for i, lane := range p.lanes {
		if !slices.IsSortedFunc(lane, inOrder) { // what was clipped at the step's start
			slices.SortStableFunc(lane, inOrder)
		}
		p.bars = append(p.bars, lane...)
		p.lanes[i] = lane[:0]
	}
	p.names = p.names[:0]
	for _, at := range p.named {
		p.names = append(p.names, p.texts[at])
		p.local[at] = 0
	}
	p.named = p.named[:0]
	if len(p.bars) <= p.r.Bars {
		out.Spans, out.Names = slices.Clone(p.bars), slices.Concat(p.names) // nil of none
		return out
	}
	out.Spans, out.Names = p.bars, p.names
	return out.Longest(p.r.Bars, &p.room)
}
