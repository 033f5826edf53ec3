package collective

import (
	"cmp"
	"slices"
)

// stepSpans holds the spans of one step on one rank: from index from to before index to.
type stepSpans struct{ rank, from, to int }

// spansByStep groups the spans of all ranks by step number, in order of number and then of
// rank.
func (m *matcher) spansByStep() [][]stepSpans {
	slot := map[int64]int{}
	var numbers []int64
	var out [][]stepSpans
	for r := range m.ranks {
		rank := &m.ranks[r]
		for i := 0; i < len(rank.Spans); {
			from, step := i, rank.Spans[i].Step
			for i++; i < len(rank.Spans) && rank.Spans[i].Step == step; i++ {
			}
			if step < 0 || step >= len(rank.Numbers) {
				continue
			}
			at, ok := slot[rank.Numbers[step]]
			if !ok {
				at = len(out)
				slot[rank.Numbers[step]] = at
				numbers = append(numbers, rank.Numbers[step])
				out = append(out, make([]stepSpans, 0, len(m.ranks)))
			}
			out[at] = append(out[at], stepSpans{r, from, i})
		}
	}
	ordered := make([][]stepSpans, 0, len(out))
	for _, n := range sortedCopy(numbers) {
		ordered = append(ordered, out[slot[n]])
	}
	return ordered
}

// groupKey is what kernels of one collective share.
type groupKey struct {
	kind, comm string
	seq        int64 // number in the communicator, or place among the kernels of the kind
}

// matchStep finds the groups of one step, point-to-point calls left aside.
func (m *matcher) matchStep(step []stepSpans) {
	spans := make([][]int32, len(step))
	sequenced := true
	n := 0
	for _, s := range step {
		n += s.to - s.from
	}
	all := slices.Grow(m.spanIndex[:0], n)
	for i, s := range step {
		from := len(all)
		for k := s.from; k < s.to; k++ {
			if x := &m.ranks[s.rank].Spans[k]; !x.PointToPoint() {
				all = append(all, int32(k))
				sequenced = sequenced && x.Seq > 0 && x.Comm != ""
			}
		}
		spans[i] = all[from:]
	}
	m.spanIndex = all
	if !m.sameOrder(step, spans, sequenced) {
		m.matchByKey(step, spans, sequenced)
		return
	}
	f := make([]member, len(step))
	for place := range spans[0] {
		for i, s := range step {
			f[i] = member{int32(s.rank), spans[i][place]}
		}
		m.addCollective(f, len(step))
	}
}

// sameOrder reports whether all ranks have the same collectives in the same order, with equal
// sequence numbers where they are recorded.
func (m *matcher) sameOrder(step []stepSpans, spans [][]int32, sequenced bool) bool {
	for i := 1; i < len(step); i++ {
		if len(spans[i]) != len(spans[0]) {
			return false
		}
		for place := range spans[0] {
			x, y := &m.ranks[step[0].rank].Spans[spans[0][place]], &m.ranks[step[i].rank].Spans[spans[i][place]]
			if x.Kind != y.Kind || x.Comm != y.Comm || sequenced && x.Seq != y.Seq {
				return false
			}
		}
	}
	return true
}

// matchByKey finds groups by communicator and sequence number. Where these are not recorded it uses the place among
// the kernels of one kind and communicator, if all ranks that have any have equally many.
func (m *matcher) matchByKey(step []stepSpans, spans [][]int32, sequenced bool) {
	byKey, counts := map[groupKey][]member{}, map[groupKey]int64{}
	var order []groupKey
	uneven := map[groupKey]bool{}
	for i, s := range step {
		nth := map[groupKey]int64{}
		for _, k := range spans[i] {
			x := &m.ranks[s.rank].Spans[k]
			kind := groupKey{kind: x.Kind, comm: x.Comm}
			at := kind
			nth[kind]++
			if at.seq = nth[kind]; sequenced {
				at.seq = x.Seq
			}
			if byKey[at] == nil {
				order = append(order, at)
			}
			byKey[at] = append(byKey[at], member{int32(s.rank), k})
		}
		for kind, n := range nth {
			if counts[kind] == 0 {
				counts[kind] = n
			}
			uneven[kind] = uneven[kind] || counts[kind] != n
		}
	}
	for _, k := range order {
		if sequenced || !uneven[groupKey{kind: k.kind, comm: k.comm}] {
			m.addCollective(byKey[k], len(step))
		}
	}
}

// addCollective makes a group of the kernels if they are from all ranks of their communicator;
// where its size is not recorded, from all ranks of the job. present is the number of ranks
// with the step.
func (m *matcher) addCollective(f []member, present int) {
	size := int32(0)
	for i, x := range f {
		if i > 0 && f[i-1].rank == x.rank {
			return // twice on a rank: something else than was thought
		}
		size = cmp.Or(size, m.span(x).Ranks)
	}
	switch {
	case len(f) < 2:
	case size > 0 && len(f) != int(size):
	case size <= 0 && (len(f) != present || m.world != 0 && len(f) != m.world):
	default:
		m.addGroup(f, m.dependenceOf(f))
	}
}

// overlapOnHosts reports whether kernels on one host, which share a clock, run at the same
// time. The kernels of a collective do. Kernels that merely stand at the same place of a step,
// with the edge of the step between them, do not.
func (m *matcher) overlapOnHosts(f []member) bool {
	if m.hostOf == nil {
		return true
	}
	m.hostsSeen = m.hostsSeen[:0]
	for _, x := range f {
		s, h := m.span(x), m.hostOf[x.rank]
		if s.UTC == 0 || m.hosts[h] == "" {
			continue
		}
		began := s.UTC - (s.End - s.Start)
		if m.first[h] == 0 {
			m.last[h], m.first[h] = began, s.UTC
			m.hostsSeen = append(m.hostsSeen, h)
			continue
		}
		m.last[h], m.first[h] = max(m.last[h], began), min(m.first[h], s.UTC)
	}
	ok := true
	for _, h := range m.hostsSeen {
		ok = ok && m.last[h] <= m.first[h]+clockSlack
		m.first[h] = 0
	}
	return ok
}

// clockSlack is how much the wall clocks of profilers on one host may differ, in ns.
const clockSlack = 1_000_000

// addGroup makes a group of kernels, if they ran at the same time.
func (m *matcher) addGroup(f []member, w dependence) {
	if !m.overlapOnHosts(f) {
		return
	}
	from := len(m.members)
	m.members = append(m.members, f...)
	m.groups = append(m.groups, kernelGroup{from, len(m.members), w})
}
