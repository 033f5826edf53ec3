package diff

import (
	"cmp"

	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// Blame says whether the change under test is why the steps take another time, which is another question than whether
// they do: these runs can show that, and rarely why.
type Blame string

// The answers.
const (
	BlameNothing  Blame = ""         // nothing changed, or nothing was judged
	BlameLikely   Blame = "likely"   // the cause is one that code has, and nothing else differs
	BlameOpen     Blame = "open"     // seen in too few runs, or a machine could do it as well
	BlameUnlikely Blame = "unlikely" // something recorded of the machine explains it
	BlameUnknown  Blame = "unknown"  // the sides were recorded differently, or on other machines
)

// WhyBlame says what an answer stands on.
type WhyBlame string

// The reasons.
const (
	WhyClock   WhyBlame = "clock"     // the clock of the devices moved as the kernels did
	WhyDevice  WhyBlame = "device"    // some of several ranks are slow
	WhyAll     WhyBlame = "all"       // all kernels take longer alike
	WhyLink    WhyBlame = "link"      // transfers of the same data take longer
	WhyOnce    WhyBlame = "once"      // a jump or a stall that was seen in one run a side
	WhyRuns    WhyBlame = "runs"      // one run a side, which may differ by as much
	WhyUnknown WhyBlame = "no-cause"  // what takes the time is not known
	WhyCode    WhyBlame = "code"      // what changed is something that code does
	WhyUnlike  WhyBlame = "not-alike" // see Headline.Unlike
	WhyDiffers WhyBlame = "differs"   // something else differs between the sides, see Looks
)

// ofCode are the kinds of findings about something that code does, and that a machine does not do by itself.
var ofCode = map[policy.Kind]bool{
	policy.KindCompute: true, policy.KindKernelAlone: true, policy.KindInputWait: true, policy.KindPageableCopies: true, policy.KindPipelineBubble: true,
	policy.KindWorkGrew: true, policy.KindWorkShrank: true, policy.KindIdle: true, policy.KindIdleCause: true, policy.KindMemory: true, policy.KindCommunication: true,
}

// Blame returns whether the change under test is why, with the reason.
func (r *Report) Blame() (Blame, WhyBlame) {
	h := &r.Headline
	changed := r.Verdict == verdict.Regressed || r.Verdict == verdict.Improved
	switch {
	case !r.Judged, !changed && h.Jump == nil && h.Mean == nil, h.Main != nil, h.Of.Metric.OfResult:
		return BlameNothing, ""
	case len(h.Unlike) > 0:
		return BlameUnknown, WhyUnlike
	case !changed:
		return BlameOpen, WhyOnce
	}
	why := whyOf(h.Because)
	enough := !r.FewRuns() || h.Of.History > 0 || h.Of.Tipping >= 2*h.Of.Floor
	switch {
	case why == WhyClock:
		return BlameUnlikely, why
	case why == WhyOnce && !r.FewRuns():
		return BlameOpen, WhyUnknown
	case len(r.Looks()) > 0 && (why == WhyCode || why == WhyAll):
		return BlameOpen, WhyDiffers
	case why != WhyCode:
		return BlameOpen, why
	case !enough:
		return BlameOpen, WhyRuns
	}
	return BlameLikely, why
}

// BlamesClock reports whether the clock of the devices explains the change, or that of those which are late moved.
func (r *Report) BlamesClock() bool {
	answer, why := r.Blame()
	return why == WhyClock || answer == BlameOpen && why == WhyDevice && r.Headline.Because.Has(cause.ClauseLateClock)
}

// whyOf returns whether code or a machine is likely to do what a finding says.
func whyOf(f *cause.Finding) WhyBlame {
	switch {
	case f == nil:
		return WhyUnknown
	case f.Kind == policy.KindStraggler && cmp.Or(f.Late.Cand, f.Late.Base).Kind == cause.LateRotating:
		return WhyUnknown // each device is slow in its turn
	case f.Kind == policy.KindStraggler && !f.Has(cause.ClauseRouted), f.Has(cause.ClauseLateClock), f.Has(cause.ClauseClockOf):
		return WhyDevice
	case f.Has(cause.ClauseClockMoved):
		return WhyClock
	case f.Has(cause.ClauseClock), f.Has(cause.ClauseAllTake), f.Has(cause.ClauseClockSame), f.AllKernels():
		return WhyAll
	case f.Has(cause.ClauseIsTransfer), f.Kind == policy.KindTransfer, f.Kind == policy.KindCollectiveAlone:
		return WhyLink
	case f.Kind == policy.KindSpike, f.Kind == policy.KindSharedSpike, f.Kind == policy.KindLevelChange:
		return WhyOnce
	case f.Kind == policy.KindCommunication && !f.Has(cause.ClauseHides) && !f.Has(cause.ClauseHidesToo): // late ranks, or who knows
		return WhyUnknown
	case ofCode[f.Kind] || f.Has(cause.ClauseRouted):
		return WhyCode
	}
	return WhyUnknown
}
