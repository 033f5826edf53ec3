package cause

import (
	"regexp"

	"perfdiff/diff/verdict"
)

// Causes says what the change consists of and what brought it about.
type Causes struct {
	*verdict.Judged
	ignored   []*regexp.Regexp // kernels
	stepParts []partMeasure    // of the step, as both sides can tell them apart

	Work            *OperatorWork        // what steps compute; nil: not known of a side
	Groups          []GroupChange        // ranks that communicate with each other
	Pairs           []PairChange         // ranks that send to each other
	Pipeline        *[2]Pipeline         // stages of a pipeline on both sides; nil: there is none
	Waterfall       Waterfall            // the change of the mean step as a sum
	Path            Path                 // what the step's length depends on
	Per             string               // what times and counts of kernels, summaries and gaps are of: PerStep, PerSecond
	Capture         []verdict.Comparison // of whole captures, not judged; only where there are no steps to compare
	Calls           []Call               // what a call takes; only where there are no steps to compare
	Kernels         []Kernel             // by size of the change, at most 200, then one row for the rest
	KernelShift     float64              // change that most kernels share, as of a clock, a fraction; NaN not tested
	Launched        Launched             // where the kernels of a mean step are launched
	Gaps            []GapBin
	Longest         [2][]LongGap   // the longest gaps of each side
	RankWaits       [2][]RankWait  // of the ranks of each side; nil: arrivals are not known
	HostWaits       [2][]RankWait  // of its hosts, where there are several
	Bounds          []Bound        // what the step could be
	Suspects        []Suspect      // what both sides do in another way
	Stability       [2][]Stability // how each run goes on
	Findings        []Finding      // what changed, the largest first, at most 10
	BeyondNoise     []Alone        // see Report.Causes
	FindingsLeftOut []Finding      // those for which there is no room; by policy they fail all the same
}
