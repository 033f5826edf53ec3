package render

// Side is what one side of the comparison is made of.
type Side struct {
	Label        string      `json:"label"`         // base name of what was given
	Runs         []string    `json:"runs"`          // names, in order
	Ranks        []int       `json:"ranks"`         // captured in any run; -1: the number is not known
	World        int         `json:"world"`         // ranks of the job as the files say; 0: they do not
	Missing      []int       `json:"missing"`       // ranks that should be there and are not
	WithoutSteps []int       `json:"without_steps"` // ranks captured without any step that is compared
	RanksFrom    []string    `json:"ranks_from"`    // where rank numbers came from
	Hosts        []string    `json:"hosts"`
	GPUs         []string    `json:"gpus"` // model names
	Files        []File      `json:"files"`
	Steps        Steps       `json:"steps"` // how steps were found
	Facts        []Fact      `json:"facts"`
	Stability    []Stability `json:"stability"`          // how steadily each run goes on: drift, levels, spikes
	Clocks       []Clocks    `json:"clocks"`             // of each run
	Origins      []Origin    `json:"origins,omitempty"`  // label, commit, link of its runs, by time; absent: none
	Captured     []string    `json:"captured,omitempty"` // when its first and its last run began, UTC: "2026-03-01T00:00:00Z"; absent: not known
	Digest       string      `json:"digest,omitempty"`   // over the content of all files read, in hex; absent: not known, or past runs are among them
}

// Origin is what the user said of a run; "" for what was not said.
type Origin struct {
	Label  string `json:"label"`
	Commit string `json:"commit"`
	Link   string `json:"link"`
}

// File is one file of a side and what became of it.
type File struct {
	Name   string `json:"name"`   // relative to the run set
	Format string `json:"format"` // "" if it was not recognised
	Bytes  int64  `json:"bytes"`
	Digest string `json:"digest"` // of the content, in hex; "" if it was not read
	Ranks  []int  `json:"ranks"`  // that it held
	Error  string `json:"error"`  // why it was left out; "" if it was read
}

// Steps says how the steps of a side were found.
type Steps struct {
	Marker       string    `json:"marker"`        // the most frequent over ranks
	Found        int       `json:"found"`         // found in a rank, median over ranks
	Kept         int       `json:"kept"`          // of these
	Used         int       `json:"used"`          // of the kept: those common to both sides and after the warm-up
	Dropped      []Drop    `json:"dropped"`       // what was not kept
	WarmUp       int       `json:"warm_up"`       // steps cut at the start by the warm-up rule
	SecondAnchor string    `json:"second_anchor"` // what another kind of event says about the same steps
	Hint         string    `json:"hint"`          // what to annotate, where nothing was found
	Receipts     []Receipt `json:"receipts"`      // one for each rank and file
}

// Receipt says how the steps of one capture were found; its fields are those
// of Steps.
type Receipt struct {
	File         string `json:"file"`
	Marker       string `json:"marker"`
	Found        int    `json:"found"`
	Kept         int    `json:"kept"`
	Dropped      []Drop `json:"dropped"`
	SecondAnchor string `json:"second_anchor"`
	Hint         string `json:"hint"`
}

// Drop is one reason and the steps that were left out for it.
type Drop struct {
	Steps  []int64 `json:"steps"` // step numbers
	Reason string  `json:"reason"`
}

// StepPoint is one step number on both sides.
type StepPoint struct {
	Number    int64     `json:"number"`
	Dropped   string    `json:"dropped"` // why it is left out; "" when it is used
	Baseline  StepTimes `json:"baseline"`
	Candidate StepTimes `json:"candidate"`
}

// StepTimes is step_time of one step over the ranks and runs of a side.
type StepTimes struct {
	Median Number  `json:"median"` // s; null if the side has no such step
	Min    Number  `json:"min"`
	Max    Number  `json:"max"`
	Ranks  int     `json:"ranks"`   // that have the step
	PerRun Numbers `json:"per_run"` // median over the ranks of each run
}

// Rank is one rank on both sides; null on a side that does not have it.
type Rank struct {
	Rank      int       `json:"rank"`
	Baseline  *RankSide `json:"baseline"`
	Candidate *RankSide `json:"candidate"`
}

// RankSide is one rank of one side.
type RankSide struct {
	From      string             `json:"from"` // where the number came from
	Host      string             `json:"host"`
	GPU       string             `json:"gpu"`
	Device    int                `json:"device"`    // ordinal as the process saw it; -1: no device work
	Steps     []int64            `json:"steps"`     // step numbers, kept and dropped ones
	Dropped   []string           `json:"dropped"`   // why each is left out; "" when it is kept
	Values    map[string]Numbers `json:"values"`    // by "metric" or "metric/part": one for each of steps
	OwnTime   Numbers            `json:"own_time"`  // s, of each of steps what is not waiting for other ranks; []: the two are not told apart
	Calls     []Calls            `json:"calls"`     // of collectives in kept steps, by length
	Box       Numbers            `json:"box"`       // step_time of used steps: min, quartiles and max, s
	Breakdown Breakdown          `json:"breakdown"` // means over used steps
	Parts     Numbers            `json:"parts"`     // means of the waterfall's parts on this rank, in their order
}

// Calls are the calls of one collective on a rank.
type Calls struct {
	Collective        string  `json:"collective"`
	Count             int64   `json:"count"`
	Mean              Number  `json:"mean"`               // s
	StandardDeviation Number  `json:"standard_deviation"` // s
	Lengths           Numbers `json:"lengths"`            // s, middles of the bins that have calls, each at most 1/32 wide
	Counts            []int64 `json:"counts"`             // calls in them
	Quantiles         Numbers `json:"quantiles"`          // s: min, 5 %, quartiles, 95 %, 99 % and max
}

// Breakdown is the mean step in parts, in seconds; they add up to step, where null counts
// as none.
type Breakdown struct {
	Step          Number `json:"step"`
	Compute       Number `json:"compute"`
	ExposedComm   Number `json:"exposed_comm"`
	ExposedMemory Number `json:"exposed_memory"`
	Idle          Number `json:"idle"`
}

// Activity is what the devices of all ranks did over time, in bins of one length.
type Activity struct {
	Bin       Number         `json:"bin"` // s
	Baseline  []RankActivity `json:"baseline"`
	Candidate []RankActivity `json:"candidate"`
}

// RankActivity is what the device of one rank did over time: one value a bin, from the start on.
type RankActivity struct {
	Rank        int     `json:"rank"`
	Busy        Numbers `json:"busy"`         // share of the bin with any work, 0 to 1
	Compute     Numbers `json:"compute"`      // the same of compute
	Comm        Numbers `json:"comm"`         // the same of communication
	Overlap     Numbers `json:"overlap"`      // the same of both at once
	Read        Numbers `json:"read"`         // bytes per second, of the rank or its node; null: not recorded
	Write       Numbers `json:"write"`        // the same written
	ReadSource  string  `json:"read_source"`  // what read and write were measured from
	Receive     Numbers `json:"receive"`      // bytes/s into the node's network ports; null: not recorded, or at another rank
	Send        Numbers `json:"send"`         // the same sent
	NetSource   string  `json:"net_source"`   // what receive and send were measured from
	StepStarts  Numbers `json:"step_starts"`  // s from the start of the bins
	StepNumbers []int64 `json:"step_numbers"` // of the steps that start there
}
