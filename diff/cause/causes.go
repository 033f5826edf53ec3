package cause

import (
	"math"
	"regexp"

	"perfdiff/diff/verdict"
)

// Causes is what the change is made of and what brought it about.
type Causes struct {
	*verdict.Judged
	ignored   []*regexp.Regexp // kernels
	stepParts []partMeasure    // of the step, as both sides can tell them apart

	Groups          []GroupChange        // ranks that communicate with each other
	Waterfall       Waterfall            // the change of the mean step as a sum
	Per             string               // what times and counts of kernels, summaries and gaps are of: PerStep, PerSecond
	Capture         []verdict.Comparison // of whole captures, not judged; only where there are no steps to compare
	Calls           []Call               // what a call takes; only where there are no steps to compare
	Kernels         []Kernel             // by size of the change, at most 200, then one row for the rest
	KernelShift     float64              // change that most kernels share, as of a clock, a fraction; NaN not tested
	Gaps            []GapBin
	Longest         [2][]LongGap   // the longest gaps of each side
	RankWaits       [2][]RankWait  // of the ranks of each side; nil: arrivals are not known
	HostWaits       [2][]RankWait  // of its hosts, where there are several
	Bounds          []Bound        // what the step could be
	Stability       [2][]Stability // how each run goes on
	Findings        []Finding      // what changed, the largest first, at most 10
	BeyondNoise     []Alone        // see Report.Causes
	FindingsLeftOut []Finding      // those for which there is no room; by policy they fail all the same
}

// Of takes the step apart on both sides and says what changed, the largest first.
func Of(judged *verdict.Judged) *Causes {
	p := &Causes{Judged: judged, KernelShift: math.NaN(), Per: PerStep}
	for _, expr := range judged.Policy.IgnoreKernels {
		p.ignored = append(p.ignored, regexp.MustCompile(expr)) // the policy was checked
	}
	if verdict.Stepless(p.Judged.Lined) {
		p.Per = PerSecond
		p.compareWhole()
	} else {
		p.Kernels, p.KernelShift = p.kernels()
		p.Gaps = p.gaps()
	}
	p.Waterfall, p.Groups = p.waterfall(), p.groupChanges()
	p.Stability = [2][]Stability{p.conducts(p.Base), p.conducts(p.Cand)}
	if p.Plan.Steps > 0 {
		p.Longest, p.RankWaits, p.Bounds = [2][]LongGap{longest(p.Base), longest(p.Cand)}, [2][]RankWait{rankWaits(p.Base), rankWaits(p.Cand)}, p.bounds()
		p.HostWaits = [2][]RankWait{HostWaits(p.RankWaits[0]), HostWaits(p.RankWaits[1])}
	}
	p.Findings, p.BeyondNoise = p.findings(), p.causes()
	return p
}
