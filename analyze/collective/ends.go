package collective

import "math"

// splitByEnds splits a collective, or a pair, in which a rank may be done before the last one
// has arrived. It needs aligned clocks, and tells three cases apart:
//
//   - all ranks arrived at once: nobody waited;
//   - all ended at once: every rank was held up until the last one came, as in a
//     collective that synchronizes;
//   - else some ranks were done early, and whether the others waited is not known: false.
//
// "At once" means closer than arrivals can be told apart; nothing is claimed below that.
func (m *matcher) splitByEnds(f []member, splits [][]Split) bool {
	least := int64(0)
	firstStart, lastStart := int64(math.MaxInt64), int64(math.MinInt64)
	firstEnd, lastEnd := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range f {
		s := m.span(x)
		if least = max(least, m.leastApart(f[0].rank, x.rank)); least == neverApart || s.UTC == 0 {
			return false
		}
		end := m.endTime(x)
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
