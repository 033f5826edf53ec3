package trace

import (
	"cmp"
	"slices"
)

// Sort sorts every slice of t by start and, at equal starts, puts the longer one first, so that the same events in any
// order give the same trace. Exports are nearly sorted, for which an insertion that gives up early is several times
// faster than a sort; others are sorted.
//
// Device spans and file accesses that are there twice, equal in everything and not of length zero, are kept once: a
// stream runs one thing at a time, and exports that were merged or edited hold such rows. Zero lengths are what
// profilers with whole microseconds make of short kernels.
func (t *Trace) Sort() {
	twice := false // two that end up next to each other were compared
	sortBy(t.Device, func(x *Span) int64 { return x.Start }, func(a, b Span) int {
		order := compareSpans(a, b)
		twice = twice || order == 0
		return order
	}, nextSpan)
	sortBy(t.Ranges, func(x *Range) int64 { return x.Start }, compareRanges, nil)
	sortBy(t.Ops, func(x *Range) int64 { return x.Start }, compareRanges, nil)
	sortBy(t.Functions, func(x *Range) int64 { return x.Start }, compareRanges, nil)
	sortBy(t.API, func(x *Call) int64 { return x.Start }, compareCalls, nextCall)
	sortBy(t.MPI, func(x *Call) int64 { return x.Start }, compareCalls, nextCall)
	sortBy(t.Gloo, func(x *Call) int64 { return x.Start }, compareCalls, nextCall)
	sortBy(t.OS, func(x *Call) int64 { return x.Start }, compareCalls, nextCall)
	sortBy(t.Access, func(x *FileAccess) int64 { return x.Start }, compareAccesses, nil)
	sortBy(t.Faults, func(x *Fault) int64 { return x.Start }, func(a, b Fault) int {
		return cmp.Or(compareTimes(a.Start, b.Start, a.End, b.End), cmp.Compare(a.Device, b.Device), cmp.Compare(a.Count, b.Count))
	}, nil)
	sortBy(t.Syncs, func(x *Sync) int64 { return x.Start }, compareSyncs, nil)
	if twice {
		t.Device = slices.CompactFunc(t.Device, func(a, b Span) bool { return a == b && a.End > a.Start })
	}
	t.Access = slices.CompactFunc(t.Access, func(a, b FileAccess) bool { return a == b && a.End > a.Start })
}

// The orders compare everything that spans differ in, so that two that are
// equal are the same. Few need more than the first comparison.

func compareSpans(a, b Span) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Name, b.Name), cmp.Compare(a.number(), b.number()),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Launch, b.Launch))
}

func compareRanges(a, b Range) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Domain, b.Domain))
}

func compareCalls(a, b Call) int {
	if c := compareTimes(a.Start, b.Start, a.End(), b.End()); c != 0 {
		return c
	}
	return cmp.Compare(a.By(), b.By())
}

func compareAccesses(a, b FileAccess) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Thread, b.Thread))
}

func compareSyncs(a, b Sync) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Stream, b.Stream))
}

// compareTimes puts the earlier start first, at equal starts the later end.
func compareTimes(startA, startB, endA, endB int64) int {
	if startA != startB {
		return cmp.Compare(startA, startB)
	}
	return cmp.Compare(endB, endA)
}

// SortNearly sorts a list that is nearly in order of a time, in the way of Sort. compare has to put the
// earlier time first.
func SortNearly[T any](list []T, at func(*T) int64, compare func(a, b T) int) {
	sortBy(list, at, compare, nil)
}

// sortBy sorts s by start and compare, which must agree: by insertion while few elements are out of place, which is
// how exporters leave them, else by the digits of the starts. The budget of moves keeps insertion linear. next, which
// may be nil, returns the first place from i on whose start is not above the one before.
func sortBy[T any](s []T, start func(*T) int64, compare func(a, b T) int, next func(s []T, i int) int) {
	late, ok := insert(s, compare, next, 4*len(s)+64)
	switch {
	case !ok:
		permute(s, byStart(s, start))
		if late, ok = insert(s, compare, next, 4*len(s)+64); !ok { // many begin at the same instant
			slices.SortFunc(s, compare)
		}
		slices.SortFunc(late, compare)
	case len(late) > 0:
		sortBy(late, start, compare, next)
	}
	merge(s, late, compare)
}

// nextSpan and nextCall pass over what is in order, which is nearly all of millions,
// without a call for each. nextSpan also puts back what begins a few places before: rows of the
// streams of a device come in an order in which each is right. Where two begin at once it stops.

func nextSpan(s []Span, i int) int {
	for ; i < len(s); i++ {
		at := s[i].Start
		if s[i-1].Start < at {
			continue
		}
		to := i
		for to > 0 && i-to < near && s[to-1].Start > at {
			to--
		}
		if to == i || to > 0 && s[to-1].Start >= at {
			return i
		}
		x := s[i]
		copy(s[to+1:], s[to:i])
		s[to] = x
	}
	return i
}

// near is how many places nextSpan puts a span back at most.
const near = 8

func nextCall(s []Call, i int) int {
	for i < len(s) && s[i-1].Start < s[i].Start {
		i++
	}
	return i
}

// far is how many places an element is moved back at most. Elements that come later are put aside: two tables read one
// after the other are two lists in order.
const far = 64

// insert sorts s with at most budget moves and returns the elements that come late, in the order in which they came;
// the others are sorted at the front of s, without them. False if the moves were not enough or more than half came
// late; s then has all elements.
func insert[T any](s []T, compare func(a, b T) int, next func(s []T, i int) int, budget int) (late []T, ok bool) {
	n := min(1, len(s)) // so many are sorted
	for i := 1; i < len(s); i++ {
		if n == i && next != nil {
			if i = next(s, i); i == len(s) {
				return nil, true
			}
			n = i
		}
		x, j := s[i], n
		if compare(s[n-1], x) > 0 {
			if n > far && compare(s[n-1-far], x) > 0 {
				if late = append(late, x); len(late) > len(s)/2 {
					budget = 0
				}
			} else {
				for ; j > 0 && budget > 0 && compare(s[j-1], x) > 0; j-- {
					s[j] = s[j-1]
					budget--
				}
				s[j], n = x, n+1
			}
			if budget == 0 {
				copy(s[n:i+1], late)
				return nil, false
			}
			continue
		}
		s[n] = x
		n++
	}
	return late, true
}

// merge puts late between the elements of s, which end before the room for it. Both are in
// order.
func merge[T any](s, late []T, compare func(a, b T) int) {
	for n, to := len(s)-len(late), len(s)-1; len(late) > 0; to-- {
		last := len(late) - 1
		if n > 0 && compare(s[n-1], late[last]) > 0 {
			s[to], n = s[n-1], n-1
		} else {
			s[to], late = late[last], late[:last]
		}
	}
}

// keyed is an element's start, from the first on, and its place.
type keyed struct {
	key uint64
	at  int
}

// byStart returns the elements' places in order of their starts: a radix sort by digits of 11 bits; seconds of a
// capture take four of them.
func byStart[T any](s []T, start func(*T) int64) []keyed {
	const digit, mask = 11, 1<<11 - 1
	from, to := make([]keyed, len(s)), make([]keyed, len(s))
	least := start(&s[0])
	for i := range s {
		least = min(least, start(&s[i]))
	}
	var bits uint64
	for i := range s {
		from[i] = keyed{uint64(start(&s[i]) - least), i}
		bits |= from[i].key
	}
	for shift := 0; bits>>shift > 0; shift += digit {
		var place [mask + 1]int
		for i := range from {
			place[from[i].key>>shift&mask]++
		}
		sum := 0
		for i, n := range place {
			place[i], sum = sum, sum+n
		}
		for i := range from {
			d := from[i].key >> shift & mask
			to[place[d]] = from[i]
			place[d]++
		}
		from, to = to, from
	}
	return from
}

// permute puts the element at order[i].at to place i, in place, cycle by
// cycle; order is used up.
func permute[T any](s []T, order []keyed) {
	for i := range order {
		if order[i].at == i {
			continue
		}
		x, to := s[i], i
		for {
			from := order[to].at
			order[to].at = to
			if from == i {
				break
			}
			s[to] = s[from]
			to = from
		}
		s[to] = x
	}
}
