package saved

import (
	"cmp"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// The bars of a strip are much alike those of the strip before, which is of another step of the same
// rank: kernels come in the same order, last as long, and begin as long after the one before and after
// their launch. Gaps are where no bar is. What differs is written.

// kind is what bars have in common: the name and the lane.
type kind struct {
	name string
	lane run.Lane
}

// times are those of a bar, as they are foretold.
type times struct {
	track  int64
	length int64 // ns
	gap    int64 // ns from the end of the one before in its lane
	call   int64 // ns from the launch of the one before in the strip to its own
	called bool  // its launch is recorded
}

// stripMemory is what is known of the bars of earlier strips of a rank.
type stripMemory struct {
	before map[kind][]times // of the last strip, in order
	next   map[[2]kind]kind // what came after two
}

func newStripMemory() *stripMemory {
	return &stripMemory{map[kind][]times{}, map[[2]kind]kind{}}
}

// stripCoder writes or reads the bars of one strip.
type stripCoder struct {
	s     *run.Strip
	m     *stripMemory
	kinds []kind
	like  []int   // by bar: how many of its kind are before it
	last  []int   // by bar: the one of its kind before it; -1 none is
	times []times // by bar
	gaps  int     // index of the first bar of the lane of gaps

	idleStarts, idleEnds []int64 // nil: not asked for yet
}

// kindOf is the kind of bar i, the lane and the name of which are known.
func (x *stripCoder) kindOf(i int) kind {
	return kind{x.s.Names[x.s.Spans[i].Name], x.s.Spans[i].Lane}
}

// name is the name that bar i should have, by what came last after the two before it.
func (x *stripCoder) name(i int) int64 {
	var two [2]kind
	for k := max(0, i-2); k < i; k++ {
		two[k-i+2] = x.kindOf(k)
	}
	if next, known := x.m.next[two]; known {
		return int64(max(0, slices.Index(x.s.Names, next.name)))
	}
	return 0
}

// know notes which bars are of one kind, once lanes and names are known.
func (x *stripCoder) know() {
	n := len(x.s.Spans)
	x.kinds, x.like, x.last, x.times = make([]kind, n), make([]int, n), make([]int, n), make([]times, n)
	last := map[kind]int{}
	x.gaps = n
	for i := range n {
		k := x.kindOf(i)
		x.kinds[i], x.last[i] = k, -1
		if at, met := last[k]; met {
			x.last[i], x.like[i] = at, x.like[at]+1
		}
		last[k] = i
		if k.lane == run.LaneGap {
			x.gaps = min(x.gaps, i)
		}
	}
}

// expect is what the times of bar i should be: those of the bar of its kind that stood there in the
// strip before, or else of the last of its kind.
func (x *stripCoder) expect(i int) times {
	before := x.m.before[x.kinds[i]]
	switch {
	case x.like[i] < len(before):
		return before[x.like[i]]
	case x.last[i] >= 0:
		return x.times[x.last[i]]
	case len(before) > 0:
		return before[len(before)-1]
	}
	return times{}
}

// learn notes the strip for the next one.
func (x *stripCoder) learn() {
	clear(x.m.before)
	var two [2]kind
	for i, k := range x.kinds {
		x.m.before[k] = append(x.m.before[k], x.times[i])
		x.m.next[two] = k
		two = [2]kind{two[1], k}
	}
}

// endBefore is the end of the bar before bar i in its lane; 0 if it is the first there.
func (x *stripCoder) endBefore(i int) int64 {
	if i == 0 || x.s.Spans[i-1].Lane != x.s.Spans[i].Lane {
		return 0
	}
	return x.s.Spans[i-1].End
}

func launched(s *run.Strip, i int) int64 { return s.Spans[i].Start - s.Spans[i].Ahead }

// ahead is how long before its start bar i should have been launched, by when the one before it was.
func (x *stripCoder) ahead(i int) int64 {
	if i == 0 || !x.expect(i).called {
		return 0
	}
	return x.s.Spans[i].Start - launched(x.s, i-1) - x.expect(i).call
}

// idle are the stretches in which none of the bars before those of gaps is: where gaps should be.
func (x *stripCoder) idle() (starts, ends []int64) {
	bars := slices.Clone(x.s.Spans[:x.gaps])
	slices.SortFunc(bars, func(a, b run.StripSpan) int { return cmp.Compare(a.Start, b.Start) })
	end := int64(0)
	for _, b := range bars {
		if b.Start > end {
			starts, ends = append(starts, end), append(ends, b.Start)
		}
		end = max(end, b.End)
	}
	return append(starts, end), append(ends, max(end, x.s.Length))
}

// gapStart is when gap i should start: in the first idle stretch behind the gap before.
func (x *stripCoder) gapStart(i int) int64 {
	if x.idleEnds == nil {
		x.idleStarts, x.idleEnds = x.idle()
	}
	t := x.endBefore(i)
	if at := x.idleAt(t); at < len(x.idleEnds) {
		return max(t, x.idleStarts[at])
	}
	return t
}

// gapEnd is when a gap should end that starts at t.
func (x *stripCoder) gapEnd(t int64) int64 {
	if at := x.idleAt(t); at < len(x.idleEnds) {
		return x.idleEnds[at]
	}
	return t
}

// idleAt is the first idle stretch that ends after time t.
func (x *stripCoder) idleAt(t int64) int {
	return sort.Search(len(x.idleEnds), func(i int) bool { return x.idleEnds[i] > t })
}

// stripFields are the columns of bars that their times do not take part in, in an order in which each
// is foretold by those before it.
const (
	fieldLane = iota
	fieldName
	fieldTrack
	fieldWait
	stripFields
)

// field is what stands in a column of bar i, and what should.
func (x *stripCoder) field(f, i int) (v, expected int64) {
	b := &x.s.Spans[i]
	switch f {
	case fieldLane:
		return int64(b.Lane), 0
	case fieldName:
		return int64(b.Name), x.name(i)
	case fieldTrack:
		return int64(b.Track), x.expect(i).track
	}
	if b.Split {
		return 1 + b.Wait, 0
	}
	return 0, 0
}

// put puts a number into a column of bar i, and reports whether it can stand there.
func (x *stripCoder) put(f, i int, v int64) bool {
	b, most := &x.s.Spans[i], []int64{int64(run.LaneRange), int64(len(x.s.Names)) - 1, int64(len(x.s.Tracks)), 1<<63 - 1}[f]
	switch f {
	case fieldLane:
		b.Lane = run.Lane(v)
	case fieldName:
		b.Name = int32(v)
	case fieldTrack:
		b.Track = int16(v)
		x.times[i].track = v
	default:
		b.Split, b.Wait = v > 0, max(0, v-1)
	}
	return v >= 0 && v <= most
}

// strip moves the bars of a strip to the encoder.
func (e *encoder) strip(m *stripMemory, s *run.Strip) {
	n := len(s.Spans)
	e.uint(uint64(n))
	x := &stripCoder{s: s, m: m}
	v := make([]int64, n)
	for f := range stripFields {
		if f == fieldTrack {
			x.know()
		}
		for i := range v {
			have, expected := x.field(f, i)
			if v[i] = have - expected; f == fieldTrack {
				x.times[i].track = have
			}
		}
		e.ints(v)
	}
	e.stripTimes(x)
	x.learn()
	s.Spans = nil
}

// stripTimes writes lengths, starts and launches of bars, and starts and ends of gaps.
func (e *encoder) stripTimes(x *stripCoder) {
	bars := x.s.Spans
	var lengths, starts, gaps, aheads []int64
	for i, b := range bars {
		expected := x.expect(i)
		if b.Lane == run.LaneGap {
			gaps = append(gaps, b.Start-x.gapStart(i), b.End-x.gapEnd(b.Start))
		} else {
			lengths, starts = append(lengths, b.End-b.Start-expected.length), append(starts, b.Start-x.endBefore(i)-expected.gap)
		}
		aheads = append(aheads, b.Ahead-x.ahead(i))
		x.note(i)
	}
	for _, v := range [][]int64{lengths, starts, gaps, aheads} {
		e.ints(v)
	}
}

// note notes the times of bar i, which are known.
func (x *stripCoder) note(i int) {
	b, t := &x.s.Spans[i], &x.times[i]
	t.length, t.gap = b.End-b.Start, b.Start-x.endBefore(i)
	if i > 0 {
		t.called, t.call = b.Ahead > 0, launched(x.s, i)-launched(x.s, i-1)
	}
}

// strip reads them back, and checks them.
func (d *decoder) strip(m *stripMemory, s *run.Strip) {
	n := d.elements()
	if n > run.MaxExcerptBars || len(s.Tracks) > run.MaxTracks {
		d.fail()
	}
	if d.err != nil {
		return
	}
	if n > 0 { // for as long as it takes to pack them, so that the budget does not pay; there are few
		s.Spans = make([]run.StripSpan, n)
	}
	x := &stripCoder{s: s, m: m}
	for f := range stripFields {
		if f == fieldTrack {
			x.know()
		}
		v := d.ints()
		if len(v) != n {
			d.fail()
			return
		}
		for i, left := range v {
			if _, expected := x.field(f, i); !x.put(f, i, left+expected) {
				d.fail()
				return
			}
		}
	}
	if d.stripTimes(x); d.err != nil {
		return
	}
	x.learn()
	for j := range s.Tracks {
		s.Tracks[j].Name = trace.ThreadName(s.Tracks[j].Name)
	}
}

// stripTimes reads the times of bars.
func (d *decoder) stripTimes(x *stripCoder) {
	var lists [4][]int64 // lengths, starts, gaps, launches
	for k := range lists {
		lists[k] = slices.Clone(d.ints())
	}
	if len(lists[0]) != len(lists[1]) || 2*len(lists[0])+len(lists[2]) != 2*len(x.s.Spans) || len(lists[3]) != len(x.s.Spans) {
		d.fail()
		return
	}
	next := func(k int) int64 {
		if len(lists[k]) == 0 {
			d.fail()
			return 0
		}
		n := lists[k][0]
		lists[k] = lists[k][1:]
		return n
	}
	for i := range x.s.Spans {
		b := &x.s.Spans[i]
		expected := x.expect(i)
		if b.Lane == run.LaneGap {
			b.Start = next(2) + x.gapStart(i)
			b.End = next(2) + x.gapEnd(b.Start)
		} else {
			b.Start = next(1) + expected.gap + x.endBefore(i)
			b.End = b.Start + next(0) + expected.length
		}
		if b.Ahead = next(3) + x.ahead(i); b.Ahead < 0 || b.End < b.Start {
			d.fail()
		}
		if d.err != nil {
			return
		}
		x.note(i)
	}
}
