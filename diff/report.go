package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// SchemaVersion is the version of the JSON form of Report. The major number
// changes when a field is removed or changes its meaning.
const SchemaVersion = "2.0"

// Verdict is what can be said about a change. The zero value is inconclusive.
type Verdict int

// The verdicts.
const (
	Inconclusive Verdict = iota
	Unchanged
	Improved
	Regressed
)

// String is the verdict as every output names it: "improved".
func (v Verdict) String() string {
	switch v {
	case Improved:
		return "improved"
	case Regressed:
		return "regressed"
	case Unchanged:
		return "unchanged"
	}
	return "inconclusive"
}

// Reason codes say why a verdict is what it is.
const (
	ReasonDecided       = "decided"             // regressed, improved or unchanged by the rule
	ReasonNoise         = "within_noise_floor"  // the interval holds zero or the estimate is below the threshold
	ReasonNeedsRuns     = "needs_runs"          // more runs a side would decide
	ReasonTooFewSteps   = "too_few_steps"       // under 3 steps: nothing is judged; under 10: too few for this change
	ReasonNoSteadyState = "no_steady_state"     // a warm-up that does not end
	ReasonLoad          = "loads_differ"        // no engine step of one side is like one of the other
	ReasonRankCount     = "rank_count_differs"  // jobs of different size
	ReasonNoSteps       = "no_steps"            // no steps were found on a side
	ReasonNotRecorded   = "not_recorded"        // a side cannot answer
	ReasonNotJudged     = "not_judged"          // shown as context, has no better direction
	ReasonSameFiles     = "same_files"          // both sides are the same files
	ReasonTooLittle     = "too_little_left"     // most of what it is judged from is there, and more than a quarter of a side is not
	ReasonUnclear       = "run_set_unclear"     // what the runs or ranks of a side are is not known
	ReasonKinds         = "kinds_not_told"      // a side does not tell the kinds of work apart as the other does
	ReasonEnvironment   = "environment_differs" // the policy requires a fact to be equal that is not
	ReasonManyMetrics   = "many_metrics"        // alone it would be decided, among so many gating metrics it may be chance
	ReasonNeedsHistory  = "needs_history"       // it gates only with past runs to learn the noise from
	ReasonOtherSteps    = "other_steps"         // a step is not the same unit of work on both sides
	ReasonNoCommonSteps = "no_common_steps"     // no step number is on both sides, and unpaired it is not decided
)

// Report is everything a renderer shows; renderers compute nothing.
type Report struct {
	SchemaVersion string
	Tool          string // "perfdiff 1.2.3"
	Profilers     Profilers
	Policy        Policy

	Verdict   Verdict // of the gating metrics: step_time
	Reason    string
	Headline  string   // "Step time improved by 50 %."
	Basis     string   // "Median step 160 → 79.0 ms. 95 % interval −66 to −35 %; …"
	Key       string   // of Basis: both medians of the step where it begins with them, "160 → 79.0 ms"; "" it does not
	Hints     []string // of Basis: what it says to do
	Judged    bool     // false: nothing could be judged (exit status 3)
	Leans     string   // of an inconclusive verdict: "slower", "faster", "worse", "better", see Comparison.Leans; "" neither
	Quiet     bool     // of an inconclusive verdict: nothing tells the sides apart that matters, and what usually does would have
	Gate      Gate     // what that says to a build
	SameFiles bool
	Unpaired  bool // steps are not compared one by one
	// Causes are the kernels, collectives and causes of idle time that take longer beyond
	// what their peers, or what runs, differ by, and by the threshold of the step at least,
	// a sentence each: they gate where the policy says so (Policy.GateCauses).
	Causes []string

	Base, Cand Side
	History    []PastRun // the runs that noise was to be learned from, in order of time
	Alone      string    // why none of them stands beside the baseline, where that was asked for; "" some do
	Held       *Held     // what a store said beside its level; nil: two sides were given

	Findings []Finding // what changed, the largest first, at most 10

	untoldFindings []Finding // those for which there is no room; by policy they fail all the same

	Loads        []LoadGroup     // of the steps of an inference engine, by class and size; nil: steps have no loads
	Waterfall    Waterfall       // the change of the mean step as a sum
	Metrics      []Comparison    // main metrics, in the order of the metric list
	Parts        []Comparison    // by collective, direction, … and metrics that are no main ones
	Per          string          // what times and counts of kernels, summaries and gaps are of: PerStep, PerSecond
	Capture      []Comparison    // of whole captures, not judged; only where there are no steps to compare
	Calls        []Call          // what a call takes; only where there are no steps to compare
	Kernels      []Kernel        // by size of the change, at most 200, then one row for the rest
	KernelShift  float64         // change that most kernels share, as of a clock, a fraction; NaN not tested
	Summaries    []Summary       // what nsys stats sums up, both sides
	Longest      [2][]GapStory   // the longest gaps of each side
	Blames       [2][]Blame      // of the ranks of each side; nil: arrivals are not known
	HostBlames   [2][]Blame      // of its hosts, where there are several
	Bounds       []Bound         // what the step could be
	Next         int             // index of the bound that would save most in the candidate; 0: none is worth naming
	Quantiles    []QuantilePoint // of the step times
	Timeline     [2][]Excerpt    // a typical step and the worst one of each side
	Steps        []StepPoint     // every step number of either side, in order
	Ranks        []RankRow       // every rank of either side, in order of number
	Gaps         []GapBin
	Courses      Courses
	Differences  []Difference // facts that differ between the sides
	Same         []trace.Fact // facts that are equal on both sides
	Warnings     []Warning
	Candidates   []StepCandidate // what may mark steps, the best first, where that is in question
	Descriptions []run.Metric    // of every metric that occurs above
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
	Conduct   []Conduct    // how each run goes on
	Clocks    []run.Clocks // of each run
	Missing   []int        // ranks that the other side, or the world size, says are missing
	RanksFrom []string     // where rank numbers came from, distinct
	Origins   []run.Origin // what people say of where its runs come from, in order of time, distinct; nil: nothing
}

// PastRun is a run of the history.
type PastRun struct {
	Name  string
	Began int64  // UTC nanoseconds; 0 unknown
	Why   string // it was left out; "" if it was used
	Level bool   // it stands beside the runs of the baseline
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

// Comparison is one metric or part on both sides.
type Comparison struct {
	run.Key
	Metric   run.Metric
	Source   string  // "file access events", where the metric has several sources
	Base     float64 // median over steps of the median over ranks, of several runs their median; of engine steps the mean over loads of the median; in the metric's unit, NaN not recorded
	Cand     float64
	BaseMean float64 // mean over steps of the mean over ranks
	CandMean float64
	Delta    float64 // Cand - Base, in the unit
	// Estimate, Lo and Hi are the change as the test sees it: a fraction of the
	// baseline where Relative, else a difference in the metric's unit: of
	// fractions for ratios, of seconds for a time that the baseline does not
	// have. Threshold, Floor, Detectable, Shown and those
	// within the runs are in the same unit. NaN when
	// there is none.
	Estimate, Lo, Hi float64
	Relative         bool
	Logs             bool // tested on logs: the effect is a ratio
	Threshold        float64
	Equal            float64 // changes of less count as none; in the unit of Threshold
	Verdict          Verdict
	Reason           string
	Why              string  // the reason as a sentence for people
	Gate             bool    // takes part in the verdict
	Runs             [2]int  // runs per side
	Ranks            [2]int  // ranks per run that entered, median
	StepsUsed        int     // steps that enter, of the run with the fewest
	Floor            float64 // deviation between runs: learned from History past runs, assumed where that is 0
	History          int     // past runs that the deviation was learned from
	P                float64 // two-sided p-value of no change; NaN where nothing was tested
	Of               int     // gating metrics that were tested, where that took the verdict
	Least            int     // steps it needs, where there are fewer
	Waived           string  // why a regression is let through; "" it is not
	UpTo             float64 // the largest regression that is let through, in the unit of Threshold; 0 none
	Note             string  // what the number is about, such as the slowest rank
	Holds            string  // what else is in it than the metric's name says: "unknown", as compute and graph replays
	RunsNeeded       int     // per side, to decide if nothing else changes; 100: that many or more; 0: decided
	Detectable       float64 // smallest change this pair could have shown, and one of two pairs like it shows
	// WithinLo and WithinHi are the interval of the change within these very runs, which
	// says nothing of another run; Tipping is the deviation between runs up to which the
	// interval leaves out zero, 0 if it never does. NaN where not known; the latter is
	// only of main metrics, in the unit of Floor.
	WithinLo, WithinHi, Tipping float64
	// FirstStep and LastStep are the change of the step time at the first and at the last
	// step, where it is sure that it goes with the steps; NaN where not.
	FirstStep, LastStep float64
	Shown               float64   // size of the smallest change for the worse that four of five pairs like this one show
	NotRecorded         [2]string // per side: what to record; "" where recorded
	// MeanNote and EstimateNote are clauses that say where the change of the mean, and
	// the estimate, tell another story than the medians, and why; "" they do not.
	MeanNote, EstimateNote string

	slight bool // no sentence may say that it changed, see markSlight
	aside  bool // something else than the job may be why it differs: sources, ranks, kinds of work

	// What the two notes are made of: how the mean moved and since what, and why the
	// estimate lies apart.
	meanMoved, meanSince, estimateWhy string
}

// StepPoint is one step number over ranks, in seconds of step_time.
type StepPoint struct {
	Number     int64
	Dropped    string // why it is left out on either side; "" when it is used
	Base, Cand StepSide
}

// StepSide is one step on one side over its ranks (and runs).
type StepSide struct {
	Median, Min, Max float64 // s; NaN if the side has no such step
	Ranks            int
	PerRun           []float64 // median over ranks of each run; NaN where absent
}

// RankRow is one rank on both sides.
type RankRow struct {
	Rank       int
	Base, Cand RankSide
}

// RankSide is one rank of one side: per-step values of the main metrics.
type RankSide struct {
	Present bool
	From    string // where the number came from
	Host    string
	GPU     string
	Device  int
	Steps   []int64 // numbers of the steps below, kept ones and dropped ones
	Dropped []string
	// Values are the main metrics and the parts, by key "metric" or
	// "metric/part", one value per step (of the first run where several runs
	// hold the rank).
	Values    map[string][]float64
	Box       [5]float64 // min, quartiles and max of step_time over used steps, s
	Breakdown Breakdown  // means over used steps
	Parts     []float64  // s, as the rows of the waterfall; nil not known
}

// Breakdown adds up to Step exactly, in seconds; NaN, which counts as none, is what the
// captures do not hold.
type Breakdown struct {
	Step, Compute, ExposedComm, ExposedMemory, Idle float64
}

// Kernel is one canonical kernel name on both sides, per step and rank; without steps per
// second and rank, see Report.Per.
type Kernel struct {
	Name                 string
	Class                string  // "compute", "communication"
	Family               string  // of a compute kernel: "GEMM"
	BaseShape, CandShape string  // how most of its launches are; "" not recorded
	Launched             string  // in what these differ: "grid 528 → 264"; "" in nothing
	BaseTime, CandTime   float64 // s per step, mean over ranks and used steps
	BaseCalls, CandCalls float64 // launches per step
	Delta                float64 // s per step
	Calls, Slower        float64 // of Delta: by more calls, by slower calls (midpoint split)
	// Change is that of the time, without steps of the median call, as a fraction, without the shift that most
	// kernels share; Q is the share of false claims when all kernels of at most
	// this are called changed. NaN where a side or a run lacks the kernel.
	Change, Q float64
	Beyond    bool    // Change is at least 3 % and Q at most 0.05
	Share     float64 // of the baseline's kernel time
	Others    int     // > 0: this row stands for so many others
}

// GapBin is one bin of the gap histogram: gaps per rank and step, without steps per rank
// and second.
type GapBin struct {
	From, To   float64 // s
	Base, Cand float64
}

// Courses are the time courses of all ranks in one common bin.
type Courses struct {
	Bin        float64 // s
	Base, Cand []RankCourse
}

// RankCourse is one rank's course.
type RankCourse struct {
	Rank                         int
	Busy, Compute, Comm, Overlap []uint8 // half percents per bin
	// Bytes per second that the rank or its node read and wrote, and that the
	// node's network ports received and sent; nil not recorded.
	Read, Write, Receive, Send []float32
	ReadSource, NetSource      string
	StepStarts                 []float64 // s from the course's start, of the steps in it
	StepNumbers                []int64
}

// Difference is one fact that differs between the sides.
type Difference struct {
	Name       string
	Base, Cand string
	Class      string // "invalidates", "look", "harmless"
	Why        string
}

// Warning is a warning with the side it is about.
type Warning struct {
	Side string // "baseline", "candidate", "" for both
	trace.Warning
	Count int    // how many files said the same
	First string // of several such files, by name; "" there is one or none
}
