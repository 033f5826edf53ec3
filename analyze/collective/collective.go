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

// PointToPoint reports whether s exchanges data with single ranks, so that not all ranks of its
// communicator wait for each other in it.
func (s *Span) PointToPoint() bool { return s.Kind == "SendRecv" && s.Peer != AllPeers }

// hasRoot reports whether data flows from one rank to all or from all to one. The root of a
// Broadcast, and the senders of a Reduce, are done as soon as their data is in the buffers,
// however late the others are.
func (s *Span) hasRoot() bool { return s.Kind == "Broadcast" || s.Kind == "Reduce" }

// toAll reports whether every rank sends to every other.
func (s *Span) toAll() bool {
	return s.Kind == "AllToAll" || s.Kind == "SendRecv" && s.Peer == AllPeers
}

// Rank is what one rank of a run recorded.
type Rank struct {
	Rank    int     // its number in the job
	Numbers []int64 // step numbers, by index
	Spans   []Span  // in order of start
}

// Split is how a collective's time on one rank splits into wait and transfer.
type Split struct {
	// Wait is the kernel's duration less the shortest duration over all ranks, in ns: the rank
	// with the shortest one came last and only transferred. Unknown where wait and transfer
	// cannot be told apart.
	Wait int64
	// Skew is how long after the first rank the last one arrived, in ns: the longest duration
	// less the shortest, since a collective ends on all ranks at once.
	Skew int64
	// Last is the index of the rank that arrived last. It is Nobody where the arrivals of
	// several ranks cannot be told apart.
	Last int32
	// Uneven is, for an all-to-all, 1 less the ratio of the mean message to the largest one
	// over ranks: 0 where all are equal. -1: sizes are not known.
	Uneven float32
}

// Unknown is the wait of a kernel that was not matched with all ranks of its communicator, or
// whose wait cannot be told from its transfer.
const Unknown int64 = -1

// Nobody is the rank that arrived last where none is known to have.
const Nobody = -1

// Match finds which kernels of the ranks belong to one collective, and splits each kernel's
// time into wait and transfer. The result has an entry for every span of every rank. Match also
// says how well the clocks of hosts agree. world is the number of ranks in the job, 0 unknown;
// hosts names the host of each rank, nil if clocks are not asked for.
//
// Kernels belong together that have communicator and sequence number in common. Where these are
// not recorded, kernels are matched by their place among the collectives of a step, if all
// ranks have the same ones in the same order; else by their place among those of the same kind,
// if all ranks have equally many. Ranks with different counts are left unmatched: their kernels
// are never shifted against each other.
//
// In most collectives every rank waits for the last one, and durations tell wait from transfer.
// Where data flows from or to one rank, between two, or in messages of different sizes, a rank
// may be done early; such collectives are split only where the clocks show what happened. A
// point-to-point kernel whose peer is not known is left unmatched: that all ranks have equally
// many of them does not make them an all-to-all, since ranks that work in pairs have as well.
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
	for _, step := range m.spansByStep() {
		m.matchStep(step)
		if clocks.PointToPoint > 0 {
			m.matchPairs(step)
		}
	}
	m.align(&clocks)
	for _, g := range m.groups {
		f := m.members[g.from:g.to]
		clocks.Matched += len(f)
		if g.dependence == pointToPointPair {
			clocks.PointToPoint -= len(f)
		}
		if !m.split(g, splits) {
			clocks.Unsplit += len(f)
		}
	}
	return splits, clocks
}

// dependence is how the ranks of a collective wait for each other.
type dependence uint8

const (
	endTogether      dependence = iota // no rank is done before the last one has arrived: all end at once
	mayEndEarly                        // some ranks may be done before the last one has arrived
	pointToPointPair                   // two ranks of a point-to-point call, of which the sender may be done early
)

// kernelGroup is kernels that belong to one collective, at most one of each rank: the members
// of the matcher from index from to before to.
type kernelGroup struct {
	from, to   int
	dependence dependence
}

// member is one kernel: the index of its rank, and of the span on that rank.
type member struct{ rank, span int32 }

// matcher is the state of Match.
type matcher struct {
	ranks  []Rank
	world  int
	hostOf []int    // of each rank, the index of its host in hosts; nil: clocks are not asked for
	hosts  []string // names, in order

	groups  []kernelGroup
	members []member
	comms   map[string]*communicator // by name, those with point-to-point calls
	clocks  alignment

	last, first []int64 // scratch, by host: ns at which the last kernel began and the first one ended
	hostsSeen   []int   // scratch: indices of hosts
	spanIndex   []int32 // scratch: indices of a step's spans
}

func (m *matcher) span(x member) *Span { return &m.ranks[x.rank].Spans[x.span] }

// addGroup makes a group of kernels, if they ran at the same time.
func (m *matcher) addGroup(f []member, w dependence) {
	if !m.overlapOnHosts(f) {
		return
	}
	from := len(m.members)
	m.members = append(m.members, f...)
	m.groups = append(m.groups, kernelGroup{from, len(m.members), w})
}

// dependenceOf is how the ranks of a collective, which is no point-to-point call, wait for each
// other.
func (m *matcher) dependenceOf(f []member) dependence {
	if m.span(f[0]).hasRoot() || m.unevenness(f) > 0 {
		return mayEndEarly
	}
	return endTogether
}

// unevenness is Split.Uneven of the kernels of an all-to-all; -1 if a size is not known or the
// kernels are no all-to-all.
func (m *matcher) unevenness(f []member) float64 {
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

// split gives each kernel of a group its wait and skew. It is false if wait cannot be told from
// transfer.
func (m *matcher) split(g kernelGroup, splits [][]Split) bool {
	f := m.members[g.from:g.to]
	if first := m.span(f[0]); first.toAll() {
		uneven := float32(m.unevenness(f))
		for _, x := range f {
			splits[x.rank][x.span].Uneven = uneven
		}
	}
	if g.dependence != endTogether {
		return m.splitByEnds(f, splits)
	}
	m.splitByDurations(f, 0, splits)
	return true
}

// splitByDurations takes the shortest duration for the transfer, and the rest of each duration
// for wait. A wait of at most least ns counts as transfer.
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
		if x != last && duration(x)-shortest <= m.leastApart(x.rank, last.rank) {
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
