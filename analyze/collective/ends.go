package collective

import "math"

// splitByEnds splits a collective or a pair of which a rank may be done before the
// last has arrived, as far as aligned clocks tell:
//
//   - all came at once: nobody waited;
//   - all ended at once: it held everybody up until the last came, as a collective
//     that synchronizes does;
//   - else some were done early, and the longest may have waited or not: false.
//
// At once is closer than arrivals can be told apart. Nothing is claimed below that.
func (m *matcher) splitByEnds(f []member, splits [][]Split) bool {
	least := int64(0)
	firstStart, lastStart := int64(math.MaxInt64), int64(math.MinInt64)
	firstEnd, lastEnd := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range f {
		s := m.span(x)
		if least = max(least, m.apart(f[0].rank, x.rank)); least == never || s.UTC == 0 {
			return false
		}
		end := m.end(x)
		start := end - (s.End - s.Start)
		firstStart, lastStart = min(firstStart, start), max(lastStart, start)
		firstEnd, lastEnd = min(firstEnd, end), max(lastEnd, end)
	}
	switch {
	case lastStart-firstStart <= least:
		for _, x := range f {
			out := &splits[x.rank][x.span]
			out.Wait, out.Skew = 0, 0
		}
	case lastEnd-firstEnd <= least:
		m.splitByDurations(f, least, splits)
	default:
		return false
	}
	return true
}
