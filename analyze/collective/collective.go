// Package collective sees one collective on many ranks: which kernels of the
// ranks of a run belong together, and how much of each is waiting for the last
// rank to arrive.
package collective

import "slices"

// Span is a communication kernel as one rank recorded it.
type Span struct {
	Step       int   // index of the rank's step in which it starts
	Start, End int64 // ns, of the rank's own clock
	UTC        int64 // ns: End by the wall clock; 0 unknown
	Kind       string
	Comm       string // communicator or process group; "" unknown
	Seq        int64  // 1 + its number in the communicator; 0 unknown
	Bytes      int64  // of the message; 0 unknown
	Ranks      int32  // of the communicator; 0 unknown
	// Peer is 1 + the other rank, by its number in the communicator, of a
	// point-to-point call; 0 unknown; AllPeers.
	Peer int32
}

// AllPeers is the peer of a point-to-point kernel that is known to be an
// all-to-all, which NCCL builds of sends and receives.
const AllPeers int32 = -1

// PointToPoint reports whether s exchanges data with single ranks, so that the ranks
// of its communicator do not wait for each other in it.
func (s *Span) PointToPoint() bool { return s.Kind == "SendRecv" && s.Peer != AllPeers }

// rooted reports whether data flows from one rank or to one rank only: the root of
// a Broadcast and the leaves of a Reduce are done when what they send is in the
// buffers, however late the others are.
func (s *Span) rooted() bool { return s.Kind == "Broadcast" || s.Kind == "Reduce" }

// toAll reports whether every rank sends to every other.
func (s *Span) toAll() bool {
	return s.Kind == "AllToAll" || s.Kind == "SendRecv" && s.Peer == AllPeers
}

// Rank is what one rank of a run recorded.
type Rank struct {
	Rank    int     // its number in the job
	Numbers []int64 // of its steps, by index
	Spans   []Span  // in order of start
}

// Split is what a collective was on one rank.
type Split struct {
	// Wait is its duration less the shortest of all ranks, which only transfers, in
	// ns; Unknown where that cannot be told.
	Wait int64
	// Skew is by how much the first rank arrived before the last, in ns: the longest
	// less the shortest duration, since a collective ends on all ranks at once.
	Skew int64
	// Last is the index of the rank that arrived last; Nobody where ranks arrived
	// closer to each other than arrivals are known.
	Last int32
	// Uneven is the share by which the mean message of an all-to-all is smaller than
	// its largest, over ranks; -1: sizes are not known.
	Uneven float32
}

// Unknown is the wait of a kernel that was matched with no others, or not with
// all ranks of its communicator, or of which it cannot be told from the transfer.
const Unknown int64 = -1

// Nobody is the rank that arrived last where none is known to have.
const Nobody = -1

// Match splits every span of every rank, and says how the clocks of hosts agree. world
// is the number of ranks in the job, 0 unknown; hosts names the host of each rank, nil
// if clocks are not asked for.
//
// Kernels belong together that have a communicator and sequence number in
// common; where these are not recorded, those at the same place among the
// collectives of a step, if all ranks have the same ones, or at the same place
// among those of the same kind, if all have as many. Different counts are left
// unmatched and never shifted.
//
// Of collectives in which all ranks wait for the last one, durations tell waiting
// from transfer. Where data flows from or to one rank, between two, or in messages of
// different sizes, a rank may be done early: those are split only where the
// clocks show what happened. Point-to-point kernels whose peer is not known are
// matched with nothing: that all ranks have as many of them does not make them an
// all-to-all, since pairs have as many too.
func Match(ranks []Rank, hosts []string, world int) ([][]Split, Clocks) {
	m := &matcher{ranks: ranks, world: world}
	m.setHosts(hosts)
	var clocks Clocks
	splits := make([][]Split, len(ranks))
	for r := range ranks {
		clocks.Kernels += len(ranks[r].Spans)
		splits[r] = slices.Repeat([]Split{{Wait: Unknown, Last: Nobody, Uneven: -1}}, len(ranks[r].Spans))
		for i := range ranks[r].Spans {
			if ranks[r].Spans[i].PointToPoint() {
				clocks.PointToPoint++
			}
		}
	}
	for _, step := range m.steps() {
		m.collectives(step)
		if clocks.PointToPoint > 0 {
			m.pairs(step)
		}
	}
	m.align(&clocks)
	for _, g := range m.groups {
		f := m.members[g.from:g.to]
		clocks.Matched += len(f)
		if g.way == pair {
			clocks.PointToPoint -= len(f)
		}
		if !m.split(g, splits) {
			clocks.Unsplit += len(f)
		}
	}
	return splits, clocks
}

// way is how the ranks of a collective depend on each other.
type way uint8

const (
	together way = iota // none is done before the last has arrived: all end at once
	byEnds              // some may be done early
	pair                // two ranks of a point-to-point call; the sender may be done early
)

// group is kernels that belong together, at most one of each rank: members from
// from to to of the matcher.
type group struct {
	from, to int
	way      way
}

// member is a span of a rank.
type member struct{ rank, span int32 }

// matcher is the state of Match.
type matcher struct {
	ranks []Rank
	world int
	host  []int    // of each rank, a place in hosts; nil: not asked for
	hosts []string // in order

	groups  []group
	members []member
	comms   map[string]*communicator // with point-to-point calls
	clocks  aligned

	last, first []int64 // scratch, by host: the last to begin and the first to end
	seen        []int   // scratch: hosts
	index       []int32 // scratch: spans of a step
}

func (m *matcher) span(x member) *Span { return &m.ranks[x.rank].Spans[x.span] }

// keep makes a group of what belongs together if it is whole and ran at once.
func (m *matcher) keep(f []member, w way) {
	if !m.atOnce(f) {
		return
	}
	from := len(m.members)
	m.members = append(m.members, f...)
	m.groups = append(m.groups, group{from, len(m.members), w})
}

// wayOf is how the ranks of a collective depend on each other.
func (m *matcher) wayOf(f []member) way {
	if m.span(f[0]).rooted() || m.uneven(f) > 0 {
		return byEnds
	}
	return together
}

// uneven is the share by which the mean message is smaller than the largest; -1: a
// size is not known, or it is no all-to-all.
func (m *matcher) uneven(f []member) float64 {
	if !m.span(f[0]).toAll() {
		return -1
	}
	sum, most := 0.0, 0.0
	for _, x := range f {
		bytes := float64(m.span(x).Bytes)
		if bytes <= 0 {
			return -1
		}
		sum, most = sum+bytes, max(most, bytes)
	}
	return 1 - sum/float64(len(f))/most
}

// split gives each member its wait and the skew of all; false if waiting cannot be
// told from transfer.
func (m *matcher) split(g group, splits [][]Split) bool {
	f := m.members[g.from:g.to]
	if first := m.span(f[0]); first.toAll() {
		uneven := float32(m.uneven(f))
		for _, x := range f {
			splits[x.rank][x.span].Uneven = uneven
		}
	}
	if g.way != together {
		return m.splitByEnds(f, splits)
	}
	m.splitByDurations(f, 0, splits)
	return true
}

// splitByDurations takes the shortest duration for the transfer. Waits up to least
// count as transfer.
func (m *matcher) splitByDurations(f []member, least int64, splits [][]Split) {
	duration := func(x member) int64 {
		s := m.span(x)
		return s.End - s.Start
	}
	last, shortest, longest := f[0], duration(f[0]), duration(f[0])
	for _, x := range f {
		d := duration(x)
		if d < shortest {
			last, shortest = x, d
		}
		longest = max(longest, d)
	}
	name := last.rank
	for _, x := range f {
		if x != last && duration(x)-shortest <= m.apart(x.rank, last.rank) {
			name = Nobody // this one may have come as late
			break
		}
	}
	for _, x := range f {
		out := &splits[x.rank][x.span]
		out.Wait, out.Skew, out.Last = duration(x)-shortest, longest-shortest, name
		if out.Wait <= least {
			out.Wait = 0
		}
	}
}
