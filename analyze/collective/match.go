package collective

import (
	"cmp"
	"slices"
)

// stepOf is the spans of a step on one rank, from from to to.
type stepOf struct{ rank, from, to int }

// steps are the spans of each step number, in order of number and then of rank.
func (m *matcher) steps() [][]stepOf {
	slot := map[int64]int{}
	var numbers []int64
	var out [][]stepOf
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
				out = append(out, make([]stepOf, 0, len(m.ranks)))
			}
			out[at] = append(out[at], stepOf{r, from, i})
		}
	}
	ordered := make([][]stepOf, 0, len(out))
	for _, n := range sorted(numbers) {
		ordered = append(ordered, out[slot[n]])
	}
	return ordered
}

// key is what kernels that belong together have in common.
type key struct {
	kind, comm string
	seq        int64 // of the communicator, or the place among those of the kind
}

// collectives finds the kernels of a step that belong together, but for the
// point-to-point ones.
func (m *matcher) collectives(step []stepOf) {
	spans := make([][]int32, len(step))
	sequenced := true
	n := 0
	for _, s := range step {
		n += s.to - s.from
	}
	all := slices.Grow(m.index[:0], n)
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
	m.index = all
	if !m.alike(step, spans, sequenced) {
		m.byKey(step, spans, sequenced)
		return
	}
	f := make([]member, len(step))
	for place := range spans[0] {
		for i, s := range step {
			f[i] = member{int32(s.rank), spans[i][place]}
		}
		m.collective(f, len(step))
	}
}

// alike reports whether all ranks have the same collectives in the same order, and
// where they are numbered with the same numbers.
func (m *matcher) alike(step []stepOf, spans [][]int32, sequenced bool) bool {
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

// byKey finds them by number or, where they have none, by their place among those
// of the same kind in the same communicator, if all ranks that have any have as many.
func (m *matcher) byKey(step []stepOf, spans [][]int32, sequenced bool) {
	byKey, counts := map[key][]member{}, map[key]int64{}
	var order []key
	uneven := map[key]bool{}
	for i, s := range step {
		nth := map[key]int64{}
		for _, k := range spans[i] {
			x := &m.ranks[s.rank].Spans[k]
			kind := key{kind: x.Kind, comm: x.Comm}
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
		if sequenced || !uneven[key{kind: k.kind, comm: k.comm}] {
			m.collective(byKey[k], len(step))
		}
	}
}

// collective keeps the members if they are all ranks of their communicator. Where
// its size is not recorded all ranks of the job must be there.
func (m *matcher) collective(f []member, present int) {
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
		m.keep(f, m.wayOf(f))
	}
}

// atOnce reports whether members on one host, whose clock they share, run at the same
// time: a collective does, and kernels that only stand at the same place of a step,
// with the edge of the step between them, do not.
func (m *matcher) atOnce(f []member) bool {
	if m.host == nil {
		return true
	}
	m.seen = m.seen[:0]
	for _, x := range f {
		s, h := m.span(x), m.host[x.rank]
		if s.UTC == 0 || m.hosts[h] == "" {
			continue
		}
		began := s.UTC - (s.End - s.Start)
		if m.first[h] == 0 {
			m.last[h], m.first[h] = began, s.UTC
			m.seen = append(m.seen, h)
			continue
		}
		m.last[h], m.first[h] = max(m.last[h], began), min(m.first[h], s.UTC)
	}
	ok := true
	for _, h := range m.seen {
		ok = ok && m.last[h] <= m.first[h]+clockSlack
		m.first[h] = 0
	}
	return ok
}

// clockSlack is by how much the wall clocks of profilers on one host may differ, in ns.
const clockSlack = 1_000_000
