package run

import "fmt"

// Inseparable is one reason why waiting for late ranks cannot be told from transfer, in all of
// a run's communication or in some of it.
type Inseparable struct {
	Why      WhyInseparable
	Captured int `json:",omitzero"` // ranks
	World    int `json:",omitzero"` // ranks of the job
	Kernels  int `json:",omitzero"` // that it is about; 0: all
}

// WhyInseparable is the kind of a reason.
type WhyInseparable string

// The reasons.
const (
	OneRankJob       WhyInseparable = "one-rank-job"
	OneRankCaptured  WhyInseparable = "one-rank-captured"
	RanksMissing     WhyInseparable = "ranks-missing"
	SomeRanksMissing WhyInseparable = "some-ranks-missing" // and some kernels are split all the same
	Unmatched        WhyInseparable = "unmatched"
	PeersUnknown     WhyInseparable = "peers-unknown"
	DoneEarly        WhyInseparable = "done-early"
	NodeSummaries    WhyInseparable = "node-summaries" // of which the run was put together
)

// CaptureAll reports whether to capture all ranks of the job would help.
func (w *Inseparable) CaptureAll() bool {
	return w.Why == OneRankCaptured || w.Why == RanksMissing || w.Why == SomeRanksMissing
}

// Clause returns the reason as a clause, without what to do.
func (w *Inseparable) Clause() string {
	switch w.Why {
	case OneRankJob:
		return "the job has one rank, which waits for nobody"
	case OneRankCaptured:
		return "one rank was captured"
	case RanksMissing, SomeRanksMissing:
		return fmt.Sprintf("%d of %d ranks were captured, and waits for ranks that were not captured look like transfer", w.Captured, w.World)
	case Unmatched:
		return fmt.Sprintf("%d kernels could not be matched over the ranks", w.Kernels)
	case PeersUnknown:
		return fmt.Sprintf("point-to-point: not separable, since the peers of %d kernels are not known", w.Kernels)
	case DoneEarly:
		return fmt.Sprintf("in %d kernels of a Broadcast, a Reduce or another exchange in which a rank can be done early", w.Kernels)
	case NodeSummaries:
		return "the run was put together from summaries of its nodes, which hold no single collectives"
	}
	return ""
}

// Sentence returns the reason with what to do in brackets.
func (w *Inseparable) Sentence() string {
	text := w.Clause()
	if w.Why != PeersUnknown && w.Why != SomeRanksMissing {
		text = "not separable: " + text
	}
	switch {
	case w.CaptureAll():
		text += " (capture all ranks to tell waiting from transfer)"
	case w.Why == NodeSummaries:
		text += " (summarize all nodes together)"
	}
	return text
}
