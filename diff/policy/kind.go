package policy

import "perfdiff/analyze/run"

// Kind says what a finding is about. Programs filter and waive by it; render/words makes words from it.
type Kind string

// The kinds of findings, each with its meaning.
const (
	KindLevelChange      Kind = "level-change"      // from one step on the runs of a side take longer, or less, for good
	KindStraggler        Kind = "straggler"         // the same ranks hold up the others with something that is recorded
	KindLateRanks        Kind = "late-ranks"        // waiting for late ranks changed, and no rank is sure to be the cause
	KindSpike            Kind = "spike"             // single steps take much longer on one side
	KindSharedSpike      Kind = "shared-spike"      // slow steps that both sides have take another time
	KindKernelAlone      Kind = "kernel-alone"      // a kernel changed beyond the others, compute as a whole did not
	KindCollectiveAlone  Kind = "collective-alone"  // a collective changed beyond noise, communication as a whole did not
	KindCollectiveSpread Kind = "collective-spread" // the calls of a collective differ more, or less, from each other
	KindCollectiveTail   Kind = "collective-tail"   // more, or fewer, calls of a collective take twice its median
	KindInputWait        Kind = "input-wait"        // waiting for input changed
	KindCommunication    Kind = "communication"     // exposed communication changed; where that is not known, all of it
	KindWait             Kind = "wait"              // waiting for late ranks changed, against the transfer
	KindPipelineBubble   Kind = "pipeline-bubble"   // stages of a pipeline idle or wait for each other for another time
	KindTransfer         Kind = "transfer"          // the exposed transfer changed, apart from waiting
	KindCompute          Kind = "compute"           // compute changed
	KindComputeUnchanged Kind = "compute-unchanged" // compute is not what changed
	KindComputeSkew      Kind = "compute-skew"      // the lead of the rank that computes longest changed
	KindMemory           Kind = "memory"            // exposed copies and sets changed
	KindPageableCopies   Kind = "pageable-copies"   // another share of copies is from or to pageable memory of the host
	KindMemoryPeak       Kind = "memory-peak"       // steps hold another amount of device memory at their peak
	KindMemoryGrowth     Kind = "memory-growth"     // steps of one side keep memory for good
	KindWorkShrank       Kind = "work-shrank"       // steps of the candidate compute less, by the sizes of operators
	KindWorkGrew         Kind = "work-grew"         // they compute more
	KindIdle             Kind = "idle"              // idle time changed
	KindIdleCause        Kind = "idle-cause"        // idle time of one cause changed, against or beside the whole
	KindGapBefore        Kind = "gap-before"        // the longest gap before a collective changed, or remains
	KindDrift            Kind = "drift"             // steps grow or shrink over a run in another way
	KindWarmUp           Kind = "warm-up"           // the warm-up takes another number of steps
	KindJitter           Kind = "jitter"            // steps differ more, or less, from one to the next
	KindOtherSteps       Kind = "other-steps"       // steps of another kind stand between the others of one side
	KindReadThroughput   Kind = "read-throughput"   // reads are faster or slower
	KindReadBursts       Kind = "read-bursts"       // reads go on at another rate, or for another share of the time
	KindOverlap          Kind = "overlap"           // another share of communication is hidden
	KindCriticalPath     Kind = "critical-path"     // something left the critical path through the step, or came onto it
	KindOneSide          Kind = "one-side"          // one side recorded a wait that the other did not
	KindLoadMix          Kind = "load-mix"          // the mix of an inference engine's steps changed
	KindWorkKinds        Kind = "kinds-of-work"     // the sides do not tell kinds of work apart alike
	KindLibrary          Kind = "library"           // another implementation moves the data
	KindNotComparable    Kind = "not-comparable"    // the sides differ in what makes a comparison void
	KindWorkRate         Kind = "work-rate"         // without steps: another amount of work is done in a second
	KindReplays          Kind = "graph-replays"     // without steps: one side replays graphs without their kernels
	KindKernelShift      Kind = "kernel-shift"      // without steps: the calls of all kernels take longer or less alike
	KindCall             Kind = "call"              // without steps: a call takes longer or less
	KindOtherKernel      Kind = "other-kernel"      // without steps: one side alone runs a kernel
)

// kinds lists all kinds in order, each with what a policy has to know. needs lists metrics, the best first, one of
// which the kind needs: a policy that lets findings of a kind fail asks for them, since without any there is no such
// finding, whatever happened. A kind without needs comes from the step times, from which ranks there are, or from what
// only one side holds.
var kinds = []struct {
	kind  Kind
	needs []string
	same  bool // it says that something did not change: no policy can let it fail
}{
	{kind: KindLevelChange},
	{kind: KindStraggler},
	{kind: KindLateRanks},
	{kind: KindSpike},
	{kind: KindSharedSpike},
	{kind: KindKernelAlone, needs: []string{run.ComputeTime}},
	{kind: KindCollectiveAlone, needs: []string{run.CommTime}},
	{kind: KindCollectiveSpread, needs: []string{run.CommTime}},
	{kind: KindCollectiveTail, needs: []string{run.CommTime}},
	{kind: KindInputWait, needs: []string{run.InputWaitTime}},
	{kind: KindCommunication, needs: []string{run.ExposedCommTime, run.CommTime}},
	{kind: KindWait, needs: []string{run.ExposedWaitTime, run.CommWaitTime}},
	{kind: KindPipelineBubble, needs: []string{run.PipelineBubble, run.CommTime}}, // of which a job without stages has the second
	{kind: KindTransfer, needs: []string{run.ExposedTransferTime, run.CommTransferTime}},
	{kind: KindCompute, needs: []string{run.ComputeTime}},
	{kind: KindComputeUnchanged, same: true},
	{kind: KindComputeSkew, needs: []string{run.ComputeSkew}},
	{kind: KindMemory, needs: []string{run.ExposedMemoryTime}},
	{kind: KindPageableCopies},
	{kind: KindMemoryPeak, needs: []string{run.MemoryAllocatedPeak, run.MemoryReservedPeak}},
	{kind: KindMemoryGrowth, needs: []string{run.MemoryAllocatedPeak, run.MemoryReservedPeak}},
	{kind: KindWorkShrank, needs: []string{run.FLOPs}},
	{kind: KindWorkGrew, needs: []string{run.FLOPs}},
	{kind: KindIdle, needs: []string{run.IdleTime}},
	{kind: KindIdleCause, needs: []string{run.IdleTime}},
	{kind: KindGapBefore, needs: []string{run.IdleTime}},
	{kind: KindDrift},
	{kind: KindWarmUp},
	{kind: KindJitter},
	{kind: KindOtherSteps},
	{kind: KindReadThroughput, needs: []string{run.IOReadThroughput}},
	{kind: KindReadBursts, needs: []string{run.IOReadBurstRate}},
	{kind: KindOverlap, needs: []string{run.Overlap}},
	{kind: KindCriticalPath},
	{kind: KindOneSide},
	{kind: KindLoadMix},
	{kind: KindWorkKinds},
	{kind: KindLibrary},
	{kind: KindNotComparable},
	{kind: KindWorkRate},
	{kind: KindReplays},
	{kind: KindKernelShift},
	{kind: KindCall},
	{kind: KindOtherKernel},
}

// FailKinds returns the kinds that Policy.FailOn and a waiver can name: all but the one that says
// that something did not change.
func FailKinds() (out []string) {
	for i := range kinds {
		if !kinds[i].same {
			out = append(out, string(kinds[i].kind))
		}
	}
	return out
}

// Needs returns metrics, the best first, one of which findings of the kind need; nil: none.
func (k Kind) Needs() []string {
	for i := range kinds {
		if kinds[i].kind == k {
			return kinds[i].needs
		}
	}
	return nil
}
