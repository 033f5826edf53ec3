package picture

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"sort"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// MaxSpansBack is how many spans of the device before a step are searched for spans that run into it. A capture that
// comes in pieces must keep as many of the piece before.
const MaxSpansBack = 256

// laneOfClass is the lane in which device work of a class is drawn.
var laneOfClass = [...]run.Lane{trace.ClassUnknown: run.LaneCompute, trace.Compute: run.LaneCompute,
	trace.Comm: run.LaneComm, trace.Memory: run.LaneMemory}

// Painter draws steps of a rank as strips. It works each name out once for all strips.
type Painter struct {
	trace       *trace.Trace
	thread      int32                    // that runs the steps; 0 unknown
	maxBars     int                      // bars of a strip
	name        func(*trace.Span) string // what people call a span
	markers     []int64                  // when the ranges of steps begin, in order
	texts       []string
	textPlaces  map[string]int32 // in texts
	kernelTexts []int32          // 1 + place, by name of a kernel; 0 not looked at
	rangeTexts  []int32          // likewise of ranges

	from, to   int64 // of the step that is drawn
	tracks     []run.Track
	trackPlace map[run.Track]int16 // in tracks
	inStrip    []int32             // 1 + place in the strip's names, by place
	stripNames []int32             // the strip's names: their places
	lanes      [run.LaneRange + 1][]run.StripSpan
	held       int                    // bars in lanes
	dropped    int                    // bars of the step that are not in lanes any more: the shortest
	tooShort   int64                  // bars below this length are none of the longest
	gaps       []paintedGap           // of the step
	bars       []run.StripSpan        // scratch
	names      []string               // scratch: of the strip
	lengths    []int64                // scratch
	ofLength   [64 << classBits]int32 // scratch: bars of the step by the class of their length
	chooser    barChooser
}

// paintedGap is a gap with its main cause.
type paintedGap struct {
	interval.Interval
	cause string
}

// NewPainter makes a painter of a trace whose steps the thread runs. A strip has at most so
// many bars. name returns what people call a span of the device.
func NewPainter(t *trace.Trace, thread int32, most int, steps []trace.Step, name func(*trace.Span) string) *Painter {
	n := t.Names.Len()
	p := &Painter{trace: t, thread: thread, maxBars: most, name: name,
		textPlaces: map[string]int32{}, trackPlace: map[run.Track]int16{}, kernelTexts: make([]int32, n), rangeTexts: make([]int32, n)}
	for _, s := range steps {
		if s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime {
			p.markers = append(p.markers, s.HostStart)
		}
	}
	slices.Sort(p.markers)
	return p
}

// textPlace returns the index of a text.
func (p *Painter) textPlace(text string) int32 {
	at, ok := p.textPlaces[text]
	if !ok {
		at = int32(len(p.texts))
		p.textPlaces[text] = at
		p.texts, p.inStrip = append(p.texts, text), append(p.inStrip, 0)
	}
	return at
}

// knownText returns the index of a name's text. list remembers those that were asked for.
func (p *Painter) knownText(list []int32, id trace.NameID, text func() string) int32 {
	if list[id] == 0 {
		list[id] = p.textPlace(text()) + 1
	}
	return list[id] - 1
}

// AddGap adds a gap, with its main cause, to the step that is drawn next.
func (p *Painter) AddGap(g interval.Interval, cause string) {
	p.gaps = append(p.gaps, paintedGap{g, cause})
}

// Cut draws a step.
func (p *Painter) Cut(st trace.Step) Cut {
	p.from, p.to = st.Start, st.End
	// A step begins with the start of a span; what still runs then began shortly
	// before, since the host waits for the device in most steps.
	device := p.trace.Device
	first, _ := slices.BinarySearchFunc(device, st.Start, func(x trace.Span, t int64) int { return cmp.Compare(x.Start, t) })
	device = device[max(0, first-MaxSpansBack):]
	device = device[:sort.Search(len(device), func(i int) bool { return device[i].Start >= st.End })]
	p.tooShort = p.lengthOfMost(st, device)
	for i := range device {
		x := &device[i]
		if !p.shows(x.Start, x.End) {
			continue
		}
		bar := run.StripSpan{Start: x.Start, End: x.End, Ahead: ahead(x, st.Start), Lane: laneOfClass[x.Class], Track: p.track(run.Track{ID: x.Stream})}
		if x.Kind == trace.Kernel {
			p.add(bar, p.knownText(p.kernelTexts, x.Name, func() string { return p.name(x) }))
		} else {
			p.add(bar, p.textPlace(p.name(x)))
		}
	}
	for _, g := range p.gaps {
		if p.shows(g.Start, g.End) {
			p.add(run.StripSpan{Start: g.Start, End: g.End, Lane: run.LaneGap}, p.textPlace(g.cause))
		}
	}
	p.gaps = p.gaps[:0]
	p.hostRanges(st, p.trace.Ranges)
	p.hostRanges(st, p.trace.Ops)
	out := p.strip(st)
	return CutOf(&out, st.Number)
}

// ahead returns how long before its bar begins a span was launched; 0 if that is not known.
func ahead(x *trace.Span, from int64) int64 {
	if x.Launch == trace.NoTime {
		return 0
	}
	return max(0, max(x.Start, from)-x.Launch)
}

// track returns 1 + the index of a track; there are few tracks.
func (p *Painter) track(t run.Track) int16 {
	for i := range min(len(p.tracks), fewTracks) {
		if p.tracks[i] == t {
			return int16(i + 1)
		}
	}
	if at, ok := p.trackPlace[t]; ok {
		return at
	}
	if len(p.tracks) >= run.MaxTracks-2 { // the last two are those of all others
		t = run.Track{Host: t.Host, Others: true}
		if at, ok := p.trackPlace[t]; ok {
			return at
		}
	}
	named := t
	if t.Host && !t.Others {
		named.Name = p.trace.Threads[t.ID]
	}
	p.tracks = append(p.tracks, named)
	p.trackPlace[t] = int16(len(p.tracks))
	return int16(len(p.tracks))
}

// fewTracks are so few that looking through them takes less time than the map.
const fewTracks = 8

// hostRanges draws ranges of threads.
func (p *Painter) hostRanges(st trace.Step, ranges []trace.Range) {
	for x := range p.drawnRanges(st, ranges) {
		if p.shows(x.Start, x.End) {
			text := func() string { return kernelname.CanonicalRange(p.trace.Names.Text(x.Name)) }
			at := p.track(run.Track{Host: true, Steps: p.thread != 0 && x.Thread == p.thread, ID: x.Thread})
			p.add(run.StripSpan{Start: x.Start, End: x.End, Lane: run.LaneRange, Track: at}, p.knownText(p.rangeTexts, x.Name, text))
		}
	}
}

// drawnRanges yields the ranges that begin before the end of a step, except those that mark steps and those that end
// long before.
func (p *Painter) drawnRanges(st trace.Step, ranges []trace.Range) iter.Seq[*trace.Range] {
	return func(yield func(*trace.Range) bool) {
		longest := st.HostEnd - st.HostStart
		from, _ := slices.BinarySearchFunc(ranges, st.Start-longest, func(x trace.Range, t int64) int { return cmp.Compare(x.Start, t) })
		first, _ := slices.BinarySearch(p.markers, st.Start-longest)
		markers := p.markers[first:]
		for i := from; i < len(ranges) && ranges[i].Start < st.End; i++ {
			x := &ranges[i]
			for len(markers) > 0 && markers[0] < x.Start {
				markers = markers[1:]
			}
			if isMarker := len(markers) > 0 && markers[0] == x.Start; !isMarker && x.End-x.Start < longest && !yield(x) {
				return
			}
		}
	}
}

// shows reports whether a bar with these times is in the step, and not too short for its strip. A bar in the step has
// to be added or is counted as dropped.
func (p *Painter) shows(start, end int64) bool {
	length := min(end, p.to) - max(start, p.from)
	if length <= 0 {
		return false
	}
	if length < p.tooShort {
		p.dropped++
		return false
	}
	return true
}

// add adds a bar that shows, with times as in the trace.
func (p *Painter) add(bar run.StripSpan, text int32) {
	start, end := max(bar.Start, p.from), min(bar.End, p.to)
	if p.inStrip[text] == 0 {
		p.stripNames = append(p.stripNames, text)
		p.inStrip[text] = int32(len(p.stripNames))
	}
	bar.Start, bar.End, bar.Name = start-p.from, end-p.from, p.inStrip[text]-1
	p.lanes[bar.Lane] = append(p.lanes[bar.Lane], bar)
	if p.held++; p.held >= tooMany*p.maxBars+tooMany {
		p.dropShortest()
	}
}

// tooMany is how many times more bars than a strip may have are held while it is drawn: a step can have a million, and
// they are in memory together with the rank's capture. Chosen: each choice of the longest looks at all of them, so
// that a bar is looked at a third more often.
const tooMany = 4

// lengthOfMost returns a length that as many spans and ranges of the step have at least as a strip has
// bars; 0 where they are hardly more. Of a step of 20,000 it spares nine in ten the drawing.
func (p *Painter) lengthOfMost(st trace.Step, spans []trace.Span) int64 {
	if len(spans) < 2*p.maxBars {
		return 0
	}
	clear(p.ofLength[:])
	for i := range spans {
		p.countLength(spans[i].Start, spans[i].End)
	}
	for _, ranges := range [][]trace.Range{p.trace.Ranges, p.trace.Ops} {
		for x := range p.drawnRanges(st, ranges) {
			p.countLength(x.Start, x.End)
		}
	}
	for class, more := len(p.ofLength)-1, 0; class > 0; class-- {
		if more += int(p.ofLength[class]); more >= p.maxBars {
			return leastOfClass(class)
		}
	}
	return 0
}

// countLength counts a bar by its length, if it is in the step.
func (p *Painter) countLength(start, end int64) {
	if length := min(end, p.to) - max(start, p.from); length > 0 {
		p.ofLength[lengthClass(length)]++
	}
}

// classBits is how many bits after the first of a length determine its class, so that lengths in one class differ by a
// 32nd at most.
const classBits = 5

// lengthClass returns the class of a length: longer ones are in the same class or in a higher one.
func lengthClass(length int64) int {
	more := max(bits.Len64(uint64(length))-classBits-1, 0)
	return more<<classBits + int(length>>more)
}

// leastOfClass returns the shortest length of a class.
func leastOfClass(class int) int64 {
	more := max(class>>classBits-1, 0)
	return int64(class-more<<classBits) << more
}

// dropShortest keeps only the longest of the bars that were added, as many as the strip may have.
func (p *Painter) dropShortest() {
	p.lengths = p.lengths[:0]
	for i := range p.lanes {
		sortLane(p.lanes[i])
		for _, x := range p.lanes[i] {
			p.lengths = append(p.lengths, x.End-x.Start)
		}
	}
	long := longestOf(p.lengths, p.maxBars)
	for i, lane := range p.lanes {
		p.lanes[i] = slices.DeleteFunc(lane, func(x run.StripSpan) bool { return !long.has(x.End - x.Start) })
	}
	p.dropped, p.held, p.tooShort = p.dropped+p.held-p.maxBars, p.maxBars, long.least
}

// sortLane puts bars in the order in which a strip has them. Nearly always they are, but for what
// was clipped at the step's start.
func sortLane(lane []run.StripSpan) {
	inOrder := func(a, b run.StripSpan) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) }
	if !slices.IsSortedFunc(lane, inOrder) {
		slices.SortStableFunc(lane, inOrder)
	}
}

// strip returns what was drawn, with the longest bars only, in order of lane and start. Its bars may be the painter's
// own.
func (p *Painter) strip(st trace.Step) run.Strip {
	out := run.Strip{Rank: p.trace.Identity.Rank, Length: st.End - st.Start, Tracks: slices.Clone(p.tracks), Omitted: p.dropped}
	p.tracks = p.tracks[:0]
	clear(p.trackPlace)
	p.bars = p.bars[:0]
	for i, lane := range p.lanes {
		sortLane(lane)
		p.bars = append(p.bars, lane...)
		p.lanes[i] = lane[:0]
	}
	p.names = p.names[:0]
	for _, at := range p.stripNames {
		p.names = append(p.names, p.texts[at])
		p.inStrip[at] = 0
	}
	p.stripNames, p.held, p.dropped, p.tooShort = p.stripNames[:0], 0, 0, 0
	out.Spans, out.Names = p.bars, p.names
	if len(p.bars) <= p.maxBars && out.Omitted == 0 {
		out.Names = slices.Concat(p.names) // nil of none
		return out
	}
	return p.chooser.longest(out, p.maxBars)
}
