package trace

import "slices"

// Sort puts every slice of t into order of start and, at equal starts, the
// longer one first, so that the same events in any order give the same trace.
// Exports are nearly sorted, for which an insertion that gives up early is
// several times faster than a sort; what is not nearly sorted is sorted.
func (t *Trace) Sort() {
	sortBy(t.Device, compareSpans)
	sortBy(t.Ranges, func(a, b Range) int {
		return order(a.Start, b.Start, b.End, a.End, int64(a.Name), int64(b.Name), int64(a.Thread), int64(b.Thread))
	})
	calls := func(a, b Call) int {
		return order(a.Start, b.Start, b.End, a.End, int64(a.Name), int64(b.Name), int64(a.Thread), int64(b.Thread))
	}
	sortBy(t.API, calls)
	sortBy(t.OS, calls)
	sortBy(t.Access, func(a, b FileAccess) int {
		return order(a.Start, b.Start, b.End, a.End, a.Bytes, b.Bytes, int64(a.Op), int64(b.Op), int64(a.Thread), int64(b.Thread))
	})
	sortBy(t.Syncs, func(a, b Sync) int {
		return order(a.Start, b.Start, b.End, a.End, int64(a.Type), int64(b.Type), int64(a.Stream), int64(b.Stream))
	})
}

func compareSpans(a, b Span) int {
	return order(a.Start, b.Start, b.End, a.End, int64(a.Stream), int64(b.Stream), int64(a.Name), int64(b.Name), a.Bytes, b.Bytes)
}

// order compares pairs of keys, the first that differs decides.
func order(keys ...int64) int {
	for i := 0; i+1 < len(keys); i += 2 {
		if keys[i] != keys[i+1] {
			if keys[i] < keys[i+1] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// sortBy sorts s stably: insertion while few elements are out of place, else
// a full sort. The budget of moves keeps the worst case linear before it.
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
			slices.SortStableFunc(s, compare)
			return
		}
	}
}
