package render

// Document is a report as JSON. Times are in seconds, sizes in bytes, rates in
// bytes per second, shares and changes in fractions (0.02 is 2 %). A value that
// was not recorded is null, never 0; a list without entries is [].
//
// The major number of schema_version changes when a field is removed or
// changes its meaning; fields may be added at any time.
type Document struct {
	SchemaVersion  string           `json:"schema_version"`       // "2.0"
	Tool           string           `json:"tool"`                 // what wrote it: "perfdiff 1.2.3"
	About          *About           `json:"about,omitempty"`      // what was said of the comparison; absent: nothing
	Policy         Policy           `json:"policy"`               // what decided
	Verdict        Outcome          `json:"verdict"`              // the answer
	Findings       []Finding        `json:"findings"`             // what changed, the largest effect first
	Baseline       Side             `json:"baseline"`             // what the baseline is made of
	Candidate      Side             `json:"candidate"`            // what the candidate is made of
	BaselineAlone  string           `json:"baseline_alone"`       // why no past run counts beside the baseline, where past runs were given; "" if some do
	AloneReason    string           `json:"alone_reason"`         // the same as a code: "other_hosts"
	History        []PastRun        `json:"history"`              // past runs from which noise was to be learned, in order of time
	Store          *Store           `json:"store,omitempty"`      // what perfdiff gate found in its store beside the level that is the baseline; absent: two sides were given
	Unprofiled     *Unprofiled      `json:"unprofiled,omitempty"` // what runs without the profiler say of the step time; absent: none were given
	Suspects       []Suspect        `json:"suspects,omitempty"`   // what both sides do in another way, which may be why they differ; absent: nothing is known
	Loads          []LoadGroup      `json:"loads"`                // steps of an inference engine, by class and size of their load; []: steps have no loads
	Groups         []Group          `json:"groups"`               // ranks that communicate with each other, by dimension of parallelism and ranks
	Pairs          []Pair           `json:"pairs,omitempty"`      // ranks that send to each other; absent: none are known
	Pipeline       *Both[Pipeline]  `json:"pipeline,omitempty"`   // the stages of a pipeline; absent: no side has one
	Path           Path             `json:"path"`                 // the critical path through a mean step: what its length depends on
	Waterfall      Waterfall        `json:"waterfall"`            // the change of the mean step as a sum
	Metrics        []Comparison     `json:"metrics"`              // the main metrics, recorded or not, in reading order
	Parts          []Comparison     `json:"parts"`                // the other metrics, and metrics by part
	Per            string           `json:"per"`                  // "step" or "second": what times and counts of kernels, summaries and gaps are divided by; "second" where no step can be compared
	Capture        []Comparison     `json:"capture"`              // quantities of whole captures, not judged; [] where steps can be compared
	Calls          []Call           `json:"calls"`                // time of single calls; [] where steps can be compared
	Kernels        []Kernel         `json:"kernels"`              // by size of the change
	KernelShift    Number           `json:"kernel_shift"`         // change that most kernels share, such as that of a clock, as a fraction; null: not tested
	Launched       Launched         `json:"launched"`             // where the kernels of a mean step are launched: phase, operator or module, family, kernel
	Summaries      []Summary        `json:"summaries"`            // the tables that nsys stats makes
	Longest        Both[[]LongGap]  `json:"longest_gaps"`         // of each side, the longest first
	HostWaits      Both[[]RankWait] `json:"host_waits"`           // how long ranks wait for the ranks of each host, where there are several hosts; rank is -1
	RankWaits      Both[[]RankWait] `json:"rank_waits"`           // how long ranks wait for each rank; []: arrivals are not known
	Timeline       Both[[]Excerpt]  `json:"timeline"`             // the steps of each side that views show
	Views          []View           `json:"views"`                // of the timeline: the typical steps first
	SpikesLeftOut  Both[int]        `json:"spikes_left_out"`      // spikes of each side that have no view
	Bounds         []Bound          `json:"bounds"`               // mean step if one thing cost nothing
	NextBottleneck int              `json:"next_bottleneck"`      // index into bounds of the one that would save most in the candidate; 0: none is worth naming
	Quantiles      []Quantile       `json:"quantiles"`            // of the step times of both sides
	Steps          []StepPoint      `json:"steps"`                // every step number of either side, in order
	Ranks          []Rank           `json:"ranks"`                // every rank of either side, in order
	Gaps           []Gap            `json:"gaps"`                 // histogram of the device's gaps
	Reads          Reads            `json:"reads"`                // what bytes read were measured from, and single reads
	Activity       Activity         `json:"activity"`             // device activity over time
	Differences    []Difference     `json:"differences"`          // facts that differ between the sides, the worst class first
	Same           []Fact           `json:"same"`                 // facts that are equal on both sides
	Candidates     []StepCandidate  `json:"step_candidates"`      // what may mark steps, the best first; only where no marker is common to both sides
	Warnings       []Warning        `json:"warnings"`             // what to know before trusting the above
	Descriptions   []Metric         `json:"descriptions"`         // of every metric above
}

// Both is one value for each side.
type Both[T any] struct {
	Baseline  T `json:"baseline"`
	Candidate T `json:"candidate"`
}

// Policy is what decides about a change, all in fractions.
type Policy struct {
	Line        string `json:"line"`        // what differs from the default policy, and who said so; "" if nothing does
	Alpha       Number `json:"alpha"`       // two-sided error of the interval: 0.05 makes a 95 % interval
	Threshold   Number `json:"threshold"`   // smallest change that matters
	Equivalence Number `json:"equivalence"` // changes within it count as equal
	Floor       Number `json:"floor"`       // standard deviation of a time between runs that is assumed, not learned
	Force       bool   `json:"force"`       // sides that are not comparable were to be compared
	FewFloor    Number `json:"few_floor"`   // floor where there are 3 to 9 steps
	HostFloor   Number `json:"host_floor"`  // floor for steps without device work
	// Metrics whose regression fails, and what is said of single metrics.
	Gating []string        `json:"gating"`
	Rules  map[string]Rule `json:"rules"`
	// Regressions that are let through, facts that must be equal, and regular
	// expressions of kernels that are left out.
	Waivers       []Waiver `json:"waivers"`
	RequireEqual  []string `json:"require_equal"`
	IgnoreKernels []string `json:"ignore_kernels"`
	StrictKernels bool     `json:"strict_kernels"` // they stand out by Benjamini and Yekutieli, else by Benjamini and Hochberg
	// Outcomes that fail; they only warn; and a first pair that looks slower asks for
	// more runs.
	FailOn     []string `json:"fail_on"`
	Allow      []string `json:"allow"`       // what may be missing and the gate pass all the same
	GateCauses bool     `json:"gate_causes"` // what Outcome.Causes says fails
	WarnOnly   bool     `json:"warn_only"`
	Escalate   bool     `json:"escalate"`
}

// Waiver lets the regression of a metric through, or findings of a kind.
type Waiver struct {
	Metric  string `json:"metric"` // "": it is of a kind
	Kind    string `json:"kind"`   // of findings; "": it is of a metric
	Reason  string `json:"reason"`
	Owner   string `json:"owner"`
	Expires string `json:"expires"` // the last day: "2026-12-31"
	UpTo    Number `json:"up_to"`   // the largest regression that it lets through
}

// Rule is what a policy says of one metric.
type Rule struct {
	Threshold Number `json:"threshold"` // 0: the default
	Level     string `json:"level"`     // "fail" or "warn"; "": fail
	Better    string `json:"better"`    // "lower" or "higher", the metric's own direction; "": that
}

// PastRun is a run of the history.
type PastRun struct {
	Name   string `json:"name"`
	Began  int64  `json:"began"`  // UTC nanoseconds; 0 unknown
	Reason string `json:"reason"` // why it was left out of the noise, as a code: "same_run"; "" if it was used
	Why    string `json:"why"`    // the same as a clause
	Level  bool   `json:"level"`  // it counts as one of the baseline's runs
}

// Outcome is the verdict on the whole comparison.
type Outcome struct {
	Verdict        string   `json:"verdict"`           // "improved", "regressed", "unchanged" or "inconclusive"
	Word           string   `json:"word"`              // what people are told: the verdict, "passed", "slower, not yet beyond chance" (faster, worse, better), "not judged" or "not comparable"
	Leans          string   `json:"leans"`             // of an inconclusive verdict: where it points, "slower", "faster", "worse" or "better"; "" nowhere
	NoSignOfChange bool     `json:"no_sign_of_change"` // of an inconclusive verdict: nothing that matters differs between the sides
	Reason         string   `json:"reason"`            // why, as a code: "decided", "needs_runs", "too_few_steps", …
	Headline       string   `json:"headline"`          // the verdict as a sentence
	Basis          string   `json:"basis"`             // what the verdict is based on, as a sentence
	Key            string   `json:"key_figure"`        // of basis: both medians of the step where it begins with them; "": it does not
	Hints          []string `json:"hints"`             // of basis: what it says to do
	Judged         bool     `json:"judged"`            // false: nothing could be judged (exit status 3)
	SameFiles      bool     `json:"same_files"`        // both sides are the same files
	Unpaired       bool     `json:"unpaired"`          // steps are not compared one by one
	Gate           Gate     `json:"gate"`              // the result for a build
	// Kernels, collectives and causes of idle time that take longer beyond what their peers,
	// or what runs, differ by, a sentence each.
	Causes []string `json:"causes"`
}

// Finding is one thing to know about the change: what it is about, with its numbers, and
// the same in words.
type Finding struct {
	Kind      string       `json:"kind"`        // "straggler", "spike", "gap-before", …
	Metric    string       `json:"metric"`      // where it is measured
	Part      string       `json:"part"`        // "" for the metric itself
	Ranks     []int        `json:"ranks"`       // that it is about; []: all, or not known which
	Steps     []int64      `json:"steps"`       // that it is about; []: all that are compared
	Value     Both[Number] `json:"value"`       // of both sides, in unit
	Delta     Number       `json:"delta"`       // the change that it is about, in unit; null: it is about no change
	Estimate  Number       `json:"estimate"`    // the change as it was tested, if low and high are an interval of that; null: they are in unit
	Low       Number       `json:"low"`         // lower end of the interval of delta; null: none
	High      Number       `json:"high"`        // upper end
	Relative  bool         `json:"relative"`    // estimate, low and high are fractions of the baseline
	OfMeans   bool         `json:"of_means"`    // value and delta are of means, as in the waterfall; else of medians
	EachSpike Number       `json:"each_spike"`  // s that one spike adds to its step; null: it is not about spikes of one side
	Unit      string       `json:"unit"`        // "s", "B/s", "FLOP", "1" (a count), "ratio"; "": it has no number
	Class     string       `json:"class"`       // "better", "worse", "unchanged", "stayed" (no sign of a change, which is not sure), "remains" or "look"
	Number    string       `json:"number"`      // as people read it, with sign: "−32.7"
	NumberIn  string       `json:"number_unit"` // of number: "ms"
	Interval  string       `json:"interval"`    // of number, with its unit; "": none
	Text      string       `json:"text"`        // the sentence
	Evidence  string       `json:"evidence"`    // the ranks, steps and spans that it stands on
	Advice    string       `json:"advice"`      // what to do, or to record, next; "": nothing
	Section   string       `json:"section"`     // of the page that shows it
	Effect    Number       `json:"effect"`      // s a step or second, by which findings are ordered

	Reasons  []Reason `json:"reasons"`   // parts of the mean that the sentence names; [] none
	Because  []Clause `json:"because"`   // what the sentence says beside its numbers, in order
	StandsOn Evidence `json:"stands_on"` // of evidence: its kind and numbers
	Next     Advice   `json:"next"`      // of advice: its kind, and what it is about
	Details  Details  `json:"details"`   // what the kind alone has
}

// Reason is one part of the change of a mean that a finding names as explanation.
type Reason struct {
	Metric string       `json:"metric"`
	Part   string       `json:"part"`   // a cause of idle time; "other": all that are not named
	Mean   Both[Number] `json:"mean"`   // s a step
	Places []string     `json:"places"` // where in the program the host is, the most first
	Most   bool         `json:"most"`   // of the change is there
}

// Comparison is one metric, or one part of it, on both sides.
type Comparison struct {
	Metric           string       `json:"metric"`                      // see descriptions
	Part             string       `json:"part"`                        // "" for the metric itself
	Unit             string       `json:"unit"`                        // "s", "B", "B/s", "FLOP", "FLOP/s", "Hz", "1" (a count), "ratio"
	Better           string       `json:"better"`                      // "lower", "higher" or "neither"
	Source           string       `json:"source"`                      // what was measured, where a metric has several sources
	Median           Both[Number] `json:"median"`                      // over steps of the median over ranks, in unit
	Mean             Both[Number] `json:"mean"`                        // over steps of the mean over ranks, in unit
	Delta            Number       `json:"delta"`                       // candidate less baseline, of the medians, in unit
	Change           Change       `json:"change"`                      // as the test sees it
	Verdict          string       `json:"verdict"`                     // as in Outcome
	Reason           string       `json:"reason"`                      // as in Outcome
	Why              string       `json:"why"`                         // the reason as a sentence
	Gate             bool         `json:"gate"`                        // takes part in the verdict on the whole
	Runs             Both[int]    `json:"runs"`                        // runs that entered
	Ranks            Both[int]    `json:"ranks"`                       // ranks of a run that entered, median
	StepsUsed        int          `json:"steps_used"`                  // a side
	RunsNeeded       int          `json:"runs_needed"`                 // a side, to decide; 0 when decided
	TestedTogether   int          `json:"tested_together"`             // number of gating metrics tested together, of all candidates, where correcting for that took the verdict away; else 0
	TestedCandidates int          `json:"tested_candidates,omitempty"` // number of candidates that these are of; absent: of one
	StepsNeeded      int          `json:"steps_needed"`                // steps that a verdict needs, where there are fewer
	Waived           string       `json:"waived"`                      // why a regression is let through; "" if it is not
	UpTo             Number       `json:"up_to"`                       // the largest regression that is let through, in the threshold's unit; 0: none
	Note             string       `json:"note"`                        // remark about the number
	Includes         string       `json:"includes,omitempty"`          // what the value includes beside what its name says: "unknown" kinds of work
	NotRecorded      Both[string] `json:"not_recorded"`                // what to record; "" where it was recorded
	// Notes are a sentence each: why an interval without zero decides nothing, and where
	// median, mean and estimate differ.
	Notes []string `json:"notes"`
}

// Change is an effect with its interval. Where relative is true its values are
// fractions of the baseline; otherwise they are in the metric's unit, for
// ratios in fractions.
type Change struct {
	Relative     bool   `json:"relative"`
	LogScale     bool   `json:"log_scale"`            // tested on logarithms, so that the effect is a ratio
	Estimate     Number `json:"estimate"`             // null: not tested
	Low          Number `json:"low"`                  // lower end of the interval
	High         Number `json:"high"`                 // upper end of the interval
	Threshold    Number `json:"threshold"`            // smallest change that matters
	Equivalence  Number `json:"equivalence"`          // changes smaller than this count as none
	Floor        Number `json:"floor"`                // standard deviation between runs that the test used
	History      int    `json:"history"`              // past runs that floor was learned from; 0: it was assumed
	Unprofiled   bool   `json:"unprofiled,omitempty"` // these runs are of the sides themselves, without the profiler
	P            Number `json:"p"`                    // two-sided p-value of no change
	Detectable   Number `json:"detectable"`           // size of the smallest change that one of two pairs like this one would show
	FirstStep    Number `json:"first_step"`           // change of the step time at the first step, where it surely changes over the run; null: it does not
	LastStep     Number `json:"last_step"`            // the same at the last step
	WithinLow    Number `json:"within_low"`           // lower end of the interval within these very runs, which says nothing of another run; null: not known
	WithinHigh   Number `json:"within_high"`          // its upper end
	Tipping      Number `json:"tipping"`              // standard deviation between runs up to which the interval would leave out zero; 0: it never would; null: not a main metric
	Detectable80 Number `json:"detectable_80"`        // size of the smallest change for the worse that four of five pairs like this one would show
}

// Unprofiled is what runs without the profiler say of the step time.
type Unprofiled struct {
	Step       Comparison           `json:"step"`        // of these runs alone
	Sides      Both[UnprofiledSide] `json:"sides"`       // their number, and what the profiler costs
	OtherSteps bool                 `json:"other_steps"` // they hold too few of the steps that were profiled: all of theirs are compared
	Differs    bool                 `json:"differs"`     // no change lies in both intervals, theirs and that of the profiles
	Against    bool                 `json:"against"`     // they have another verdict than the profiles
	Decides    bool                 `json:"decides"`     // they decide what the profiles leave open: the verdict on the step time is that on them
}

// UnprofiledSide is one side of it.
type UnprofiledSide struct {
	Runs       int    `json:"runs"`       // without the profiler
	Profiled   Number `json:"profiled"`   // median step under the profiler, in s
	Unprofiled Number `json:"unprofiled"` // median step without, in s; null: no runs
	Overhead   Number `json:"overhead"`   // by how much the profiler makes a step longer, as a fraction
}

// Kernel is one kernel name on both sides. Times and counts are for a rank and step, or a
// second where Document.Per says so.
type Kernel struct {
	Name     string        `json:"name"`            // canonical name
	Class    string        `json:"class"`           // "compute" or "communication"
	Family   string        `json:"family"`          // of a compute kernel
	Launch   Both[string]  `json:"launch"`          // how most of its launches are: grid, block, registers, shared memory; "": not recorded
	Launched string        `json:"launch_change"`   // in what these differ
	FLOPs    *Both[Number] `json:"flops,omitempty"` // of a call, by the sizes of operators' arguments; left out: not known
	Time     Both[Number]  `json:"time"`            // s a step or second, mean over ranks and used steps
	Calls    Both[Number]  `json:"calls"`           // launches a step or second
	Delta    Number        `json:"delta"`           // s a step or second
	ByCalls  Number        `json:"by_calls"`        // of delta: from more or fewer launches
	BySlower Number        `json:"by_slower"`       // of delta: from slower or faster launches
	Change   Number        `json:"change"`          // of the time, per second of the median call, a fraction, without the shift that most kernels share; null: not tested
	Q        Number        `json:"q"`               // share of false claims when all kernels of at most this are called changed
	Beyond   bool          `json:"beyond_noise"`    // change is at least 3 % and q at most 0.05
	Share    Number        `json:"baseline_share"`  // of the baseline's kernel time
	Others   int           `json:"others"`          // above 0: the row sums up that many other kernels
}

// Gap is one bin of the histogram of gaps.
type Gap struct {
	From  Number       `json:"from"`  // s
	To    Number       `json:"to"`    // s
	Count Both[Number] `json:"count"` // gaps a rank and step or second
}

// Difference is one fact that differs between the sides.
type Difference struct {
	Name      string `json:"name"`
	Baseline  string `json:"baseline"`
	Candidate string `json:"candidate"`
	Class     string `json:"class"` // "invalidates", "look" or "harmless"
	Why       string `json:"why"`   // what the class stands on
}

// Fact is one property of machine, software or capture.
type Fact struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Warning is something to know before a result is trusted.
type Warning struct {
	Side      string `json:"side"`            // "baseline", "candidate"; "" for both
	File      string `json:"file"`            // "" where it is about more than one
	First     string `json:"first,omitempty"` // the first of several files, by name
	Text      string `json:"text"`
	Count     int    `json:"count"`     // how often it was given
	Unrelated bool   `json:"unrelated"` // it is about something that was not measured, such as another process
}

// Metric describes a metric.
type Metric struct {
	Name   string `json:"name"`
	Unit   string `json:"unit"`   // "s", "B", "B/s", "FLOP", "FLOP/s", "Hz", "1" (a count), "ratio"
	Better string `json:"better"` // "lower", "higher" or "neither"
	Doc    string `json:"doc"`    // what it is, in a sentence
	Needs  string `json:"needs"`  // what a capture must record to answer it
	Joint  bool   `json:"joint"`  // all ranks of a run share one value
	Part   string `json:"part"`   // what its parts are; "" if it has none
	Main   bool   `json:"main"`   // in metrics, otherwise in parts
}
