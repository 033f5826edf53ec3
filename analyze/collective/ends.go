package collective

import "math"

// splitByEnds splits a collective, or a pair, in which a rank may be done before the last one
// has arrived. It needs aligned clocks, and tells these cases apart:
//
//   - all ranks arrived at once: nobody waited;
//   - all ended at once: every rank was held up until the last one came, as in a
//     collective that synchronizes;
//   - an all-to-all goes on, on all ranks, after the last one came: every rank, which
//     exchanges data with that one too, was held up until then;
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
	case m.span(f[0]).ToAll() && firstEnd-lastStart > least:
		m.splitByArrivals(f, lastStart, lastStart-firstStart, splits)
	default:
		return false
	}
	return true
}

// splitByArrivals takes all of a kernel's time until the last rank arrives for wait, and the rest
// for transfer.
func (m *matcher) splitByArrivals(f []member, last, skew int64, splits [][]Split) {
	name, latest := int32(Nobody), f[0]
	for _, x := range f {
		s, out := m.span(x), &splits[x.rank][x.span]
		out.Wait, out.Skew = last-(m.endTime(x)-(s.End-s.Start)), skew
		if out.Wait < splits[latest.rank][latest.span].Wait {
			latest = x
		}
		switch {
		case out.Wait == 0 && name == Nobody:
			name = x.rank
		case out.Wait <= m.leastApart(f[0].rank, x.rank): // this one may have come as late
			name = severalRanks
		}
	}
	if name == severalRanks {
		name = Nobody
	}
	for _, x := range f {
		out := &splits[x.rank][x.span]
		out.Last, out.For, out.ForSpan = name, latest.rank, latest.span
	}
}

// severalRanks is who came last where it may have been one or another.
const severalRanks = -2
