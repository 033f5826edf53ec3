package trace

import "strings"

// Message is what a communication kernel does and was asked to do, as far as the capture says.
type Message struct {
	Coll  NameID // canonical name of the collective ("AllReduce"), or 0
	Comm  NameID // communicator or process group; 0 unknown
	Type  NameID // data type; 0 unknown
	Bytes int64  // S of nccl-tests: the buffer, or for AllGather, ReduceScatter and AllToAll the sum over ranks; 0 unknown
	// Received are the bytes that this rank gets in an all-to-all, its own part counted; 0 not
	// recorded.
	Received int64
	Seq      int64 // 1 + the sequence number in the communicator; 0 unknown
	Ranks    int32 // of the communicator; 0 unknown
	Peer     int32 // 1 + the other rank of a point-to-point call; 0 unknown or none
	// PeerOfJob: Peer is a rank of the job. Else it is the number of the rank in the communicator.
	PeerOfJob bool
	// Sends and Receives say what a point-to-point call does; both in an exchange, neither where
	// it is not recorded.
	Sends, Receives bool
	Members         NameID // the ranks of the process group, "[0, 1, 2]"; 0 not recorded
	Purpose         NameID // how the program describes the process group; 0 not recorded
}

// Messages are the messages of a file's communication kernels, each once.
type Messages struct {
	all   []Message
	known map[Message]int64
}

// Add returns the number of a message, which a span keeps; 0 for the zero
// Message.
func (m *Messages) Add(x Message) int64 {
	if x == (Message{}) {
		return 0
	}
	if m.known == nil {
		m.known = make(map[Message]int64)
	}
	n, ok := m.known[x]
	if !ok {
		m.all = append(m.all, x)
		n = int64(len(m.all))
		m.known[x] = n
	}
	return n
}

// All returns the messages, each once.
func (m *Messages) All() []Message {
	if m == nil {
		return nil
	}
	return m.all
}

// Kernel makes a span a kernel, of the class that its name says.
func (m *Messages) Kernel(s *Span, names *Names) {
	class, coll := names.Kernel(s.Name)
	if s.Kind, s.Class = Kernel, class; class == Comm {
		s.SetMessage(m.Add(Message{Coll: coll}))
	}
}

// Complete lets fill add to each message what was found out after it.
func (m *Messages) Complete(fill func(*Message)) {
	m.known = nil
	for i := range m.all {
		fill(&m.all[i])
	}
}

// Of returns the message of a communication kernel, the zero Message if none was
// recorded.
func (m *Messages) Of(s *Span) Message {
	if x := m.find(s); x != nil {
		return *x
	}
	return Message{}
}

// Coll returns the canonical name of the collective of a kernel ("AllReduce"), or 0.
func (m *Messages) Coll(s *Span) NameID {
	if x := m.find(s); x != nil {
		return x.Coll
	}
	return 0
}

// find returns the message of a communication kernel, or nil.
func (m *Messages) find(s *Span) *Message {
	if n := s.number(); m != nil && s.Class == Comm && n > 0 && n <= int64(len(m.all)) {
		return &m.all[n-1]
	}
	return nil
}

// ElementSize returns the size in bytes of one element of a type, as PyTorch and NCCL name them ("Float",
// "c10::BFloat16", "ncclFloat32"); 0 if it is not known.
func ElementSize(dtype string) int64 {
	t := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(dtype, "c10::"), "nccl"))
	switch t {
	case "double", "long", "float64", "int64", "uint64", "complexfloat", "complex64":
		return 8
	case "float", "int", "float32", "int32", "uint32":
		return 4
	case "bfloat16", "half", "short", "float16", "int16":
		return 2
	case "byte", "char", "bool", "uint8", "int8":
		return 1
	case "complexdouble", "complex128":
		return 16
	}
	if strings.HasPrefix(t, "float8") {
		return 1
	}
	return 0
}

// BusFactor returns the factor by which the algorithm bandwidth of a collective over n ranks is multiplied to compare
// it with what a link can carry; 0 where n is not known (nccl-tests, doc/PERFORMANCE.md).
func BusFactor(collective string, n int32) float64 {
	if n < 1 {
		return 0
	}
	share := float64(n-1) / float64(n)
	switch collective {
	case "AllReduce":
		return 2 * share
	case "AllGather", "ReduceScatter", "AllToAll":
		return share
	case "Broadcast", "Reduce", "SendRecv":
		return 1
	}
	return 0
}
