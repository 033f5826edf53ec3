package collective

// Span is a communication kernel as one rank recorded it.
type Span struct {
	Step       int   // index of the rank's step in which it starts
	Start, End int64 // ns, of the rank's own clock
	UTC        int64 // ns: End by the wall clock; 0 unknown
	Kind       string
	Comm       string // communicator or process group; "" unknown
	Seq        int64  // 1 + its number in the communicator; 0 unknown
	Type       string // of data; "" unknown
	Bytes      int64  // of the message; 0 unknown
	Received   int64  // bytes that an all-to-all brings to the rank; 0 unknown
	Ranks      int32  // of the communicator; 0 unknown
	// Peer is 1 + the other rank, by its number in the communicator, of a
	// point-to-point call; 0 unknown; AllPeers.
	Peer int32
	// Sends and Receives say what a point-to-point call does; both in an exchange, neither
	// where it is not known.
	Sends, Receives bool
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

// ToAll reports whether every rank sends to every other.
func (s *Span) ToAll() bool {
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
	// For is the index of the rank that did not wait, ForSpan that of its kernel among its spans:
	// whoever waited, waited for it or for one that came as late. They are set with a Wait above 0.
	For, ForSpan int32
	// Uneven is, for an all-to-all, 1 less the ratio of the mean message to the largest one
	// over ranks, of what they send or what they receive, whichever is larger: 0 where all are
	// equal. -1: sizes are not known.
	Uneven float32
	// Routed are, for an all-to-all, the bytes that the rank receives or sends, whichever differ
	// more over the ranks. 0: sizes are not known.
	Routed int64
	// Peer is the index of the rank with which a point-to-point kernel was matched; Nobody
	// where it was not.
	Peer int32
}

// Unknown is the wait of a kernel that was not matched with all ranks of its communicator, or
// whose wait cannot be told from its transfer.
const Unknown int64 = -1

// Nobody is the rank that arrived last, or that a kernel was matched with, where none is known.
const Nobody = -1
