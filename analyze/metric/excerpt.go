package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// runsInto is how many communication kernels before a step are searched for kernels that run into it. Chosen, not
// measured: a handful of communicators are at work at once.
const runsInto = 64

// SplitBars tells waiting from transfer in the communication of excerpts, where AddOverRanks could
// tell them apart; comms[i] is the communication of ranks[i].
func SplitBars(excerpts []run.Excerpt, ranks []run.Rank, comms []Communication) {
	for _, e := range excerpts {
		for i := range e.Ranks {
			s := &e.Ranks[i]
			at := slices.IndexFunc(ranks, func(r run.Rank) bool { return r.Rank == s.Rank })
			if at < 0 || len(comms[at].splits) != len(comms[at].Spans) {
				continue
			}
			step := slices.IndexFunc(ranks[at].Steps, func(x trace.Step) bool {
				return x.Number == e.Step && x.HasWindow() && x.End-x.Start == s.Length
			})
			if step >= 0 {
				comms[at].splitStrip(s, ranks[at].Steps[step])
			}
		}
	}
}

// splitStrip splits waiting from transfer in one strip, whose bars are kernels clipped to the step.
func (c *Communication) splitStrip(s *run.Strip, step trace.Step) {
	first, _ := slices.BinarySearchFunc(c.Spans, step.Start, func(x collective.Span, t int64) int { return cmp.Compare(x.Start, t) })
	type clipped struct{ start, end int64 }
	waits := map[clipped]int64{}
	for k := max(0, first-runsInto); k < len(c.Spans) && c.Spans[k].Start < step.End; k++ {
		x := &c.Spans[k]
		at := clipped{max(x.Start, step.Start) - step.Start, min(x.End, step.End) - step.Start}
		if at.end <= at.start {
			continue
		}
		wait := collective.Unknown
		if c.splits[k].Wait != collective.Unknown {
			wait = min(max(0, x.Start+c.splits[k].Wait-step.Start-at.start), at.end-at.start)
		}
		if before, twice := waits[at]; twice && before != wait {
			wait = collective.Unknown // two at once: nobody knows which bar is whose
		}
		waits[at] = wait
	}
	for i := range s.Spans {
		x := &s.Spans[i]
		if wait, ok := waits[clipped{x.Start, x.End}]; ok && x.Lane == run.LaneComm && wait != collective.Unknown {
			x.Wait, x.Split = wait, true
		}
	}
}
