package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// evidence says on which ranks, steps and spans a finding rests, and that it is only about two runs if more would
// tell; "" where the sentence holds all of it.
func evidence(r *diff.Report, f *cause.Finding) string {
	text := standsOn(r, f)
	if f.NeedsRuns() && f.Class == verdict.ClassLook && len(r.Base.Runs) == 1 && len(r.Cand.Runs) == 1 {
		text += "; of these two runs alone"
	}
	for _, c := range f.Clauses {
		if c.Kind == cause.ClauseBoundNow {
			text += fmt.Sprintf("; %s bounds %s of the steps of all ranks, in the baseline %s %s of them",
				PathPart(c.Names[0]), number.Share(c.Bound[1]), PathPart(c.Names[1]), number.Share(c.Bound[0]))
		}
	}
	return strings.TrimPrefix(text, "; ")
}

func standsOn(r *diff.Report, f *cause.Finding) string {
	e := &f.Evidence
	n, m := e.Counts[0], e.Counts[1]
	switch e.Kind {
	case cause.EvidenceSample:
		return grounds(r, e)
	case cause.EvidenceCalls:
		return fmt.Sprintf("the median of %s per step; %s", number.Counted(n, "call"), grounds(r, e))
	case cause.EvidenceKernels:
		if math.IsNaN(r.KernelShift) {
			return grounds(r, e)
		}
		return grounds(r, e) + "; most kernels changed by " + percent(r.KernelShift)
	case cause.EvidencePeers:
		text := grounds(r, e)
		for _, x := range e.Peers {
			text += "; " + x.Part + " changed by " + percent(x.Change)
		}
		return text
	case cause.EvidenceLevel:
		l := &f.Level.Larger
		p := number.PercentFor(l.Change, l.Lo, l.Hi)
		return fmt.Sprintf("%s on the new level in run %s: %s to %s%s%%",
			number.Counted(l.Steps, "step"), l.Run, p.Signed(l.Lo), p.Signed(l.Hi), number.Space)
	case cause.EvidenceSpikes:
		x := &f.Spikes.Worst
		return fmt.Sprintf("%s: steps %s of run %s", number.Counted(len(x.Spikes), "spike"), someNumbers(x.Spikes), x.Run)
	case cause.EvidenceShared:
		return fmt.Sprintf("%s at the same steps of %s and %s", number.Counted(len(f.Steps), "spike"),
			number.Counted(n, "run"), number.Counted(m, "run"))
	case cause.EvidenceFirst:
		return fmt.Sprintf("the first steps of %s and %s", number.Counted(n, "run"), number.Counted(m, "run"))
	case cause.EvidenceRates:
		return fmt.Sprintf("median of %s, %s per side", number.Counted(n, "kernel"), number.Counted(m, "rank"))
	case cause.EvidenceNoRate:
		return fmt.Sprintf("%s, %s per side", number.Counted(n, "kernel"), number.Counted(m, "rank"))
	case cause.EvidenceHeld:
		return heldGrounds(e.Counts)
	case cause.EvidenceCount:
		return number.Counted(n, "call")
	case cause.EvidenceLoads:
		return fmt.Sprintf("%s and %s", number.Count(n), number.Counted(m, "engine step"))
	}
	return stands[e.Kind]
}

// stands are the kinds of evidence that have no number.
var stands = map[cause.EvidenceKind]string{
	cause.EvidenceMedians: "the median call of each kernel that both sides run",
	cause.EvidenceOthers:  "beyond what the other kernels differ by",
	cause.EvidenceRuns:    "beyond what calls and runs differ by",
	cause.EvidencePath:    "what each start waited for last, from rank to rank through collectives",
	cause.EvidenceOneSide: "the median step of the side that has it",
}

// percent writes a change without an interval.
func percent(change float64) string {
	return number.PercentFor(change, 0, 0).Signed(change) + number.Space + "%"
}

// grounds says what a comparison rests on: "18 steps of 16 ranks per side".
func grounds(r *diff.Report, e *cause.Evidence) string {
	c := comparison(r, e.Of)
	text := sample(r, c)
	if from := Source(c); from != "" {
		text += ", " + from
	}
	return text
}
