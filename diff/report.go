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
const SchemaVersion = "2.0"

// Report is everything a renderer shows; renderers compute nothing.
type Report struct {
	SchemaVersion string
	Tool          string // "perfdiff 1.2.3"
	About         About
	Profilers     sides.Profilers
	Policy        policy.Policy

	Verdict        verdict.Verdict // of the gating metrics: step_time
	Reason         string
	Headline       Headline
	Ground         Ground            // what the headline stands on
	Forced         []sides.Forced    // what differs and was to be compared all the same
	ForcedUnequal  []verdict.Unequal // the same, of facts
	Hints          []string          // what the ground says to do, beside what decides its doubts
	Judged         bool              // false: nothing could be judged (exit status 3)
	Leans          verdict.Leaning   // where an inconclusive verdict points; of any other nowhere
	NoSignOfChange bool              // of an inconclusive verdict: nothing tells the sides apart that matters, and what usually does would have
	Gate           Gate              // what that says to a build
	SameFiles      bool
	SameRecording  bool // of SameFiles: they are one recording, exported twice
	Unpaired       bool // steps are not compared one by one
	// Causes are the kernels, collectives and causes of idle time that take longer beyond
	// what their peers, or what runs, differ by, and by the threshold of the step at least:
	// they gate where the policy says so (Policy.GateCauses).
	Causes []cause.Alone

	Base, Cand    Side
	History       []verdict.PastRun   // the runs that noise was to be learned from, in order of time
	Alone         verdict.LeftOut     // why none of them stands beside the baseline, where that was asked for; none: some do
	Unprofiled    *verdict.Unprofiled // what runs without a profiler say of the step time; nil: none were given
	Beside        int                 // other candidates that are compared with the same baseline; verdicts of gating metrics hold for all together
	StoreFindings *StoreFindings      // what a store said beside its level; nil: two sides were given

	Findings []cause.Finding // what changed, the largest first, at most 10

	findingsLeftOut []cause.Finding // those for which there is no room; by policy they fail all the same

	Suspects       []cause.Suspect       // what both sides do in another way, which may be why
	Loads          []sides.LoadGroup     // of the steps of an inference engine, by class and size; nil: steps have no loads
	Groups         []cause.GroupChange   // ranks that communicate with each other, by dimension of parallelism
	Pairs          []cause.PairChange    // ranks that send to each other, by ranks
	Pipeline       *[2]cause.Pipeline    // stages of a pipeline on both sides; nil: no side has one
	Path           cause.Path            // the critical path through a mean step
	Waterfall      cause.Waterfall       // the change of the mean step as a sum
	Metrics        []verdict.Comparison  // main metrics, in the order of the metric list
	Parts          []verdict.Comparison  // by collective, direction, … and metrics that are no main ones
	Per            string                // what times and counts of kernels, summaries and gaps are of: PerStep, PerSecond
	Capture        []verdict.Comparison  // of whole captures, not judged; only where there are no steps to compare
	Calls          []cause.Call          // what a call takes; only where there are no steps to compare
	Kernels        []cause.Kernel        // by size of the change, at most 200, then one row for the rest
	KernelShift    float64               // change that most kernels share, as of a clock, a fraction; NaN not tested
	Launched       cause.Launched        // where the kernels of a mean step are launched
	Summaries      []cause.Summary       // what nsys stats sums up, both sides
	Longest        [2][]cause.LongGap    // the longest gaps of each side
	RankWaits      [2][]cause.RankWait   // of the ranks of each side; nil: arrivals are not known
	HostWaits      [2][]cause.RankWait   // of its hosts, where there are several
	Bounds         []cause.Bound         // what the step could be
	NextBottleneck int                   // index of the bound that would save most in the candidate; 0: none is worth naming
	Quantiles      []cause.QuantilePoint // of the step times
	Timeline       [2][]Excerpt          // the steps of each side that Views show
	Views          []View                // of the timeline: the typical steps first
	SpikesLeftOut  [2]int                // spikes of each side that have no view
	Steps          []cause.StepPoint     // every step number of either side, in order
	Ranks          []RankRow             // every rank of either side, in order of number
	Runs           [2][]RunRow           `json:"-"` // of each side: what every run measured; Ranks hold the first alone
	Gaps           []cause.GapBin
	Reads          sides.Reads    // where bytes read and written are taken from
	Requests       cause.Requests // single reads of both sides
	Activity       Activity
	Differences    []verdict.Difference // facts that differ between the sides
	Same           []trace.Fact         // facts that are equal on both sides
	Warnings       []Warning
	Candidates     []StepCandidate // what may mark steps, the best first, where that is in question
	Descriptions   []run.Metric    // of every metric that occurs above
}

// Side is one side of the comparison.
type Side struct {
	Label     string
	Runs      []string
	Ranks     []int // rank numbers captured, in any run
	World     int   // ranks of the job as the files say; 0 unknown
	Hosts     []string
	GPUs      []string // model names
	Files     []run.File
	Steps     StepReceipt
	Facts     []trace.Fact
	Stability []cause.Stability // how each run goes on
	Clocks    []run.Clocks      // of each run
	Missing   []int             // ranks that the other side, or the world size, says are missing
	// WithoutSteps are ranks that were captured and hold none of the steps that are compared, though
	// the other side's do.
	WithoutSteps []int
	RanksFrom    []string // where rank numbers came from, distinct
	Captured     Captured
	Digest       string       // over the content of all files read, in hex; "" not known
	Origins      []run.Origin // what people say of where its runs come from, in order of time, distinct; nil: nothing
}

// StepReceipt says how the steps of a side were found, over its ranks.
type StepReceipt struct {
	Marker   string // the most frequent; others are in Receipts
	Found    int    // per rank, median
	Kept     int
	Used     int // common to both sides and after the warm-up cut
	Dropped  []run.Drop
	WarmUp   int // steps cut at the start by the warm-up rule
	Second   string
	Hint     string
	Receipts []run.Receipt // one per rank and file, in order
}

// RankRow is one rank on both sides.
type RankRow struct {
	Rank       int
	Base, Cand RankSide
}

// RankSide is one rank of one side: per-step values of the main metrics.
type RankSide struct {
	Present   bool
	Enters    bool   `json:"-"` // false: the other side has no such rank, so that it is shown and not compared
	From      string // where the number came from
	Host      string
	GPU       string
	Device    int
	Steps     []int64          // numbers of the steps below, kept ones and dropped ones
	Omissions []cause.Omission // why each is left out
	// Values are the main metrics and the parts, by key "metric" or
	// "metric/part", one value per step (of the first run where several runs
	// hold the rank).
	Values    map[string][]float64
	OwnTime   []float64   // s, of each step what is not waiting for other ranks; nil where the two are not told apart
	Calls     []run.Calls // of collectives in kept steps, of the first run where several hold the rank
	Box       [5]float64  // min, quartiles and max of step_time over used steps, s
	Breakdown Breakdown   // means over used steps
	Parts     []float64   // s, as the rows of the waterfall; nil not known
}

// Breakdown adds up to Step exactly, in seconds; NaN, which counts as none, is what the
// captures do not hold.
type Breakdown struct {
	Step, Compute, ExposedComm, ExposedMemory, Idle float64
}

// Activity are the time courses of all ranks in one common bin.
type Activity struct {
	Bin        float64 // s
	Base, Cand []RankActivity
}

// RankActivity is one rank's course.
type RankActivity struct {
	Rank                         int
	Busy, Compute, Comm, Overlap []uint8 // half percents per bin
	// Bytes per second that the rank or its node read and wrote, and that the
	// node's network ports received and sent; nil not recorded.
	Read, Write, Receive, Send []float32
	ReadSource, NetSource      string
	StepStarts                 []float64 // s from the course's start, of the steps in it
	StepNumbers                []int64
}

// Warning is a warning with the side it is about.
type Warning struct {
	Side string // "baseline", "candidate", "" for both
	trace.Warning
	Count int    // how many files said the same
	First string // of several such files, by name; "" there is one or none

	Kind WarningKind       // of what the comparison found out itself; 0: Text says it
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

// WarningKind is what a comparison found out about its own ground.
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
	WarnOneRun                // a run is left out, which alone regressed
	WarnLevel                 // a past run, or the baseline, is far off all others, Level
	WarnDoubt                 // it is not known what was given, Doubt
	WarnCopies                // runs count once, Copies
	WarnForced                // the sides differ and are compared all the same, Forced, or Unequal
	WarnSilent                // what names of engine steps do not say, Silent
)
