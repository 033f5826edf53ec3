package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// otherWork returns the sentence about steps that compute more or less than the baseline's.
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
	text := fmt.Sprintf("%s: %s, %s; ", number.Capital(what), flopsChange(w.Change), fromTo(f))
	if !w.OtherRate {
		sc := number.ScaleOf("FLOP/s", math.Max(w.BaseRate, w.CandRate))
		return text + "it is done at the same rate as before, " + sc.Format(w.BaseRate) + " and " + sc.With(w.CandRate)
	}
	return text + "besides, " + rates(w.BaseRate, w.CandRate)
}

// withWork adds to a headline that the sides do not do the same work: who reads no further must not take less work for
// more speed, or for none lost.
func withWork(of func(*diff.Headline) string) func(*diff.Headline) string {
	return func(h *diff.Headline) string {
		switch {
		case h.Work == nil:
			return of(h)
		case h.Work.Judged:
			return of(h) + " That is for the same work: " + doesOther(h.Work) + "."
		}
		return of(h) + " " + number.Capital(doesOther(h.Work)) + "."
	}
}

// notComparable returns the headline of sides that differ in what makes a comparison void.
func notComparable(h *diff.Headline) string {
	for _, u := range shared(&h.Of).Unequal {
		if w := u.Amount; w != nil {
			return "No verdict: " + doesOther(w) + ", as of another batch" + perUnit(w) + "."
		}
	}
	if text := otherSamples(h); text != "" {
		return "No verdict: " + text + "."
	}
	if list := shared(&h.Of).Unequal; len(list) > 0 {
		name, base, cand := Differs(&list[0].Difference)
		return "No verdict: the sides differ in " + name + ": " + known(base) + " and " + known(cand) + "."
	}
	return "No verdict: the two sides are not comparable."
}

// perStep holds what a step takes so many of, by the facts that say it.
var perStep = map[string]string{trace.FactBatch: "sample", trace.FactRankBatch: "sample", trace.FactTokens: "token"}

// otherSamples returns "a step takes 256 samples, and 128 in the baseline; per sample it takes 5 % less", "" where nothing
// says so. If the sides differ in something else too it says nothing of one sample.
func otherSamples(h *diff.Headline) (text string) {
	unequal := shared(&h.Of).Unequal
	for _, u := range unequal {
		base, err := strconv.ParseFloat(u.Base, 64)
		cand, other := strconv.ParseFloat(u.Cand, 64)
		unit := perStep[u.Name]
		if unit == "" || err != nil || other != nil {
			continue
		}
		if text = "a step takes " + number.Counted(int(cand), unit); u.Name == trace.FactRankBatch { // of a rank, or of all
			text = "the batch size is " + number.Count(int(cand))
		}
		text += ", and " + number.Count(int(base)) + " in the baseline"
		if change := h.Of.Cand / h.Of.Base * base / cand; len(unequal) == 1 && h.Of.Key == sides.StepTime && change > 0 {
			text += "; per " + unit + " it takes " + number.Share(math.Abs(change-1)) + " " + longerOrLess(change-1)
		}
		return text
	}
	return ""
}

// doesOther returns "a step of the candidate copies 2.0 times the bytes and launches 2.0 times the blocks".
func doesOther(w *sides.StepWork) string {
	var all []string
	for i := range w.Counts {
		x := &w.Counts[i]
		how := number.Share(math.Abs(x.Factor()-1)) + " " + moreOrFewer(x.Factor()-1) + " "
		if f := x.Factor(); f >= severalTimes || f <= 1/severalTimes {
			how = number.Format(f) + " times the "
		}
		all = append(all, doesWork[x.Kind]+" "+how+workUnits[x.Kind]+"s")
	}
	return "a step of the candidate " + strings.Join(all, " and ")
}

// workHint returns how the step time is judged although a step does another amount of work, as a clause;
// "" where it is, or nothing keeps it from being.
func workHint(r *diff.Report) string {
	if r.Work == nil || r.Work.Judged || r.Reason != verdict.ReasonEnvironment {
		return ""
	}
	return "give both sides the same batch, or judge the step time for the same work: work: per-byte in the policy; --force compares all the same"
}

// severalTimes is from which factor on it is said as one, and not as a share. By definition: from
// there on a share is no easier to read.
const severalTimes = 1.5

// perUnit says what became of the step time for the same work, as a clause: "; per byte it takes
// 0.5 % longer".
func perUnit(w *sides.StepWork) string {
	if math.IsNaN(w.PerUnit) || math.IsInf(w.PerUnit, 0) {
		return ""
	}
	return "; per " + workUnits[w.Counts[0].Kind] + " it takes " + number.Share(math.Abs(w.PerUnit)) + " " + map[bool]string{true: "less", false: "longer"}[w.PerUnit < 0]
}

// doesWork holds the verb for each kind of work in a step, and workUnits the name of one unit of it.
var (
	doesWork  = map[sides.WorkKind]string{sides.WorkBytes: "copies", sides.WorkFLOPs: "does", sides.WorkBlocks: "launches"}
	workUnits = map[sides.WorkKind]string{sides.WorkBytes: "byte", sides.WorkFLOPs: "FLOP", sides.WorkBlocks: "block"}
)

// amountOfWork says how much a step of one side does: "50.3 MB copied with 1 234 blocks".
func amountOfWork(w *sides.StepWork, of func(*sides.WorkCount) float64) string {
	var all []string
	for i := range w.Counts {
		x := &w.Counts[i]
		switch v := of(x); x.Kind {
		case sides.WorkBytes:
			all = append(all, number.ScaleOf("B", v).With(v)+" copied")
		case sides.WorkFLOPs:
			all = append(all, number.ScaleOf("FLOP", v).With(v))
		default:
			all = append(all, number.Counted(int(math.Round(v)), workUnits[x.Kind]))
		}
	}
	return strings.Join(all, " with ")
}

// flopsChange returns "14 % fewer FLOPs".
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
