package collective

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
