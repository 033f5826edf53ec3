package run

// Group is ranks that communicate with each other, and what they did in the kept steps of a run.
type Group struct {
	Ranks     []int      // in order; where no capture lists them, those that were captured
	Size      int        // ranks that it has in all; 0 unknown
	Purpose   string     `json:",omitempty"` // as the program describes it; "" not recorded
	Dimension string     `json:",omitempty"` // of the job's parallelism that it serves: "tensor parallel"; "" unknown
	Uses      []GroupUse // by collective, type and size of message, in this order
	Pipeline  *Pipeline  `json:",omitempty"` // of one whose ranks are the stages of a pipeline; nil of any other
}

// Pipeline is how the stages of a pipeline, which are the ranks of a group in their order, go
// through the micro-batches of a step: what all kept steps have in common.
type Pipeline struct {
	MicroBatches int    // of a step; 0 unknown
	Chunks       int    // parts of the model on each stage; 0 unknown
	Schedule     string `json:",omitempty"` // "1F1B", "GPipe", "interleaved", "forward only"; "" unknown
}

// GroupUse is what a group did with one collective, on all its ranks together.
type GroupUse struct {
	Collective string
	Type       string  `json:",omitempty"` // of data, as recorded; "" unknown
	Size       string  `json:",omitempty"` // class of the message: "1 to 16 MiB"; "" unknown
	Steps      int     // of a rank, in which it occurs
	Calls      int     // kernels
	Bytes      float64 // of messages, as nccl-tests counts them; 0 unknown
	Time       int64   // ns
	Exposed    int64   // ns of Time in which no compute runs
	// Wait and Transfer are the parts of Time, in ns, of the kernels in which they can be told
	// apart, which are Split of Calls.
	Wait, Transfer int64
	Split          int
}

// Whole reports whether all ranks of the group are known.
func (g *Group) Whole() bool { return g.Size > 0 && len(g.Ranks) == g.Size }
