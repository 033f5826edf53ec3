package collective

// communicator is what is known of one with point-to-point calls.
type communicator struct {
	size    int32
	members []int // ranks that were seen in it, in order
}

// number is the number of a rank in its communicator, -1 unknown: NCCL's payloads name
// peers by it. The largest communicator numbers ranks as the job does, and
// where all members were seen they are taken to be in the order of the job, as
// PyTorch's and MPI's groups are; that both sides name each other is asked for in
// any case.
func (m *matcher) number(comm string, rank int) int {
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
	c := m.comms[comm]
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

// ends of a pair of ranks in a communicator, by their numbers there.
type route struct {
	comm      string
	low, high int
}

// pairs finds the sender or receiver of each point-to-point kernel whose peer is
// known: the n-th kernel of a rank for another belongs to the n-th of that for it, if
// both have as many in the step.
func (m *matcher) pairs(step []stepOf) {
	found := map[route]*[2][]member{}
	var order []route
	for _, s := range step {
		for k := s.from; k < s.to; k++ {
			x := &m.ranks[s.rank].Spans[k]
			if !x.PointToPoint() || x.Peer <= 0 || x.Comm == "" {
				continue
			}
			own, peer := m.number(x.Comm, s.rank), int(x.Peer)-1
			if own < 0 || own == peer {
				continue
			}
			at := route{x.Comm, min(own, peer), max(own, peer)}
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
		low, high := found[at][0], found[at][1]
		for i := range low {
			if len(low) == len(high) && low[i].rank != high[i].rank {
				m.keep([]member{low[i], high[i]}, pair)
			}
		}
	}
}
