package critical

import (
	"cmp"
	"slices"
	"sort"

	"perfdiff/analyze/trace"
)

// stream is the work of one stream in the step, as far as the scan has come.
type stream struct {
	id          int32
	list        []int32            // numbers of its work in the step, in order of start
	end, launch int64              // of the last of list, which is asked for most
	waits       []trace.StreamWait // that it was told, in order of time
	next        int                // the first of waits that no work has taken notice of
	last        trace.Span         // its last work so far, in any step
	any         bool               // there was some
}

// add takes the stream's next work.
func (x *stream) add(number int32, w *trace.Span) {
	x.list = append(x.list, number)
	x.end, x.launch = w.End, w.Launch
}

// streams holds the streams of a trace.
type streams struct {
	all    []stream
	number map[int32]int
	recent int // index of the one that was asked for last
}

// newStreams returns the streams that were told to wait for others; the rest is added as it appears.
func newStreams(waits []trace.StreamWait) *streams {
	s := &streams{number: map[int32]int{}}
	for _, w := range waits {
		x := s.of(w.Stream)
		x.waits = append(x.waits, w)
	}
	for i := range s.all {
		slices.SortFunc(s.all[i].waits, func(a, b trace.StreamWait) int {
			return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.On, b.On), cmp.Compare(a.Recorded, b.Recorded))
		})
	}
	return s
}

// fewStreams are so few that looking through them takes less time than a map.
const fewStreams = 8

// of returns the stream with an id. It is valid until another one is added.
func (s *streams) of(id int32) *stream {
	if s.recent < len(s.all) && s.all[s.recent].id == id {
		return &s.all[s.recent]
	}
	for i := range s.all[:min(len(s.all), fewStreams)] {
		if s.all[i].id == id {
			s.recent = i
			return &s.all[i]
		}
	}
	at, known := s.number[id]
	if !known {
		at = len(s.all)
		s.number[id] = at
		s.all = append(s.all, stream{id: id})
	}
	s.recent = at
	return &s.all[at]
}

// endedBy returns the last work of a stream that ended by a time, and was launched by another; -1:
// none. The work of a stream starts in the order in which it is launched, and ends in that order.
func (s *Scan) endedBy(x *stream, at, launched int64) int32 {
	n := len(x.list)
	if n > 0 && x.end <= at && x.launch <= launched {
		return x.list[n-1]
	}
	near := max(0, n-nearWork)
	for n > near && s.work(x.list[n-1]).End > at {
		n--
	}
	if n > 0 && n == near && s.work(x.list[n-1]).End > at {
		n = sort.Search(n, func(i int) bool { return s.work(x.list[i]).End > at })
	}
	if n > 0 && s.work(x.list[n-1]).Launch > launched {
		n = sort.Search(n, func(i int) bool { return s.work(x.list[i]).Launch > launched })
	}
	if n == 0 {
		return -1
	}
	return x.list[n-1]
}

// nearWork is how many pieces of work, from the last one of a stream on, are looked at one by one
// before the one that had ended is searched for: mostly it is the last, or the one before that,
// while a collective runs.
const nearWork = 3

// lastEnded returns the work that ended last, on any stream except one, after the time after and by the time at, among
// work launched by the time launched; -1: none. Of several at once it is the first.
func (s *Scan) lastEnded(but *stream, after, at, launched int64) int32 {
	best := int32(-1)
	for i := range s.streams.all {
		x := &s.streams.all[i]
		if x == but || x.end <= after || len(x.list) == 0 { // its last work ends last
			continue
		}
		if k := s.endedBy(x, at, launched); k >= 0 && (best < 0 || s.endsLater(k, best)) {
			best = k
		}
	}
	if best >= 0 && s.work(best).End <= after {
		return -1
	}
	return best
}

// endsLater reports whether work a ended later than b; at once, whether it stands before it.
func (s *Scan) endsLater(a, b int32) bool {
	x, y := s.work(a).End, s.work(b).End
	return x > y || x == y && a < b
}

// awaited returns the work that ended last on other streams for which the stream was told to wait since its work
// before x; -1: none.
func (s *Scan) awaited(st *stream, x *trace.Span) int32 {
	best := int32(-1)
	for ; st.next < len(st.waits) && st.waits[st.next].At <= x.Launch; st.next++ {
		w := &st.waits[st.next]
		at, known := s.streams.number[w.On]
		if !known || w.On == st.id {
			continue
		}
		if k := s.launchedBy(&s.streams.all[at], w.Recorded); k >= 0 && s.work(k).End <= x.Start && (best < 0 || s.endsLater(k, best)) {
			best = k
		}
	}
	return best
}

// launchedBy returns the last work of a stream that was launched by a time; -1: none in this step.
func (s *Scan) launchedBy(x *stream, at int64) int32 {
	n := sort.Search(len(x.list), func(i int) bool { return s.work(x.list[i]).Launch > at })
	if n == 0 {
		return -1
	}
	return x.list[n-1]
}
