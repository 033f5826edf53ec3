package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// SchemaVersion is the version of the JSON form of Report. The major number
// changes when a field is removed or changes its meaning.
const SchemaVersion = "3.0"

// Report is everything a renderer shows; renderers compute nothing. It is also the document that
// -o report.json writes: a field, here and in the types of what the report holds, stands there under
// the name in its tag "report". A field without one is for renderers alone.
//
// Times are in seconds, sizes in bytes, rates in bytes per second, shares and changes in fractions
// (0.02 is 2 %). A number that is missing, NaN here, is null, never 0; a list without entries is [].
// The major number of schema_version changes when a member is removed or changes its meaning;
// members may be added at any time. The order of members means nothing.
//
// A tag is a name and options:
//
//	a.b        member b of the object a, which several fields make up
//	a. or .    the members of this struct stand in the object a, or in the one that holds the field
//	said       render makes the value of this and other fields: words, mostly (render/said.go lists all)
//	omitempty  left out where it is empty
//	omitnan    left out where it is not a number, or an object of which all parts are
//	null       a list that was not recorded is null
//	ns         nanoseconds here, seconds there
//	half       half percents here, fractions there
//	list       a [2]T that is a list; any other is {"baseline", "candidate"}
//	-          not there: it is for tables alone
type Report struct {
	SchemaVersion string `report:"schema_version"`
	Tool          string `report:"tool"` // "perfdiff 1.2.3"
	About         About  `report:"about,omitempty"`
	Profilers     sides.Profilers
	Policy        policy.Policy `report:"policy"`

	Verdict        verdict.Verdict   `report:"verdict.verdict"` // of the gating metrics: step_time
	Reason         string            `report:"verdict.reason"`
	Headline       Headline          // render makes the answer of it
	Ground         Ground            // what the headline stands on
	Forced         []sides.Forced    // what differs and was to be compared all the same
	ForcedUnequal  []verdict.Unequal // the same, of facts
	Hints          []string          `report:"verdict.hints,said"`        // what the ground says to do, beside what decides its doubts
	Judged         bool              `report:"verdict.judged"`            // false: nothing could be judged (exit status 3)
	Leans          verdict.Leaning   `report:"verdict.leans,said"`        // where an inconclusive verdict points; of any other nowhere
	NoSignOfChange bool              `report:"verdict.no_sign_of_change"` // of an inconclusive verdict: nothing tells the sides apart that matters, and what usually does would have
	Gate           Gate              `report:"verdict.gate"`              // what that says to a build
	SameFiles      bool              `report:"verdict.same_files"`
	SameRecording  bool              // of SameFiles: they are one recording, exported twice
	Unpaired       bool              `report:"verdict.unpaired"` // steps are not compared one by one
	// Causes are the kernels, collectives and causes of idle time that take longer beyond
	// what their peers, or what runs, differ by, and by the threshold of the step at least:
	// they gate where the policy says so (Policy.GateCauses).
	Causes []cause.Alone `report:"verdict.causes,said"`

	Findings []cause.Finding `report:"findings,said"` // what changed, the largest first, at most 10

	findingsLeftOut []cause.Finding // those for which there is no room; by policy they fail all the same

	Base          Side                `report:"baseline"`
	Cand          Side                `report:"candidate"`
	History       []verdict.PastRun   `report:"history"`              // the runs that noise was to be learned from, in order of time
	Alone         verdict.LeftOut     `report:"baseline_alone,said"`  // why none of them stands beside the baseline, where that was asked for; none: some do
	Unprofiled    *verdict.Unprofiled `report:"unprofiled,omitempty"` // what runs without a profiler say of the step time; nil: none were given
	OfResults     bool                // the sides are what runs printed, and nothing was measured in them
	Beside        int                 // other candidates that are compared with the same baseline; verdicts of gating metrics hold for all together
	StoreFindings *StoreFindings      `report:"store,omitempty"` // what a store said beside its level; nil: two sides were given

	Suspects       []cause.Suspect       `report:"suspects,omitempty"` // what both sides do in another way, which may be why
	Window         *cause.Window         `report:"window,omitempty"`   // how long the captures of sides without steps are; nil: not one length, or there are steps
	Work           *sides.StepWork       `report:"work,omitempty"`     // a step of the candidate does another amount of work; nil: nothing says so
	Loads          []sides.LoadGroup     `report:"loads"`              // of the steps of an inference engine, by class and size; nil: steps have no loads
	Groups         []cause.GroupChange   `report:"groups"`             // ranks that communicate with each other, by dimension of parallelism
	Pairs          []cause.PairChange    `report:"pairs,omitempty"`    // ranks that send to each other, by ranks
	Pipeline       *[2]cause.Pipeline    `report:"pipeline,omitempty"` // stages of a pipeline on both sides; nil: no side has one
	Sum            *cause.Sum            `report:"sum"`                // the change of the mean step as the first screen adds it up; nil: no step was judged
	Path           cause.Path            `report:"path"`               // the critical path through a mean step
	Waterfall      cause.Waterfall       `report:"waterfall"`          // the change of the mean step as a sum
	Metrics        []verdict.Comparison  `report:"metrics"`            // main metrics, in the order of the metric list
	Parts          []verdict.Comparison  `report:"parts"`              // by collective, direction, … and metrics that are no main ones
	Per            string                `report:"per"`                // what times and counts of kernels, summaries and gaps are of: PerStep, PerSecond
	Capture        []verdict.Comparison  `report:"capture"`            // of whole captures, not judged; only where there are no steps to compare
	Calls          []cause.Call          `report:"calls"`              // what a call takes; only where there are no steps to compare
	Kernels        []cause.Kernel        `report:"kernels"`            // by size of the change, at most 200, then one row for the rest
	KernelShift    float64               `report:"kernel_shift"`       // change that most kernels share, as of a clock, a fraction; NaN not tested
	Launched       cause.Launched        `report:"launched"`           // where the kernels of a mean step are launched
	Summaries      []cause.Summary       `report:"summaries"`          // what nsys stats sums up, both sides
	Longest        [2][]cause.LongGap    `report:"longest_gaps"`       // the longest gaps of each side
	RankWaits      [2][]cause.RankWait   `report:"rank_waits"`         // of the ranks of each side; nil: arrivals are not known
	HostWaits      [2][]cause.RankWait   `report:"host_waits"`         // of its hosts, where there are several
	Bounds         []cause.Bound         `report:"bounds"`             // what the step could be
	NextBottleneck int                   `report:"next_bottleneck"`    // index of the bound that would save most in the candidate; 0: none is worth naming
	Quantiles      []cause.QuantilePoint `report:"quantiles"`          // of the step times
	Timeline       [2][]Excerpt          `report:"timeline"`           // the steps of each side that Views show
	Views          []View                `report:"views"`              // of the timeline: the typical steps first
	SpikesLeftOut  [2]int                `report:"spikes_left_out"`    // spikes of each side that have no view
	Steps          []cause.StepPoint     `report:"steps"`              // every step number of either side, in order
	Ranks          []RankRow             `report:"ranks"`              // every rank of either side, in order of number
	Runs           [2][]RunRow           `report:"-"`                  // of each side: what every run measured; Ranks hold the first alone
	Gaps           []cause.GapBin        `report:"gaps"`
	Reads          sides.Reads           `report:"reads."` // where bytes read and written are taken from
	Requests       cause.Requests        `report:"reads."` // single reads of both sides
	Activity       Activity              `report:"activity"`
	Differences    []verdict.Difference  `report:"differences"` // facts that differ between the sides
	Same           []trace.Fact          `report:"same"`        // facts that are equal on both sides
	Warnings       []Warning             `report:"warnings"`
	Candidates     []StepCandidate       `report:"step_candidates"` // what may mark steps, the best first, where that is in question
	Descriptions   []run.Metric          `report:"descriptions"`    // of every metric that occurs above
}

// Side is one side of the comparison.
type Side struct {
	Label     string            `report:"label"`
	Runs      []string          `report:"runs"`
	Commits   []string          `report:"commits,omitempty"` // of these runs, in their order; nil: none is known
	Ranks     []int             `report:"ranks"`             // rank numbers captured, in any run
	World     int               `report:"world"`             // ranks of the job as the files say; 0 unknown
	Hosts     []string          `report:"hosts"`
	GPUs      []string          `report:"gpus"` // model names
	Files     []run.File        `report:"files"`
	Steps     StepReceipt       `report:"steps"`
	Facts     []trace.Fact      `report:"facts"`
	Stability []cause.Stability `report:"stability"` // how each run goes on
	Clocks    []run.Clocks      `report:"clocks"`    // of each run
	Missing   []int             `report:"missing"`   // ranks that the other side, or the world size, says are missing
	// WithoutSteps are ranks that were captured and hold none of the steps that are compared, though
	// the other side's do.
	WithoutSteps []int        `report:"without_steps"`
	Held         sides.Held   `report:"rank_steps"`    // of the steps that are compared, all ranks that hold any together
	PartOfSteps  PartOfSteps  `report:"part_of_steps"` // ranks that hold a part of them alone
	RanksFrom    []string     `report:"ranks_from"`    // where rank numbers came from, distinct
	Captured     Captured     `report:"captured,said,omitempty"`
	Digest       string       `report:"digest,omitempty"`  // over the content of all files read, in hex; "" not known
	Origins      []run.Origin `report:"origins,omitempty"` // what people say of where its runs come from, in order of time, distinct; nil: nothing
}

// StepReceipt says how the steps of a side were found, over its ranks.
type StepReceipt struct {
	Marker   string        `report:"marker"` // the most frequent; others are in Receipts
	Found    int           `report:"found"`  // per rank, median
	Kept     int           `report:"kept"`
	KeptBy   [2]int        `report:"kept_by_ranks,list"` // the fewest and the most that a rank keeps
	Used     int           `report:"used"`               // common to both sides and after the warm-up cut
	Fewest   int           `report:"used_least"`         // of these, that a rank with any holds
	Dropped  []run.Drop    `report:"dropped"`
	WarmUp   int           `report:"warm_up"` // steps cut at the start by the warm-up rule
	Second   string        `report:"second_anchor"`
	Hint     string        `report:"hint"`
	Receipts []run.Receipt `report:"receipts"` // one per rank and file, in order
}

// RankRow is one rank on both sides.
type RankRow struct {
	Rank int      `report:"rank"`
	Base RankSide `report:"baseline,said"`
	Cand RankSide `report:"candidate,said"`
}

// RankSide is one rank of one side: per-step values of the main metrics.
type RankSide struct {
	Present   bool
	Enters    bool             `report:"-"`    // false: the other side has no such rank, so that it is shown and not compared
	From      string           `report:"from"` // where the number came from
	Host      string           `report:"host"`
	GPU       string           `report:"gpu"`
	Device    int              `report:"device"`
	Steps     []int64          `report:"steps"`        // numbers of the steps below, kept ones and dropped ones
	Omissions []cause.Omission `report:"dropped,said"` // why each is left out
	// Values are the main metrics and the parts, by key "metric" or
	// "metric/part", one value per step (of the first run where several runs
	// hold the rank).
	Values  map[string][]float64 `report:"values"`
	OwnTime []float64            `report:"own_time"` // s, of each step what is not waiting for other ranks; nil where the two are not told apart
	// Phases is the device time of what was launched in each phase of a step, s a step, over kept steps; nil where the
	// capture does not name them.
	Phases map[run.Phase]float64 `report:"phases"`
	// BoundSteps is in how many of the steps that enter each thing is most of the critical path to this rank.
	BoundSteps map[string]int `report:"bound_steps"`
	Calls      []run.Calls    `report:"calls"`     // of collectives in kept steps, of the first run where several hold the rank
	Box        [5]float64     `report:"box"`       // min, quartiles and max of step_time over used steps, s
	Breakdown  Breakdown      `report:"breakdown"` // means over used steps
	Parts      []float64      `report:"parts"`     // s, as the rows of the waterfall; nil not known
}

// Breakdown splits a step into parts that add up to Step exactly, in seconds; what the captures do not hold is NaN,
// which counts as zero.
type Breakdown struct {
	Step          float64 `report:"step"`
	Compute       float64 `report:"compute"`
	ExposedComm   float64 `report:"exposed_comm"`
	ExposedMemory float64 `report:"exposed_memory"`
	Idle          float64 `report:"idle"`
}

// Activity are the time courses of all ranks in one common bin.
type Activity struct {
	Bin  float64        `report:"bin"` // s
	Base []RankActivity `report:"baseline"`
	Cand []RankActivity `report:"candidate"`
}

// RankActivity is one rank's course.
type RankActivity struct {
	Rank    int     `report:"rank"`
	Busy    []uint8 `report:"busy,half"` // half percents per bin
	Compute []uint8 `report:"compute,half"`
	Comm    []uint8 `report:"comm,half"`
	Overlap []uint8 `report:"overlap,half"`
	// Bytes per second that the rank or its node read and wrote, and that the
	// node's network ports received and sent; nil not recorded.
	Read        []float32 `report:"read,null"`
	Write       []float32 `report:"write,null"`
	Receive     []float32 `report:"receive,null"`
	Send        []float32 `report:"send,null"`
	ReadSource  string    `report:"read_source"`
	NetSource   string    `report:"net_source"`
	StepStarts  []float64 `report:"step_starts"` // s from the course's start, of the steps in it
	StepNumbers []int64   `report:"step_numbers"`
}

// Warning is a warning with the side it is about.
type Warning struct {
	Side          string `report:"side"` // "baseline", "candidate", "" for both
	trace.Warning `report:"."`
	Count         int    `report:"count"`           // how many files said the same
	First         string `report:"first,omitempty"` // of several such files, by name; "" there is one or none

	Kind WarningKind       `report:"text,said"` // of what the comparison found out itself; 0: Text says it
	Runs []string          // names of the runs it is about
	Lost *verdict.LostGate // of WarnLost: what gates and is not judged; nil else
	Size float64           // what runs are taken to differ by, a fraction

	Past     verdict.LeftOut   // of WarnPastOut
	Unpaired verdict.Unpaired  // of WarnUnpaired
	Unequal  []verdict.Unequal // of WarnForced, where Forced does not say it
	Steps    int               // of WarnFewSteps
	// What it is about; nil of other kinds.
	Level     *verdict.LevelWarning // of WarnLevel
	Elsewhere *verdict.Elsewhere    // of WarnElsewhere
	Doubt     *sides.Doubt          // of WarnDoubt
	Copies    *sides.Copies         // of WarnCopies
	Forced    *sides.Forced         // of WarnForced, where Unequal does not say it
	Silent    *cause.Silence        // of WarnSilent
}

// WarningKind is the kind of a warning of the comparison about itself.
type WarningKind int

// Kinds of warnings; render/words has their sentences.
const (
	WarnText      WarningKind = iota
	WarnUnpaired              // steps are not compared one by one, Unpaired
	WarnPastOut               // past runs are left out, Past
	WarnElsewhere             // the past runs are of another place, Elsewhere; Size counts
	WarnUnsettled             // the step times do not settle
	WarnFewSteps              // there are few Steps in common; Size counts
	WarnNoSteps               // a run is left out, it keeps no step
	WarnLost                  // what gates is not judged, Lost
	WarnLevel                 // a past run, or the baseline, is far off all others, Level
	WarnDoubt                 // it is not known what was given, Doubt
	WarnCopies                // runs count once, Copies
	WarnForced                // the sides differ and are compared all the same, Forced, or Unequal
	WarnSilent                // what names of engine steps do not say, Silent
)
