package collective

import (
	"cmp"
	"slices"
)

// matchByTime finds the pairs among point-to-point kernels of which only the times are known, such as batches of sends
// and receives that run as one kernel. Two belong together if they end at once, and no other rank has one of the same
// communicator that runs at the time of either. That must hold for every such kernel of the communicator in the step:
// if one is left over, the others may have been matched by chance, and none are. All ranks must have been captured,
// and the clocks of their hosts be aligned.
func (m *matcher) matchByTime(steps [][]stepSpans) {
	matched := map[member]bool{}
	for _, g := range m.groups {
		if g.dependence == pointToPointPair {
			for _, x := range m.members[g.from:g.to] {
				matched[x] = true
			}
		}
	}
	for _, step := range steps {
		byComm := map[string][]member{}
		var order []string
		for _, s := range step {
			for k := s.from; k < s.to; k++ {
				x, at := &m.ranks[s.rank].Spans[k], member{int32(s.rank), int32(k)}
				if !x.PointToPoint() || x.Peer > 0 || matched[at] {
					continue
				}
				if byComm[x.Comm] == nil {
					order = append(order, x.Comm)
				}
				byComm[x.Comm] = append(byComm[x.Comm], at)
			}
		}
		for _, comm := range order {
			if !m.hasAllOf(comm) {
				continue
			}
			for _, p := range m.onlyPairs(byComm[comm]) {
				m.addGroup(p[:], pointToPointPair)
			}
		}
	}
}

// hasAllOf reports whether all ranks of a communicator were captured; of the job where a kernel
// does not say what its communicator is.
func (m *matcher) hasAllOf(comm string) bool {
	if comm != "" {
		if c := m.communicator(comm); c.size > 0 {
			return int(c.size) == len(c.members)
		}
	}
	return m.world > 0 && m.world == len(m.ranks)
}

// besideOther is a point-to-point kernel with times on the aligned clock of all hosts, and the index of the only
// kernel of another rank that runs at its time; -1 none so far.
type besideOther struct {
	member
	start, end int64
	partner    int
}

// onlyPairs returns the pairs of kernels, if each has exactly one possible partner; else none.
func (m *matcher) onlyPairs(kernels []member) (pairs [][2]member) {
	least := m.leastApartOf(kernels)
	if least == neverApart || len(kernels)%2 != 0 {
		return nil
	}
	all := make([]besideOther, len(kernels))
	for i, x := range kernels {
		end := m.endTime(x)
		all[i] = besideOther{x, end - (m.span(x).End - m.span(x).Start), end, -1}
	}
	slices.SortStableFunc(all, func(a, b besideOther) int { return cmp.Compare(a.start, b.start) })
	for i := range all {
		for k := i + 1; k < len(all) && all[k].start <= all[i].end+least; k++ {
			if all[k].rank == all[i].rank {
				continue
			}
			if all[i].partner >= 0 || all[k].partner >= 0 {
				return nil // it may be one or the other
			}
			all[i].partner, all[k].partner = k, i
		}
		switch k := all[i].partner; {
		case k < 0, max(all[i].end-all[k].end, all[k].end-all[i].end) > least:
			return nil
		case k > i:
			pairs = append(pairs, [2]member{all[i].member, all[k].member})
		}
	}
	return pairs
}

// leastApartOf returns by how much moments on the ranks of any two kernels must differ, in ns, to be told apart.
func (m *matcher) leastApartOf(kernels []member) (least int64) {
	for _, x := range kernels {
		if m.span(x).UTC == 0 {
			return neverApart
		}
		least = max(least, m.leastApart(kernels[0].rank, x.rank), m.leastApart(x.rank, x.rank))
	}
	return least
}
