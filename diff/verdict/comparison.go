package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// Verdict is what can be said about a change. The zero value is inconclusive.
type Verdict int

// The verdicts.
const (
	Inconclusive Verdict = iota
	Unchanged
	Improved
	Regressed
)

// String returns the verdict as every output names it: "improved".
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
	ReasonUnprofiled    = "unprofiled_differ"   // runs without a profiler have another verdict
	ReasonManyMetrics   = "many_metrics"        // alone it would be decided, among so many gating metrics it may be chance
	ReasonNeedsHistory  = "needs_history"       // it gates only with past runs to learn the noise from
	ReasonOtherSteps    = "other_steps"         // a step is not the same unit of work on both sides
	ReasonWithin        = "changed_within"      // the step changed its level within too few runs; of a report also that its mean changed, and that is open
	ReasonMainMoved     = "main_may_have_moved" // it is slower than main's level, and main's newest runs may be so too
	ReasonMainTold      = "main_changed"        // of a report: main's level changed, or it crept
	ReasonOneRun        = "one_run"             // one run of the candidate makes it, the others do not show it
	ReasonNoCommonSteps = "no_common_steps"     // no step number is on both sides, and unpaired it is not decided
)

// PastRun is a run of the history.
type PastRun struct {
	Name    string  `report:"name"`
	Began   int64   `report:"began"`    // UTC nanoseconds; 0 unknown
	Why     LeftOut `report:"why,said"` // none: it was used
	OfLevel bool    `report:"level"`    // it stands beside the runs of the baseline
}

// Comparison is one metric or part on both sides.
type Comparison struct {
	run.Key  `report:"."`
	Metric   run.Metric
	Sources  [2][]string `report:"source,said"`     // per side: what it was measured from ("file access events"), where the metric has several sources; nil else; see Reads
	Base     float64     `report:"median.baseline"` // median over steps of the median over ranks, of several runs their median; of engine steps the mean over loads of the median; in the metric's unit, NaN not recorded
	Cand     float64     `report:"median.candidate"`
	BaseMean float64     `report:"mean.baseline"` // mean over steps of the mean over ranks
	CandMean float64     `report:"mean.candidate"`
	Delta    float64     `report:"delta"` // Cand - Base, in the unit
	// Estimate, Lo and Hi are the change as the test sees it: a fraction of the
	// baseline where Relative, else a difference in the metric's unit: of
	// fractions for ratios, of seconds for a time that the baseline does not
	// have. Threshold, Floor, Detectable, Shown and those
	// within the runs are in the same unit. NaN when
	// there is none.
	Estimate         float64        `report:"change.estimate"`
	Lo               float64        `report:"change.low"`
	Hi               float64        `report:"change.high"`
	Relative         bool           `report:"change.relative"`
	LogScale         bool           `report:"change.log_scale"` // tested on logs: the effect is a ratio
	Threshold        float64        `report:"change.threshold"`
	Equivalence      float64        `report:"change.equivalence"` // changes of less count as none; in the unit of Threshold
	Verdict          Verdict        `report:"verdict"`
	Reason           string         `report:"reason"`
	Context          *ReasonContext `report:"why,said"`                    // what the reason may name beside the above; nil: nothing was judged
	Gating           bool           `report:"gate"`                        // takes part in the verdict
	Runs             [2]int         `report:"runs"`                        // runs per side
	Ranks            [2]int         `report:"ranks"`                       // ranks per run that entered, median; nodes where it is of nodes
	StepsUsed        int            `report:"steps_used"`                  // steps that enter, of the run with the fewest
	Floor            float64        `report:"change.floor"`                // deviation between runs: learned from History past runs, assumed where that is 0
	Spread           float64        `report:"change.spread"`               // deviation between the runs of a side, in the unit of Floor; NaN where no side has two
	Hosts            float64        `report:"change.hosts"`                // deviation between hosts that is assumed where each side has its own; 0: it is not in it
	Places           Places         `report:"change.places,omitempty"`     // whether both sides ran on the same hosts and devices; "": nothing was tested, or a policy says what runs differ by
	History          int            `report:"change.history"`              // past runs that the deviation was learned from
	Unprofiled       bool           `report:"change.unprofiled,omitempty"` // these are runs without a profiler, of the sides themselves
	Tested           [2][]float64   `report:"-"`                           // per side: what was compared of each run that has the metric, on the scale of the test; nil: nothing was
	Error            float64        `report:"-"`                           // two-sided error of the interval; 0: there is none
	P                float64        `report:"change.p"`                    // two-sided p-value of no change; NaN where nothing was tested
	TestedTogether   int            `report:"tested_together"`             // gating metrics that were tested, where that took the verdict
	TestedCandidates int            `report:"tested_candidates,omitempty"` // candidates that these are of, where there are several; else 0
	StepsNeeded      int            `report:"steps_needed"`                // steps it needs, where there are fewer
	Waiver           *policy.Waiver `report:"waived,said"`                 // that lets a regression through; nil: none does
	UpTo             float64        `report:"up_to"`                       // the largest regression that is let through, in the unit of Threshold; 0 none
	Note             Note           `report:"note,said"`                   // what the number is about, such as the slowest rank
	Includes         string         `report:"includes,omitempty"`          // what else is in it than the metric's name says: "unknown", as compute and graph replays
	RunsNeeded       int            `report:"runs_needed"`                 // per side, to decide if nothing else changes; 100: that many or more; 0: decided
	Detectable       float64        `report:"change.detectable"`           // smallest change this pair could have shown, and one of two pairs like it shows
	// WithinLo and WithinHi are the interval of the change within these very runs, which
	// says nothing of another run; Tipping is the deviation between runs up to which the
	// interval leaves out zero, 0 if it never does. NaN where not known; the latter is
	// only of main metrics, in the unit of Floor.
	// Where steps wander, WithinLo and WithinHi are NaN: a few batches do not say what the
	// level of these runs is.
	Wanders  bool    `report:"change.steps_wander,omitempty"`
	WithinLo float64 `report:"change.within_low"`
	WithinHi float64 `report:"change.within_high"`
	Tipping  float64 `report:"change.tipping"`
	// FirstStep and LastStep are the change of the step time at the first and at the last
	// step, where it is sure that it goes with the steps; NaN where not.
	FirstStep    float64 `report:"change.first_step"`
	LastStep     float64 `report:"change.last_step"`
	Detectable80 float64 `report:"change.detectable_80"` // size of the smallest change for the worse that four of five pairs like this one show
	NotRecorded  [2]Need `report:"not_recorded,said"`    // per side: what it lacks; zero where it was recorded
	// MayBeInput is how much more than it measured a wait for input may be, in s a step and per side: idle time in which
	// the host did something else or nothing, where no range is around the loader; 0 where one is.
	MayBeInput [2]float64
	// Reads is where bytes read and written are taken from; nil of what is none of them.
	Reads *sides.Reads

	// Secondary: it regressed and would gate, but the step takes less time beyond chance.
	Secondary bool `report:"secondary,omitempty"`
	// Main is what the history of main says; nil: there is none, or none of this metric.
	Main *Ruling `report:"main,omitempty"`

	TooSlight  bool // no sentence may say that it changed, see markSlight
	OtherCause bool // something else than the job may be why it differs: sources, ranks, kinds of work

	MeanApart     MeanApart `report:"notes,said"` // where the change of the mean tells another story than that of the median
	EstimateApart bool      // the estimate lies outside of both
}

// Difference is one fact that differs between the sides.
type Difference struct {
	Name    string          `report:"name,said"` // of the fact; "" Work says it
	Base    string          `report:"baseline,said"`
	Cand    string          `report:"candidate,said"`
	Class   string          `report:"class"` // "invalidates", "look", "harmless"
	Why     policy.Effect   `report:"why,said"`
	Sizes   sides.Sizes     // of the jobs, where Why is policy.OtherSizes
	Replays [2]bool         // of graph replays: the sides that show no kernels of them
	Work    *Work           // of what a step does; nil: it is a fact
	Amount  *sides.StepWork // of how much work a step does; nil: it is another fact
	Clocks  *ClockPair      // of the devices; nil: it is another fact
	Ranks   []int           // whose clocks differ, where those of most do not; nil: all
}

// Work says by how much the sides differ in the work of a step, as both recorded it.
type Work struct {
	Of         run.Key
	Base, Cand float64 // bytes a step
}

// Least returns how much of a step, in s, a change has to be to be worth a finding.
func (p *Terms) Least() float64 { return float64(p.Policy.Threshold * p.Step) }

// MetricOf returns the comparison of a metric as a whole; nil: it was not compared.
func MetricOf(list []Comparison, metric string) *Comparison {
	for i := range list {
		if list[i].Metric.Name == metric && list[i].Part == "" {
			return &list[i]
		}
	}
	return nil
}

// Changed reports whether a sentence may say that c changed: its verdict does,
// or its interval excludes zero; it is not slight; and the medians that the sentence
// would name moved in the same direction.
func (c *Comparison) Changed() bool { return !c.TooSlight && c.Differs() }

// Differs reports whether a comparison, looked at by itself, changed.
func (c *Comparison) Differs() bool {
	sure := c.Verdict == Improved || c.Verdict == Regressed
	judged := !slices.Contains([]string{ReasonNotJudged, ReasonNoSteadyState, ReasonRankCount, ReasonUnclear, ReasonKinds}, c.Reason)
	excludes := judged && (c.Lo > 0 || c.Hi < 0)
	return (sure || excludes) && c.Delta*c.Estimate > 0
}

// EnoughRuns is from how many runs a side on escalation decides. Simulated:
// golden/rates.txt has what escalation from one run a side to three finds and costs.
const EnoughRuns = 3

// HardlyMovedShare is up to which share of itself a part may move and still be said to stay. Chosen,
// not measured: what moved by less is shown by the same digits, or nearly.
const HardlyMovedShare = 0.05

// HardlyMoved reports whether something moved too little to call it a change.
func (c *Comparison) HardlyMoved() bool {
	return math.Abs(c.Delta) <= HardlyMovedShare*math.Max(c.Base, c.Cand)
}

// OfNodes reports whether a comparison is about what nodes counted, and not ranks.
func (c *Comparison) OfNodes() bool {
	return c.Reads != nil && c.Reads.Source == run.SourceStorage
}

// SureDrift is the p-value up to which a change of drift is reported without past runs: slow noise is not known then,
// and at 5 % six of 40 made-up pairs with uneven input showed a drift that they did not have. Simulated.
const SureDrift = 0.01
