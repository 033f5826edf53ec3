package diff

import (
	"math"

	"perfdiff/analyze/run"
)

// Kind says what a finding is about. Programs filter and waive by it; words are made of
// it, in render/words.
type Kind string

// The kinds of findings; what each says stands in Kinds.
const (
	KindLevelChange      Kind = "level-change"
	KindStraggler        Kind = "straggler"
	KindLateRanks        Kind = "late-ranks"
	KindSpike            Kind = "spike"
	KindSharedSpike      Kind = "shared-spike"
	KindKernelAlone      Kind = "kernel-alone"
	KindCollectiveAlone  Kind = "collective-alone"
	KindInputWait        Kind = "input-wait"
	KindCommunication    Kind = "communication"
	KindWait             Kind = "wait"
	KindTransfer         Kind = "transfer"
	KindCompute          Kind = "compute"
	KindComputeUnchanged Kind = "compute-unchanged"
	KindComputeSkew      Kind = "compute-skew"
	KindMemory           Kind = "memory"
	KindIdle             Kind = "idle"
	KindIdleCause        Kind = "idle-cause"
	KindGapBefore        Kind = "gap-before"
	KindDrift            Kind = run.Drift
	KindWarmUp           Kind = "warm-up"
	KindJitter           Kind = "jitter"
	KindReadThroughput   Kind = "read-throughput"
	KindOverlap          Kind = run.Overlap
	KindOneSide          Kind = "one-side"
	KindLoadMix          Kind = "load-mix"
	KindWorkKinds        Kind = "kinds-of-work"
	KindLibrary          Kind = "library"
	KindNotComparable    Kind = "not-comparable"
	KindWorkRate         Kind = "work-rate"
	KindReplays          Kind = "graph-replays"
	KindKernelShift      Kind = "kernel-shift"
	KindCall             Kind = "call"
	KindOtherKernel      Kind = "other-kernel"
)

// KindDoc is a kind with what it says.
type KindDoc struct {
	Kind Kind
	Doc  string
}

// Kinds are all kinds of findings.
var Kinds = [...]KindDoc{
	{KindLevelChange, "from one step on the runs of a side take longer, or less, for good"},
	{KindStraggler, "the same ranks hold up the others with something that is recorded"},
	{KindLateRanks, "waiting for late ranks changed, and no rank is sure to be the cause"},
	{KindSpike, "single steps take much longer on one side"},
	{KindSharedSpike, "slow steps that both sides have take another time"},
	{KindKernelAlone, "a kernel changed beyond what the others differ by, compute as a whole did not"},
	{KindCollectiveAlone, "a collective's transfer changed beyond what runs differ by, communication as a whole did not"},
	{KindInputWait, "waiting for input changed"},
	{KindCommunication, "communication that compute does not hide changed; all of it where that is not known"},
	{KindWait, "waiting for late ranks changed, against the transfer"},
	{KindTransfer, "the exposed transfer changed, apart from waiting"},
	{KindCompute, "compute changed"},
	{KindComputeUnchanged, "compute is not what changed"},
	{KindComputeSkew, "the lead of the rank that computes longest changed"},
	{KindMemory, "exposed copies and sets changed"},
	{KindIdle, "idle time changed"},
	{KindIdleCause, "idle time of one cause changed, against or beside the whole"},
	{KindGapBefore, "the longest gap before a collective changed, or remains"},
	{KindDrift, "steps grow or shrink over a run in another way"},
	{KindWarmUp, "the warm-up takes another number of steps"},
	{KindJitter, "steps differ more, or less, from one to the next"},
	{KindReadThroughput, "reads are faster or slower"},
	{KindOverlap, "another share of communication is hidden"},
	{KindOneSide, "one side recorded a wait that the other did not"},
	{KindLoadMix, "the mix of an inference engine's steps changed"},
	{KindWorkKinds, "the sides do not tell kinds of work apart alike"},
	{KindLibrary, "another implementation moves the data"},
	{KindNotComparable, "the sides differ in what makes a comparison void"},
	{KindWorkRate, "without steps: another amount of work is done in a second"},
	{KindReplays, "without steps: one side replays graphs whose kernels were not recorded"},
	{KindKernelShift, "without steps: the calls of all kernels take longer or less alike"},
	{KindCall, "without steps: a call takes longer or less"},
	{KindOtherKernel, "without steps: one side alone runs a kernel"},
}

// finding is one of a kind of which no number is known yet.
func (k Kind) finding() Finding {
	nan := math.NaN()
	return Finding{Kind: k, Base: nan, Cand: nan, Delta: nan, Estimate: nan, Lo: nan, Hi: nan, Each: nan}
}

// of sets the numbers to those of a comparison, without an interval.
func (f *Finding) of(c *Comparison) {
	f.Base, f.Cand, f.Delta, f.Unit = c.Base, c.Cand, c.Delta, c.Metric.Unit
}

// tested sets the interval to that of a comparison as its test has it.
func (f *Finding) tested(c *Comparison) {
	f.Estimate, f.Lo, f.Hi, f.Relative = c.Estimate, c.Lo, c.Hi, c.Relative
}

// onMedians sets the interval to that of a comparison in the metric's unit. That of a ratio
// is put on the median of the larger side, so that the interval of the sides the other way
// round is the mirror image, and what a ratio does not know of a side that is next to
// nothing is next to nothing.
func (f *Finding) onMedians(c *Comparison) {
	if math.IsNaN(c.Lo) || math.IsNaN(c.Hi) {
		return
	}
	if !c.Relative || !(c.Base > 0) {
		f.tested(c)
		return
	}
	of := func(change float64) float64 { return change * c.Base }
	if c.Logs && c.Cand > c.Base {
		of = func(change float64) float64 { return c.Cand * (1 - 1/(1+change)) }
	}
	f.Lo, f.Hi = of(c.Lo), of(c.Hi)
	if c.Logs { // it ends where the smaller side would be nothing
		f.Lo, f.Hi = math.Max(f.Lo, -c.Base), math.Min(f.Hi, c.Cand)
	}
}
