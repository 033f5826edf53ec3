package words

import (
	"fmt"

	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
)

// because returns what makes the step longer or shorter, to follow "because"; "" where it is not known. What it says is
// what the finding has checked.
func because(f *cause.Finding) string {
	if f == nil {
		return ""
	}
	switch f.Kind {
	case policy.KindStraggler, policy.KindLateRanks:
		return becauseLate(f)
	case policy.KindPipelineBubble:
		return becausePipeline(f)
	case policy.KindCompute, policy.KindKernelShift:
		return becauseCompute(f)
	case policy.KindKernelAlone:
		return becauseKernel(f.Kernel)
	case policy.KindCommunication, policy.KindWait, policy.KindTransfer, policy.KindCollectiveAlone:
		return becauseCommunication(f)
	case policy.KindIdle, policy.KindIdleCause:
		return becauseIdle(f)
	case policy.KindInputWait:
		return waitsFor(f, "input")
	}
	return either(becauseOf[f.Kind], f.Effect > 0)
}

// becauseOf holds what findings of some kinds say, of a step that takes longer and of one that takes less.
var becauseOf = map[policy.Kind][2]string{
	policy.KindMemory:         {"copies hold it up longer", "copies hold it up less"},
	policy.KindPageableCopies: {"copies come from pageable memory", "copies no longer come from pageable memory"},
	policy.KindWorkGrew:       {"they do more work", ""},
	policy.KindWorkShrank:     {"", "they do less work"},
}

func either(of [2]string, longer bool) string {
	if longer {
		return of[0]
	}
	return of[1]
}

// becauseLate names the ranks that the others wait for, or waited for.
func becauseLate(f *cause.Finding) string {
	late, no := f.Late.Cand, ""
	if f.Effect < 0 {
		late, no = f.Late.Base, "no longer "
	}
	if late == nil || (f.Effect < 0) != (f.Late.Cand == nil) {
		return ""
	}
	who, several := lateName(late)
	switch {
	case who == "":
		return "a different rank is " + no + "late from step to step"
	case f.Has(cause.ClauseRouted):
		return who + " " + no + [2]string{"gets", "get"}[several] + " more of the tokens"
	case len(late.LongerIn) == 0:
		return who + " " + are[several] + " " + no + "late"
	}
	return who + " " + no + does[late.LongerIn[0]][several] + " longer than the others"
}

func becausePipeline(f *cause.Finding) string {
	b, c := &f.Pipeline[0], &f.Pipeline[1]
	if b.MicroBatches > 0 && c.MicroBatches > 0 && b.MicroBatches != c.MicroBatches {
		return fmt.Sprintf("the pipeline runs %d instead of %d micro-batches", c.MicroBatches, b.MicroBatches)
	}
	return "stages of the pipeline wait " + longerOrLess(f.Effect)
}

// becauseCompute says what made compute longer or shorter.
func becauseCompute(f *cause.Finding) string {
	for i := range f.Clauses {
		switch c := &f.Clauses[i]; c.Kind {
		case cause.ClauseAllTake, cause.ClauseClock, cause.ClauseClockSame:
			return allTake(shiftOf(c))
		case cause.ClauseClockMoved:
			return ""
		case cause.ClauseClockOf:
			return "all kernels of " + someRanks(c.Ranks) + " take " + longerOrLess(c.Delta)
		case cause.ClauseWithWork:
			return "they do " + moreOrLess(c.Delta) + " work"
		case cause.ClauseMoreOften:
			return "kernels run " + moreOrLess(c.Delta) + " often"
		case cause.ClauseFamily:
			return "kernels of the family " + c.Names[0] + " take " + longerOrLess(c.Delta)
		case cause.ClauseKernels:
			return becauseKernels(f, c)
		}
	}
	return "compute takes " + longerOrLess(f.Effect)
}

func shiftOf(c *cause.Clause) float64 {
	if c.Kind == cause.ClauseClockSame {
		return c.Share
	}
	return c.Delta
}

// becauseKernels names the kernel that makes most of a change of compute.
func becauseKernels(f *cause.Finding, c *cause.Clause) string {
	x := &c.Kernels[0]
	if x.Delta/f.Effect >= 0.5 {
		switch x.Kind {
		case cause.KernelReplaced:
			return "another kernel does the work of one"
		case cause.KernelOthers:
			return "other kernels do the work"
		case cause.KernelAll:
			return allTake(x.Shift)
		}
		return becauseKernel(x.Kernel)
	}
	return "compute takes " + longerOrLess(f.Effect)
}

// longName is from how many bytes on a headline calls a kernel one kernel, which its row names. Chosen, not measured:
// names of libraries take a line by themselves.
const longName = 44

func becauseKernel(k *cause.Kernel) string {
	text := "the kernel " + cause.KernelLabel(k.Name)
	if len(text) > longName {
		text = "one kernel"
	}
	switch by := k.CandTime - k.BaseTime; {
	case k.BaseCalls == 0:
		return text + " came"
	case k.CandCalls == 0:
		return text + " went"
	default:
		return text + " takes " + longerOrLess(by)
	}
}

// becauseCommunication says what communication costs the step now, or no longer.
func becauseCommunication(f *cause.Finding) string {
	if f.Kind == policy.KindTransfer || f.Kind == policy.KindCollectiveAlone {
		return "transfers take " + longerOrLess(f.Effect)
	}
	for i := range f.Clauses {
		switch c := &f.Clauses[i]; c.Kind {
		case cause.ClauseIsTransfer, cause.ClauseAllExposed:
			return "transfers take " + longerOrLess(f.Effect)
		case cause.ClauseHides:
			return "compute hides " + hides(c.Delta) + " of the communication"
		case cause.ClauseCloser:
			return "ranks arrive closer together"
		case cause.ClauseApart, cause.ClausePushed:
			return "ranks wait " + longerOrLess(f.Effect) + " for each other"
		}
	}
	return "communication holds them up " + longerOrLess(f.Effect)
}

// becauseIdle says what the GPU waits for now, or no longer.
func becauseIdle(f *cause.Finding) string {
	part := f.Part
	if len(f.Reasons) > 0 {
		part = f.Reasons[0].Part
	}
	switch part {
	case "input", "":
		return waitsFor(f, part)
	case "dependency":
		return either([2]string{"launched work starts late", "launched work starts earlier"}, f.Effect > 0)
	case "launching":
		return either([2]string{"launches come late", "launches come in time"}, f.Effect > 0)
	case "unknown":
		return "the GPU is idle " + longerOrLess(f.Effect) + ", for a reason that was not recorded"
	}
	return waitsFor(f, "the host"+hostDoes[part])
}

// hostDoes says what the host does while the GPU waits for it, where that is known.
var hostDoes = map[string]string{"synchronizing": ", which waits for the GPU first", "allocator": ", which allocates memory"}

// waitsFor says that steps wait for something, longer, less or no longer.
func waitsFor(f *cause.Finding, what string) string {
	if what == "" {
		return "the GPU is idle " + longerOrLess(f.Effect)
	}
	who := "the GPU waits "
	if what == "input" {
		who = "they wait "
	}
	switch base, cand := f.Base, f.Cand; {
	case cand <= base/10:
		return map[bool]string{true: "they no longer wait for ", false: "the GPU no longer waits for "}[what == "input"] + what
	case base <= cand/10:
		return who + "for " + what
	}
	return who + longerOrLess(f.Effect) + " for " + what
}
