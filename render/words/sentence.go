package words

import (
	"cmp"
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// sentences say what findings are about, by kind, without their clauses and the full stop.
var sentences = map[policy.Kind]func(*diff.Report, *cause.Finding) string{
	policy.KindLevelChange:      level,
	policy.KindStraggler:        late,
	policy.KindLateRanks:        late,
	policy.KindSpike:            spike,
	policy.KindSharedSpike:      sharedSpike,
	policy.KindKernelAlone:      kernelAlone,
	policy.KindCollectiveAlone:  collectiveAlone,
	policy.KindCollectiveSpread: callSpread,
	policy.KindCollectiveTail:   callTail,
	policy.KindInputWait:        moved,
	policy.KindCommunication:    moved,
	policy.KindWait:             moved,
	policy.KindTransfer:         moved,
	policy.KindPipelineBubble:   bubble,
	policy.KindCompute:          moved,
	policy.KindComputeUnchanged: computeUnchanged,
	policy.KindComputeSkew:      moved,
	policy.KindMemory:           moved,
	policy.KindPageableCopies:   pageableCopies,
	policy.KindMemoryPeak:       moved,
	policy.KindMemoryGrowth:     memoryGrowth,
	policy.KindWorkShrank:       otherWork,
	policy.KindWorkGrew:         otherWork,
	policy.KindIdle:             moved,
	policy.KindIdleCause:        idleCause,
	policy.KindGapBefore:        gapBefore,
	policy.KindDrift:            drift,
	policy.KindWarmUp:           warmUp,
	policy.KindJitter:           jitter,
	policy.KindOtherSteps:       otherSteps,
	policy.KindReadThroughput:   readsMoved,
	policy.KindReadBursts:       readsMoved,
	policy.KindOverlap:          moved,
	policy.KindCriticalPath:     onPath,
	policy.KindOneSide:          oneSide,
	policy.KindLoadMix:          mix,
	policy.KindWorkKinds:        workKinds,
	policy.KindLibrary:          library,
	policy.KindNotComparable:    differ,
	policy.KindWorkRate:         workRate,
	policy.KindReplays:          replays,
	policy.KindKernelShift:      kernelShift,
	policy.KindCall:             call,
	policy.KindOtherKernel:      otherKernel,
}

// sentence writes a finding, with the clauses that explain it; "" for an unknown kind.
func sentence(r *diff.Report, f *cause.Finding) string {
	of := sentences[f.Kind]
	if of == nil {
		return ""
	}
	return of(r, f) + clauses(r, f) + "."
}

// moved returns the sentence about a change of a metric: "Idle time fell from 52.9 to 18.4 ms a
// step". What the metric's name needs to be understood follows it.
func moved(r *diff.Report, f *cause.Finding) string {
	c := about(r, f)
	name := subject(c)
	switch {
	case f.Kind == policy.KindInputWait && f.Part != "": // what it leaves idle
		name = number.Capital(PartName(f.Part))
	case f.Kind == policy.KindComputeSkew:
		name += ", the lead of the rank that computes longest,"
	}
	if c.Includes != "" {
		name += " or " + c.Includes + " work"
	}
	text := name + " " + verb(f.Delta) + " " + fromTo(f)
	switch {
	case f.Unit == "s":
		return text + " per step"
	case f.Unit != "ratio" && Source(c) != "":
		return text + ", measured from " + Source(c)
	}
	return text
}

// gapBefore returns the sentence about the longest gap before a collective.
func gapBefore(r *diff.Report, f *cause.Finding) string {
	if f.Class == verdict.ClassRemains {
		return fmt.Sprintf("A gap of %s before %s remains in the candidate", number.GapScale(math.Max(f.Base, f.Cand)).With(f.Cand), f.Part)
	}
	return fmt.Sprintf("The gap before %s %s %s", f.Part, verb(f.Delta), fromTo(f))
}

// otherSteps writes the sentence about steps of another kind among a side's steps.
func otherSteps(r *diff.Report, f *cause.Finding) string {
	x := f.Others
	sc := number.ScaleOf("s", math.Max(x.Time, x.Median))
	every := ""
	if x.Every > 1 {
		every = ", every " + number.Ordinal(x.Every)
	}
	rest := "none is"
	if x.Other > 0 {
		rest = number.Share(x.Other) + " are"
	}
	left := ""
	if x.LeftOut {
		left = "; the mean counts them and the median does not"
	}
	return fmt.Sprintf("%d of %s of the %s are of another kind (%s%s): they launch %s kernels where the others launch %s, and take %s where the others take %s; of those of the %s %s"+left,
		len(f.Steps), number.Counted(x.Of, "step"), x.Side, sides.Ranges(f.Steps), every, number.Times(x.Launches), number.Times(x.Usual), sc.With(x.Time), sc.With(x.Median), otherSide(x.Side), rest)
}

// jitter returns the sentence about how steps differ from one to the next.
func jitter(r *diff.Report, f *cause.Finding) string {
	return fmt.Sprintf("Steps differ %s from one to the next: by %s of a step in the median instead of %s",
		moreOrLess(f.Delta), number.Share(f.Cand), number.Share(f.Base))
}

// callSpread returns the sentence about calls of a collective that differ from each other.
func callSpread(r *diff.Report, f *cause.Finding) string {
	b, c := &f.Calls[0], &f.Calls[1]
	sc := number.ScaleOf("s", math.Max(b.P95, c.P95))
	return fmt.Sprintf("Calls of %s differ %s from each other: the standard deviation %s %s; the median call takes %s and %s, and 95%s%% take at most %s and %s",
		f.Part, moreOrLess(f.Delta), verb(f.Delta), fromTo(f), sc.Format(b.Median), sc.With(c.Median), number.Space, sc.Format(b.P95), sc.With(c.P95))
}

// callTail returns the sentence about calls of a collective that take much longer than others.
func callTail(r *diff.Report, f *cause.Finding) string {
	b, c := &f.Calls[0], &f.Calls[1]
	sc := number.ScaleOf("s", math.Max(b.P95, c.P95))
	return fmt.Sprintf("%s calls of %s take twice the median or longer: %s and %s in 100 steps; 95%s%% take at most %s and %s",
		number.Capital(moreOrFewer(f.Delta)), f.Part, number.Format(b.Long), number.Format(c.Long), number.Space, sc.Format(b.P95), sc.With(c.P95))
}

func moreOrFewer(delta float64) string {
	if delta < 0 {
		return "fewer"
	}
	return "more"
}

// kernelAlone returns the sentence about a kernel that changed beyond the others.
func kernelAlone(r *diff.Report, f *cause.Finding) string {
	return "A kernel changed beyond what the others differ by: " + oneKernel(r, f.Kernel)
}

// collectiveAlone returns the sentence about a collective that changed beyond noise.
func collectiveAlone(r *diff.Report, f *cause.Finding) string {
	return fmt.Sprintf("A collective changed beyond what runs differ by: the transfer of %s %s %s per step",
		f.Part, verb(f.Delta), fromTo(f))
}

// kernelShift returns the sentence about a change that the calls of all kernels share.
func kernelShift(r *diff.Report, f *cause.Finding) string {
	text := number.Capital(allTake(f.Delta)) + " per call"
	if f.Clocks == nil {
		return text + ", as a different clock, batch size or data type would cause"
	}
	return text + besideClock(f.Clocks, allDevices)
}

// workKinds returns the sentence about sides that do not tell kinds of work apart alike.
func workKinds(r *diff.Report, f *cause.Finding) string { return number.Capital(untold(f.NotCompared)) }

// about returns the comparison of the metric that a finding is about.
func about(r *diff.Report, f *cause.Finding) *verdict.Comparison {
	return comparison(r, run.Key{Metric: f.Metric, Part: f.Part})
}

// subject returns what people call a comparison's metric at the start of a sentence.
func subject(c *verdict.Comparison) string {
	if c.Metric.OfResult {
		return ResultName(c.Key.Metric)
	}
	return cmp.Or(c.Metric.Subject, c.Key.Metric)
}

// inSentence returns the subject within a sentence.
func inSentence(c *verdict.Comparison) string {
	if c.Key == sides.StepTime {
		return "the step time"
	}
	if c.Metric.OfResult {
		return ResultWithin(c.Key.Metric)
	}
	return number.Lower(subject(c))
}

// valuesOf writes the values of a comparison.
func valuesOf(c *verdict.Comparison) string {
	base, cand := c.Shown()
	return "from " + rowOf(c).Digits(base) + " to " + rowOf(c).With(cand)
}

// rowOf is the format of both values of a comparison.
func rowOf(c *verdict.Comparison) number.Row {
	base, cand := c.Shown()
	return number.RowOf(c.Metric.Unit, base, cand, cand-base)
}

// medianOf begins the sentence that states both values of what is no step.
func medianOf(c *verdict.Comparison) string {
	if c.Metric.OfRun || c.Metric.OfResult && max(c.Runs[0], c.Runs[1]) < 2 {
		return subject(c) + " "
	}
	return "Median of " + inSentence(c) + " "
}

// medians writes both medians, with an arrow only where a change is certain.
func medians(c *verdict.Comparison) string {
	sc := scaleOf(c)
	between := " and "
	if c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed {
		between = " \u2192 "
	}
	if c.Metric.Unit == "ratio" {
		return number.Share(c.Base) + between + number.Share(c.Cand)
	}
	return sc.Format(c.Base) + between + sc.With(c.Cand)
}
