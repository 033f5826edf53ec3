package words

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// otherWork is the sentence about steps that compute more or less than the baseline's.
func otherWork(_ *diff.Report, f *cause.Finding) string {
	w := f.Work
	what := "the work of a step shrank"
	if w.Change > 0 {
		what = "the work of a step grew"
	}
	switch {
	case w.ExplainsStep && w.Change < 0:
		what = "faster because " + what
	case w.ExplainsStep:
		what = "slower because " + what
	}
	text := fmt.Sprintf("%s: %s, %s; ", number.Capital(what), flopsChange(w.Change), fromTo(f, valuesIn(f)))
	if !w.OtherRate {
		sc := number.ScaleOf("FLOP/s", math.Max(w.BaseRate, w.CandRate))
		return text + "it is done at the same rate as before, " + sc.Format(w.BaseRate) + " and " + sc.With(w.CandRate)
	}
	return text + "besides, " + rates(w.BaseRate, w.CandRate)
}

// withWork warns, behind what a headline says, that the sides do not do the same. Who reads no
// further must not take less work for more speed, or for none lost.
func withWork(of func(*diff.Headline) string) func(*diff.Headline) string {
	return func(h *diff.Headline) string {
		if h.Work == nil {
			return of(h)
		}
		return of(h) + " A step of the candidate does " + flopsChange(h.Work.Change) + "."
	}
}

// flopsChange is "14 % fewer FLOPs".
func flopsChange(change float64) string {
	return number.Share(math.Abs(change)) + " " + moreOrFewer(change) + " FLOPs"
}

// rates says how the rate of work went: "its rate rose from 412 to 498 TFLOP/s".
func rates(base, cand float64) string {
	sc := number.ScaleOf("FLOP/s", math.Max(base, cand))
	return fmt.Sprintf("its rate %s from %s to %s", verb(cand-base), sc.Format(base), sc.With(cand))
}

// sameFLOPs is up to which share the FLOPs of a call are the same. Chosen, not measured: a call's are
// whole numbers of sizes, and their mean over calls differs by what calls are in a capture.
const sameFLOPs = 0.005

// workOfCall says of the calls of a kernel whether they do the same work, "" where that is not known.
func workOfCall(k *cause.Kernel) string {
	switch change := k.CandFLOPs/k.BaseFLOPs - 1; {
	case math.IsNaN(change) || math.IsInf(change, 0):
		return ""
	case math.Abs(change) <= sameFLOPs:
		return "the same work"
	default:
		return flopsChange(change) + " each"
	}
}
