package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// AdviceKind says what to do, or to record, next.
type AdviceKind string

// The kinds of advice. Which options of a profiler they name depends on the profiler.
const (
	AdviceNone         AdviceKind = ""
	AdviceIdleCause    AdviceKind = "idle-cause"          // about the cause of idle time in Of
	AdviceLate         AdviceKind = "late-ranks"          // about what late ranks do longer, in Of
	AdviceRouted       AdviceKind = "routed-tokens"       // late ranks that more is sent to
	AdviceRotating     AdviceKind = "rotating-ranks"      // about another rank in each step
	AdviceWhatLate     AdviceKind = "what-makes-late"     // nothing recorded says what a late rank does
	AdviceStreams      AdviceKind = "streams"             // around the collectives
	AdviceNetwork      AdviceKind = "network"             // links, settings, placement
	AdviceStreamsAnd   AdviceKind = "streams-and-network" // both
	AdviceWhoIsLast    AdviceKind = "who-is-last"         // nothing is said of the network
	AdviceNoNetwork    AdviceKind = "not-the-network"     // who is last: the network is not the cause
	AdviceNoSign       AdviceKind = "no-sign-of-network"  // who is last: nothing points to the network
	AdviceBeginLate    AdviceKind = "begin-with-late"     // late ranks push a transfer out of what hides it
	AdvicePushes       AdviceKind = "late-ranks-push"     // a late rank also does
	AdviceBothMoved    AdviceKind = "both-moved"          // waiting and transfer
	AdviceCaptureAll   AdviceKind = "capture-all-ranks"   // to tell waiting from transfer
	AdviceSetClocks    AdviceKind = "set-clocks"          // of hosts, to tell waiting from transfer
	AdviceJoin         AdviceKind = "summarize-together"  // all nodes, to tell waiting from transfer
	AdviceFamily       AdviceKind = "see-kernels"         // for the single ones of a family
	AdviceMoreWork     AdviceKind = "more-work"           // what multiplies the work of a step
	AdviceOtherWork    AdviceKind = "other-work"          // whether another amount of work is meant
	AdviceShared       AdviceKind = "shared-by-kernels"   // what all kernels share
	AdviceClocks       AdviceKind = "clocks"              // of all devices
	AdviceClocksOf     AdviceKind = "clocks-of-some"      // of some devices
	AdviceOtherKernel  AdviceKind = "other-kernel"        // why another kernel was chosen in one's place
	AdviceKernel       AdviceKind = "kernel"              // the calls of one kernel
	AdviceChosen       AdviceKind = "kernel-of-one-side"  // what chose a kernel that one side alone runs
	AdviceCopiesTake   AdviceKind = "who-copies"
	AdviceCopiesMove   AdviceKind = "what-is-copied"
	AdviceCopiesRate   AdviceKind = "pinned-memory"
	AdvicePageable     AdviceKind = "pin-memory"       // what copies from pageable memory
	AdviceMemoryPeak   AdviceKind = "memory-peak"      // what is held when most is
	AdviceMemoryGrowth AdviceKind = "memory-growth"    // what holds on to memory from step to step
	AdviceSchedule     AdviceKind = "schedule"         // of micro-batches through stages
	AdviceStages       AdviceKind = "stages"           // which stage the others wait for
	AdviceGap          AdviceKind = "gap-before"       // what a collective waits for
	AdviceOtherSteps   AdviceKind = "other-steps"      // steps of another kind among those compared
	AdviceJitter       AdviceKind = "step-to-step"     // what differs from step to step
	AdviceCallLengths  AdviceKind = "lengths-of-calls" // what calls of a collective wait for, or share the links with
	AdviceGrowth       AdviceKind = "growing-part"     // which part grows with the steps
	AdviceSettle       AdviceKind = "longer-runs"      // a side was still settling
	AdviceWarmUp       AdviceKind = "first-steps"      // what they do
	AdviceSpikes       AdviceKind = "slow-steps"       // what the program does in them
	AdviceSpikeRange   AdviceKind = "range-of-spikes"  // what the range in Name does in them
	AdviceLevelClocks  AdviceKind = "level-clocks"     // from a step on, of all devices
	AdviceLevelSome    AdviceKind = "level-clocks-of"  // of some devices
	AdviceLevelInput   AdviceKind = "level-input"      // what the input does from a step on
	AdviceLevelLinks   AdviceKind = "level-links"      // the links from a step on
	AdviceLevelCompute AdviceKind = "level-compute"    // what is computed from a step on
	AdviceLevelPart    AdviceKind = "level-part"       // which part changes at a step
	AdviceRecord       AdviceKind = "record"           // what is in Need on both sides
	AdviceGive         AdviceKind = "give-files"       // that hold what is in Need
	AdviceGraphs       AdviceKind = "record-graphs"    // so that replays are seen kernel by kernel
	AdviceName         AdviceKind = "name-kernels"     // that communicate
	AdviceRequests     AdviceKind = "same-requests"    // for both sides of an inference engine
	AdviceAlike        AdviceKind = "record-alike"     // both sides
	AdviceAlikeForce   AdviceKind = "record-or-force"  // or compare them all the same
	AdviceMark         AdviceKind = "mark-steps"       // or capture a number of them
	AdviceKernelClocks AdviceKind = "clocks-and-batch" // without steps
	AdviceCall         AdviceKind = "call"             // about the table in Name
)

// Advice is what to do, or to record, next. The zero value: nothing.
type Advice struct {
	Kind AdviceKind   `report:"kind"`
	Of   run.Key      `report:"."`         // what it is about
	Name string       `report:"name,said"` // a range, a table
	Need verdict.Need // what is not recorded
}

// EvidenceKind says what a finding rests on.
type EvidenceKind string

// The kinds of evidence, each with the fields of Evidence that it fills.
const (
	EvidenceSample   EvidenceKind = "sample"         // the steps and ranks of the comparison Of
	EvidenceCalls    EvidenceKind = "calls"          // so many calls a step, Counts[0]; of the comparison Of
	EvidenceKernels  EvidenceKind = "kernels"        // the comparison Of, and what most kernels did
	EvidencePeers    EvidenceKind = "peers"          // the comparison Of, and what Peers did
	EvidenceLevel    EvidenceKind = "new-level"      // the steps of one run on its new level
	EvidenceSpikes   EvidenceKind = "spikes"         // the spikes of one run
	EvidenceShared   EvidenceKind = "shared-spikes"  // spikes at the same steps of so many runs, Counts
	EvidenceFirst    EvidenceKind = "first-steps"    // of so many runs, Counts
	EvidenceRates    EvidenceKind = "rates"          // the median of so many kernels, Counts[0], on so many ranks, Counts[1]
	EvidenceNoRate   EvidenceKind = "no-rate"        // the same, which have no rate in common
	EvidenceMedians  EvidenceKind = "median-calls"   // of each kernel that both sides run
	EvidenceOthers   EvidenceKind = "other-kernels"  // beyond what they differ by
	EvidenceRuns     EvidenceKind = "calls-and-runs" // beyond what they differ by
	EvidenceCount    EvidenceKind = "count"          // so many calls, Counts[0]
	EvidenceHeld     EvidenceKind = "held"           // memory at the ends of steps, of so many runs, Counts
	EvidenceOneSide  EvidenceKind = "one-side"       // the median step of the side that has it
	EvidenceLoads    EvidenceKind = "engine-steps"   // so many, Counts
	EvidencePath     EvidenceKind = "critical-path"  // what each start waited for last
	EvidenceRecorded EvidenceKind = "as-recorded"    // what both sides recorded, which the sentence holds
)

// Evidence is on which ranks, steps and spans a finding stands.
type Evidence struct {
	Kind   EvidenceKind `report:"kind"`
	Of     run.Key      `report:"."` // the comparison that it stands on
	Counts [2]int       `report:"counts,list"`
	Peers  []Peer       `report:"peers"`
}

// Peer is something that is reported with a finding and was tested with it.
type Peer struct {
	Part   string  `report:"part"`
	Change float64 `report:"change"` // a fraction
}

// sampleOf returns what a comparison rests on, as evidence.
func sampleOf(c *verdict.Comparison) Evidence { return Evidence{Kind: EvidenceSample, Of: c.Key} }
