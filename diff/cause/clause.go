package cause

import (
	"math"

	"perfdiff/analyze/run"
)

// ClauseKind says what follows the sentence of a finding.
type ClauseKind string

// The kinds of clauses, each with the fields of Clause that it fills. What a clause names without holding it is found
// in the report.
const (
	ClauseMean         ClauseKind = "mean"                 // the mean tells another story than the median: the comparison holds it
	ClauseStepSame     ClauseKind = "step-did-not"         // the step as a whole did not change that way: Delta; Against
	ClauseStepLess     ClauseKind = "step-by-less"         // the step changed by less: Delta; Against
	ClauseLongest      ClauseKind = "longest-rank"         // which of Ranks of Side computes longest: Cand, and Delta beyond the median rank
	ClauseTransfer     ClauseKind = "transfer"             // what the transfer itself did, for want of a cause in it
	ClauseIsTransfer   ClauseKind = "cause-transfer"       // the transfer itself takes another time
	ClauseHides        ClauseKind = "cause-hides"          // compute hides another part of a transfer that is as before
	ClauseHidesToo     ClauseKind = "cause-hides-too"      // compute hides another part of it, Delta, and it takes another time
	ClauseWaiting      ClauseKind = "waiting"              // what waiting for late ranks did beside the transfer
	ClauseCloser       ClauseKind = "cause-closer"         // ranks arrive closer together
	ClauseApart        ClauseKind = "cause-apart"          // ranks arrive further apart
	ClausePushed       ClauseKind = "cause-pushed"         // late ranks push the transfer out of what hides it, or no longer
	ClauseBothExposed  ClauseKind = "cause-both-exposed"   // waiting changed, and how much of the transfer is exposed
	ClauseBoth         ClauseKind = "cause-both"           // waiting changed, and the transfer itself
	ClauseAllExposed   ClauseKind = "cause-all-exposed"    // it is all of the transfer
	ClauseInseparable  ClauseKind = "inseparable"          // waiting cannot be told from transfer, for Reasons, or those in Names
	ClauseLaunchesLate ClauseKind = "launches-late"        // launches come after the device is done, or fewer do
	ClauseIdleCauses   ClauseKind = "idle-causes"          // the finding's Reasons
	ClauseRunning      ClauseKind = "launch-thread"        // how much of the time before late launches their thread is on a processor: Base, Cand a share
	ClausePlaces       ClauseKind = "places"               // where the host is: Names, Most of it
	ClauseInputIdle    ClauseKind = "input-leaves-idle"    // what of a wait for input leaves the device idle: Base, Cand
	ClauseAtLeast      ClauseKind = "input-at-least"       // how much more may be input, without a range around the loader: Base, Cand
	ClauseKernels      ClauseKind = "cause-kernels"        // Kernels changed
	ClauseDimension    ClauseKind = "cause-dimension"      // most of it is exposed communication of the dimension of parallelism in Names: Base, Cand
	ClauseFamily       ClauseKind = "cause-family"         // the kernels of the family in Names: Base, Cand
	ClauseMoreOften    ClauseKind = "cause-more-often"     // all kernels run more or less often: Delta, a fraction
	ClauseAllTake      ClauseKind = "cause-all-take"       // all kernels take longer or less: Delta, a fraction
	ClauseClock        ClauseKind = "cause-clock"          // the same, as with another clock
	ClauseClockOf      ClauseKind = "cause-clock-of-ranks" // the same, on Ranks alone; Base, Cand: their sampled clocks in Hz, NaN where there are none
	ClauseClockMoved   ClauseKind = "cause-clock-moved"    // the same by Share, and the sampled clock: Base, Cand in Hz
	ClauseClockSame    ClauseKind = "cause-clock-same"     // the same, though the sampled clock is as before: Base, Cand in Hz
	ClauseLateClock    ClauseKind = "late-clock"           // the sampled clock of Ranks, which compute longer: Base, Cand in Hz
	ClauseBesides      ClauseKind = "besides-clock"        // besides, all kernels do: Share a fraction, Delta in s a step
	ClauseWithin       ClauseKind = "within-compute"       // two Kernels, or all of them, moved against each other
	ClauseWithWork     ClauseKind = "cause-with-work"      // all kernels take longer or less, as the work of operators does: Delta, a fraction
	ClauseSameWork     ClauseKind = "same-work"            // the same FLOPs at another rate: Base, Cand in FLOP/s
	ClauseCopiesTake   ClauseKind = "cause-copies-take"    // copies of the direction in Names take another time
	ClauseCopiesMove   ClauseKind = "cause-copies-move"    // they move more or fewer bytes
	ClauseCopiesRate   ClauseKind = "cause-copies-rate"    // they run at another rate
	ClauseFused        ClauseKind = "fused"                // so much of Side's communication, Share, is in kernels that compute as well
	ClauseLikeWithLike ClauseKind = "like-with-like"       // steps are compared within class and size
	ClauseForced       ClauseKind = "forced"               // they are compared all the same
	ClauseSpikePart    ClauseKind = "spike-part"           // what spikes are made of: Part of the step
	ClauseSpikeRange   ClauseKind = "spike-range"          // what is open meanwhile: the range in Names
	ClausePeakDuring   ClauseKind = "peak-during"          // what is open when most memory is held, in the candidate: Names; on Ranks
	ClauseSlowStage    ClauseKind = "slow-stage"           // the stage of a pipeline in Names computes for another time: Base, Cand; on Ranks
	ClauseRouted       ClauseKind = "cause-routed"         // Ranks get more or less in all-to-alls: Base, Cand times the median rank; Names: tokens
	ClauseBoundNow     ClauseKind = "bound-now"            // what most of the candidate's critical path is, and most of the baseline's: Names; Cand, Bound
	ClauseTrendPart    ClauseKind = "trend-part"           // the Part of the step that most of the trend of Side is, at its ends: Base, Cand
	ClauseNoOverlap    ClauseKind = "no-overlap"           // compute hides no communication on either side: the mean step if it hid all, Base, Cand
	ClauseNoTotals     ClauseKind = "no-totals"            // the totals of captures that a clock ended say nothing
)

// Clause is one thing that is said after the sentence of a finding: what explains it, or what a reader has to know.
// NaN: it has no such number.
type Clause struct {
	Kind    ClauseKind   `report:"kind"`
	Side    string       `report:"side"`       // "baseline", "candidate": whose it is; "" of both
	Names   []string     `report:"names,said"` // kernels, places, ranges, families
	Most    bool         `report:"most"`       // of places: most of it is there
	Part    StepPart     // that it is about; zero: none
	Ranks   []int        `report:"ranks"`
	Base    float64      `report:"value.baseline"` // s a step, or as the kind says
	Cand    float64      `report:"value.candidate"`
	Delta   float64      `report:"delta"`
	Share   float64      `report:"share"`                 // a fraction
	Bound   [2]float64   `report:"steps_bound,omitempty"` // of bound-now: the shares of the steps of all ranks that it holds for
	Kernels []KernelPart `report:"kernels"`
	Against []PartChange `report:"against,omitempty"` // parts of the step that went the other way, the largest first
	Reasons []run.Inseparable
}

// clause returns a clause of this kind, with no numbers set yet.
func (k ClauseKind) clause(names ...string) Clause {
	nan := math.NaN()
	return Clause{Kind: k, Names: names, Base: nan, Cand: nan, Delta: nan, Share: nan}
}

// by returns a clause about a change.
func (k ClauseKind) by(delta float64) Clause {
	c := k.clause()
	c.Delta = delta
	return c
}

// fromTo returns a clause about two values and the change between them.
func (k ClauseKind) fromTo(base, cand float64) Clause {
	c := k.clause()
	c.Base, c.Cand, c.Delta = base, cand, cand-base
	return c
}

// The kinds of parts of a change of compute.
const (
	KernelReplaced = "replaced" // Came runs in place of Gone, one each
	KernelOthers   = "others"   // what Came, in place of what Gone was, told together
	KernelOne      = "kernel"   // one that changed: Kernel
	KernelAll      = "all"      // what all kernels share: Shift
)

// KernelPart is the share of one kernel, of kernels that replace others, or of all kernels in a change of compute, in
// s a step.
type KernelPart struct {
	Kind   string   `report:"kind"`
	Gone   []string `report:"gone"` // names, of "replaced" and "others"
	Came   []string `report:"came"`
	Kernel *Kernel  `report:"kernel"` // of "kernel"
	Shift  float64  `report:"shift"`  // of "all": a fraction
	Base   float64  `report:"time.baseline"`
	Cand   float64  `report:"time.candidate"`
	Delta  float64  `report:"delta"`

	sure bool // beyond what kernels differ by
}
