package words

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// Causes writes a sentence for each kernel, collective and cause of idle time of a report that takes longer beyond
// what its peers, or runs, differ by.
func Causes(r *diff.Report) (out []string) {
	for i := range r.Causes {
		out = append(out, alone(&r.Causes[i]))
	}
	return out
}

func alone(a *cause.Alone) string {
	what, others := StepPart(cause.StepPart{Key: a.Key}), "runs"
	switch a.Metric {
	case run.KernelTime:
		what, others = "The kernel "+cause.KernelLabel(a.Part), "the others"
	case run.CommTransferTime:
		what = "The transfer of " + a.Part
	}
	return what + " takes longer beyond what " + others + " differ by: " + number.Milliseconds.SignedWith(a.Delta) + " per step."
}
