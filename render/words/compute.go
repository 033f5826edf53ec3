package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// computeUnchanged writes the sentence that compute is not what changed, as sure as that is.
func computeUnchanged(r *diff.Report, f *cause.Finding) string {
	what := "Compute shows no sign of a change: "
	switch {
	case f.Class == verdict.ClassUnchanged:
		what = "Compute is unchanged: "
	case f.Unsure && f.Has(cause.ClauseWithin):
		what = "Compute as a whole did not clearly change: "
	case f.Unsure:
		what = "Compute may have changed, which this comparison cannot tell: "
	}
	sc := valuesIn(f)
	return what + sc.Digits(f.Base) + " and " + sc.With(f.Cand) + " per step"
}

// kernelParts returns the kernels that made compute change.
func kernelParts(r *diff.Report, parts []cause.KernelPart, joined string) string {
	texts := make([]string, len(parts))
	for i := range parts {
		texts[i] = kernelPart(r, &parts[i])
	}
	return strings.Join(texts, joined)
}

func kernelPart(r *diff.Report, x *cause.KernelPart) string {
	row := number.RowOf("s", x.Base, x.Cand, x.Delta)
	values := ": " + row.With(x.Cand) + " per step instead of " + row.With(x.Base)
	switch x.Kind {
	case cause.KernelReplaced:
		return cause.KernelLabel(x.Came[0]) + " runs instead of " + cause.KernelLabel(x.Gone[0]) + values
	case cause.KernelOthers:
		return fmt.Sprintf("%s that the baseline does not run, instead of %s that the candidate does not",
			number.Counted(len(x.Came), "kernel"), number.Counted(len(x.Gone), "kernel")) + values
	case cause.KernelAll:
		return allTake(x.Shift) + besideClock(sampled(r), allDevices) + " (" + row.SignedWith(x.Delta) + ")"
	}
	return oneKernel(r, x.Kernel)
}

// oneKernel says how one kernel changed.
func oneKernel(r *diff.Report, k *cause.Kernel) string {
	text := kernelIn(r, k.Name) + ", " + times(k.BaseTime, k.CandTime)
	switch {
	case k.BaseCalls == 0:
		return text + ", which the baseline does not run"
	case k.CandCalls == 0:
		return text + ", which the candidate does not run"
	case math.Abs(k.Calls) > math.Abs(k.Slower):
		return text + fmt.Sprintf(" in %s instead of %s", callsText(k.CandCalls), number.Times(k.BaseCalls))
	}
	base, cand := k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls
	each := number.RowOf("s", base, cand, cand-base)
	text += fmt.Sprintf(": %s of %s each instead of %s", callsText(k.CandCalls), each.With(cand), each.With(base))
	if notes := slices.DeleteFunc([]string{workOfCall(k), k.LaunchChange}, func(s string) bool { return s == "" }); len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}

func callsText(v float64) string {
	if v == 1 {
		return "1 call"
	}
	return number.Times(v) + " calls"
}

// someRanks names ranks within a sentence.
func someRanks(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	return "ranks " + sides.Ranges(ranks)
}
