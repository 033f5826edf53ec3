package trace

import (
	"cmp"
	"slices"
)

// Sort puts every slice of t into order of start and, at equal starts, the
// longer one first, so that the same events in any order give the same trace.
// Exports are nearly sorted, for which an insertion that gives up early is
// several times faster than a sort; what is not nearly sorted is sorted.
//
// Device spans and file accesses that are there twice, equal in everything and
// not of length zero, are kept once: a stream runs one thing at a time, and
// exports that were merged or edited hold such rows. Zero lengths are what
// profilers with whole microseconds make of short kernels.
func (t *Trace) Sort() {
	sortBy(t.Device, compareSpans)
	sortBy(t.Ranges, compareRanges)
	sortBy(t.API, compareCalls)
	sortBy(t.OS, compareCalls)
	sortBy(t.Access, compareAccesses)
	sortBy(t.Syncs, compareSyncs)
	t.Device = slices.CompactFunc(t.Device, func(a, b Span) bool { return a == b && a.End > a.Start })
	t.Access = slices.CompactFunc(t.Access, func(a, b FileAccess) bool { return a == b && a.End > a.Start })
}

// The orders compare everything that spans differ in, so that two that are
// equal are the same. Few need more than the first comparison.

func compareSpans(a, b Span) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Bytes, b.Bytes),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Launch, b.Launch))
}

func compareRanges(a, b Range) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Domain, b.Domain))
}

func compareCalls(a, b Call) int {
	if c := compareTimes(a.Start, b.Start, a.End, b.End); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Thread, b.Thread))
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

// sortBy sorts s: insertion while few elements are out of place, else a full
// sort. The budget of moves keeps the worst case linear before it.
func sortBy[T any](s []T, compare func(a, b T) int) {
	budget := 4*len(s) + 64
	for i := 1; i < len(s); i++ {
		if compare(s[i-1], s[i]) <= 0 {
			continue
		}
		x, j := s[i], i
		for j > 0 && budget > 0 && compare(s[j-1], x) > 0 {
			s[j] = s[j-1]
			j--
			budget--
		}
		s[j] = x
		if budget == 0 {
			slices.SortFunc(s, compare)
			return
		}
	}
}
