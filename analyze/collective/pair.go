package collective

import "slices"

// communicator holds what is known about a communicator with point-to-point calls.
type communicator struct {
	size    int32
	members []int // indices of the ranks that were seen in it, in order
}

// numberInCommunicator returns the number of a rank in a communicator, by which NCCL's records name peers; -1 unknown.
// The communicator of the whole job numbers ranks as the job does. In a smaller one, if all members were seen, they
// are taken to be in the order of the job, as the groups of PyTorch and MPI are. That is safe, since two kernels are a
// pair only if both name each other.
func (m *matcher) numberInCommunicator(comm string, rank int) int {
	c := m.communicator(comm)
	if int(c.size) == len(c.members) {
		for i, r := range c.members {
			if r == rank {
				return i
			}
		}
	}
	if c.size > 0 && int(c.size) == m.world {
		return m.ranks[rank].Rank
	}
	return -1
}

// communicator returns what is known about a communicator that some kernel names.
func (m *matcher) communicator(name string) *communicator {
	if m.comms == nil {
		m.comms = map[string]*communicator{}
		for r := range m.ranks {
			for i := range m.ranks[r].Spans {
				x := &m.ranks[r].Spans[i]
				if x.Comm == "" {
					continue
				}
				c := m.comms[x.Comm]
				if c == nil {
					c = &communicator{}
					m.comms[x.Comm] = c
				}
				c.size = max(c.size, x.Ranks)
				if n := len(c.members); n == 0 || c.members[n-1] != r {
					c.members = append(c.members, r)
				}
			}
		}
	}
	return m.comms[name]
}

// rankPair is two ranks of a communicator, by their numbers in it.
type rankPair struct {
	comm      string
	low, high int
}

// matchPairs finds the pairs of sender and receiver among point-to-point kernels with a known peer: the n-th kernel
// that sends to a rank belongs to the n-th kernel with which that rank receives from the sender, if both have equally
// many in the step. If it is not known what sends and what receives, kernels are matched by their place among all
// kernels of the two ranks.
func (m *matcher) matchPairs(step []stepSpans) {
	found := map[rankPair]*[2][]member{}
	var order []rankPair
	for _, s := range step {
		for k := s.from; k < s.to; k++ {
			x := &m.ranks[s.rank].Spans[k]
			if !x.PointToPoint() || x.Comm == "" {
				continue
			}
			own, peer := m.numberInCommunicator(x.Comm, s.rank), m.peerNumber(x, s.rank)
			if own < 0 || peer < 0 || own == peer {
				continue
			}
			at := rankPair{x.Comm, min(own, peer), max(own, peer)}
			if found[at] == nil {
				found[at] = &[2][]member{}
				order = append(order, at)
			}
			side := 0
			if own == at.high {
				side = 1
			}
			found[at][side] = append(found[at][side], member{int32(s.rank), int32(k)})
		}
	}
	for _, at := range order {
		m.pairUp(found[at][0], found[at][1])
	}
}

// peerNumber returns the number of a kernel's peer in its communicator; -1 unknown. Of two ranks it is
// the other one.
func (m *matcher) peerNumber(x *Span, rank int) int {
	if x.Peer > 0 {
		return int(x.Peer) - 1
	}
	if own := m.numberInCommunicator(x.Comm, rank); x.Ranks == 2 && (own == 0 || own == 1) {
		return 1 - own
	}
	return -1
}

// pairUp makes pairs of the kernels of two ranks with each other, each in order of start.
func (m *matcher) pairUp(low, high []member) {
	twoWay := func(x member) bool { return m.span(x).Sends == m.span(x).Receives }
	if slices.ContainsFunc(low, twoWay) || slices.ContainsFunc(high, twoWay) {
		m.pairInOrder(low, high)
		return
	}
	of := func(list []member, sends bool) (some []member) {
		for _, x := range list {
			if m.span(x).Sends == sends {
				some = append(some, x)
			}
		}
		return some
	}
	m.pairInOrder(of(low, true), of(high, false))
	m.pairInOrder(of(low, false), of(high, true))
}

func (m *matcher) pairInOrder(low, high []member) {
	if len(low) != len(high) {
		return
	}
	for i := range low {
		if low[i].rank != high[i].rank {
			m.addGroup([]member{low[i], high[i]}, pointToPointPair)
		}
	}
}
