// Package interval is the algebra of sets of time intervals that every
// breakdown is made of: unions of device activity, what two have in common,
// what one leaves of another, and the gaps between.
//
// All functions are linear in the lengths of their arguments and, given sets,
// return sets. Times are int64 nanoseconds; the package imports nothing.
package interval

import (
	"math"
	"slices"
)

// Interval is the half-open stretch of time [Start, End), in nanoseconds.
type Interval struct{ Start, End int64 }

// Set is a set of instants, as intervals in order of time that are not empty and neither
// overlap nor touch.
type Set []Interval

// Room returns an empty set with room for n intervals: in the memory of s, if that is enough. slices.Grow would clear
// new memory to its end, though most of it is never used: 20 MB for a step of 300,000 spans, which the system would
// have to find.
func (s Set) Room(n int) Set {
	if cap(s) >= n {
		return s[:0]
	}
	return make(Set, 0, n)
}

// Add returns the set with [start, end) added. Spans added in order of start take constant time each. A span that
// starts before the last interval does is merged correctly too, at the cost of moving the intervals after it.
func (s Set) Add(start, end int64) Set {
	if end <= start {
		return s
	}
	n := len(s)
	if n == 0 || start > s[n-1].End {
		if n == cap(s) {
			s = slices.Grow(s, n+1) // append grows long slices by a quarter, and copies them four times over
		}
		return append(s, Interval{start, end})
	}
	if start >= s[n-1].Start {
		s[n-1].End = max(s[n-1].End, end)
		return s
	}
	return s.insert(start, end)
}

// insert does what Add does for a span that starts before the last interval.
func (s Set) insert(start, end int64) Set {
	i, _ := slices.BinarySearchFunc(s, start, func(iv Interval, t int64) int {
		if iv.End < t {
			return -1
		}
		return 1
	})
	j := i
	for ; j < len(s) && s[j].Start <= end; j++ {
		start, end = min(start, s[j].Start), max(end, s[j].End)
	}
	return slices.Replace(s, i, j, Interval{start, end})
}

// Total returns the length of all intervals together, in nanoseconds.
func (s Set) Total() int64 {
	var sum int64
	for _, iv := range s {
		sum += iv.End - iv.Start
	}
	return sum
}

// Touching returns the intervals of s that overlap [lo, hi), uncut. The result shares the
// memory of s.
func (s Set) Touching(lo, hi int64) Set {
	if lo >= hi {
		return nil
	}
	i, _ := slices.BinarySearchFunc(s, lo, func(iv Interval, t int64) int {
		if iv.End <= t {
			return -1
		}
		return 1
	})
	n, _ := slices.BinarySearchFunc(s[i:], hi, func(iv Interval, t int64) int {
		if iv.Start < t {
			return -1
		}
		return 1
	})
	return s[i : i+n : i+n]
}

// Clip appends to dst, which may be nil, the part of s that lies in [lo, hi). The result shares
// no memory with s.
func (s Set) Clip(dst Set, lo, hi int64) Set {
	base := len(dst)
	dst = append(dst, s.Touching(lo, hi)...)
	if in := dst[base:]; len(in) > 0 { // only the first and the last can reach out
		last := &in[len(in)-1]
		in[0].Start, last.End = max(in[0].Start, lo), min(last.End, hi)
	}
	return dst
}

// Within returns the part of s in [lo, hi): a part of s itself if no interval reaches out, else a copy in room.
func (s Set) Within(room *Set, lo, hi int64) Set {
	s = s.Touching(lo, hi)
	if n := len(s); n == 0 || s[0].Start >= lo && s[n-1].End <= hi {
		return s
	}
	*room = s.Clip((*room)[:0], lo, hi)
	return *room
}

// Share returns the part of [start, end) that lies in [lo, hi); an instant lies in it or does not.
func Share(start, end, lo, hi int64) float64 {
	if end <= start {
		if start >= lo && start < hi {
			return 1
		}
		return 0
	}
	return math.Max(0, float64(min(end, hi)-max(start, lo))) / float64(end-start)
}

// Union appends to dst the instants of a or b. dst must share no memory with them.
func Union(dst, a, b Set) Set {
	base, out := len(dst), dst
	if base > 0 { // what the caller had is never merged into
		out = nil
	}
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Start <= b[0].Start {
			out, a = out.Add(a[0].Start, a[0].End), a[1:]
		} else {
			out, b = out.Add(b[0].Start, b[0].End), b[1:]
		}
	}
	if base == 0 {
		return out
	}
	return append(dst, out...)
}

// Intersect returns the instants of both a and b, appended to dst.
func Intersect(dst, a, b Set) Set {
	EachCommon(a, b, func(lo, hi int64) { dst = append(dst, Interval{lo, hi}) })
	return dst
}

// EachCommon calls do for each interval of the instants that are in both a and b, in order.
func EachCommon(a, b Set, do func(start, end int64)) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		lo, hi := max(a[i].Start, b[j].Start), min(a[i].End, b[j].End)
		if lo < hi {
			do(lo, hi)
		}
		if a[i].End < b[j].End {
			i++
		} else {
			j++
		}
	}
}

// Overlap returns the total time, in nanoseconds, that is in both a and b.
func Overlap(a, b Set) int64 {
	var sum int64
	EachCommon(a, b, func(lo, hi int64) { sum += hi - lo })
	return sum
}

// Subtract returns the instants of a that are not in b, appended to dst.
func Subtract(dst, a, b Set) Set {
	for _, iv := range a {
		lo := iv.Start
		for len(b) > 0 && b[0].End <= lo {
			b = b[1:]
		}
		for i := 0; i < len(b) && b[i].Start < iv.End; i++ {
			if b[i].Start > lo {
				dst = append(dst, Interval{lo, b[i].Start})
			}
			lo = max(lo, b[i].End)
		}
		if lo < iv.End {
			dst = append(dst, Interval{lo, iv.End})
		}
	}
	return dst
}

// Gaps returns the stretches of [lo, hi) that are not in s, appended to dst.
func (s Set) Gaps(dst Set, lo, hi int64) Set {
	if len(dst) == 0 {
		dst = dst.Room(len(s) + 1)
	}
	for _, iv := range s {
		if iv.Start > lo && lo < hi {
			dst = append(dst, Interval{lo, min(iv.Start, hi)})
		}
		lo = max(lo, iv.End)
	}
	if lo < hi {
		dst = append(dst, Interval{lo, hi})
	}
	return dst
}
