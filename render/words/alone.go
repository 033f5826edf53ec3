package words

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// Causes are the kernels, collectives and causes of idle time of a report that take longer
// beyond what their peers, or what runs, differ by, a sentence each.
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
