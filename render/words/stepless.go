package words

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// workRate returns the sentence about the work of a second.
func workRate(r *diff.Report, f *cause.Finding) string {
	w, ended := f.Rate, ""
	if w.Fixed {
		ended = fmt.Sprintf("The clock ended both captures after %s, and ", number.With(w.Length, "s"))
	}
	if w.OtherWork() {
		began := "The captures"
		if w.Fixed {
			began = "they"
		}
		return ended + fmt.Sprintf("%s hold other work: in a second the kernels that both repeat are launched %s to %s times "+
			"as often as in the baseline", began, number.Format(w.Lo), number.Format(w.Hi))
	}
	began := "The"
	if w.Fixed {
		began = "the"
	}
	return ended + fmt.Sprintf("%s candidate does %s %s work per second: so often does it launch the kernels that both repeat",
		began, number.Share(math.Abs(w.Rate-1)), moreOrLess(w.Rate-1))
}

// replays writes the sentence that one side recorded graphs without their kernels.
func replays(r *diff.Report, f *cause.Finding) string {
	return "The " + f.Side + " replays CUDA graphs, of which kernels were not recorded one by one as in the " +
		otherSide(f.Side) + ": their kernels do not compare"
}

// call returns the sentence about a call that takes longer or less.
func call(r *diff.Report, f *cause.Finding) string {
	c := f.Call
	sc := number.GapScale(math.Max(c.Base.Median, c.Cand.Median))
	return fmt.Sprintf("%s takes %s per call: %s and %s, the median of %s and %s", callName(r, c), longerOrLess(f.Delta),
		sc.Format(c.Base.Median), sc.With(c.Cand.Median),
		number.Count(int(c.Base.Count)), number.Counted(int(c.Cand.Count), "call"))
}

// callName names a call at the start of a sentence.
func callName(r *diff.Report, c *cause.Call) string {
	switch c.Table {
	case run.MemoryTable:
		return number.Capital(c.Name)
	case run.RangeTable:
		return "The range " + c.Name
	case run.OperatorTable:
		return "The operator " + c.Name
	}
	return kernelIn(r, c.Name)
}

// otherKernel returns the sentence about a kernel that one side alone runs.
func otherKernel(r *diff.Report, f *cause.Finding) string {
	return fmt.Sprintf("The %s runs %s, %s of its kernel time, which the %s does not",
		f.Side, kernelIn(r, f.Call.Name), number.Share(math.Max(f.Base, f.Cand)), otherSide(f.Side))
}

// mostMix is how many differences in the mix of steps a sentence names.
const mostMix = 4

// mix returns the sentence about another mix of engine steps.
func mix(r *diff.Report, f *cause.Finding) string {
	text := "The mix of engine steps changed: "
	for i := range f.Mix {
		if i > 0 {
			text += "; "
		}
		if more := len(f.Mix) - mostMix; i == mostMix && more > 1 {
			return text + fmt.Sprintf("%d more differences", more)
		}
		text += mixChange(&f.Mix[i])
	}
	return text
}

// MixUnit returns the unit of a difference in the mix.
func MixUnit(x *cause.MixChange) string {
	if x.Kind == cause.MixContext {
		return ofContext(x.Unit)
	}
	return x.Unit
}

func mixChange(x *cause.MixChange) string {
	class, does := loadClass(x.Class), "hold"
	switch x.Kind {
	case cause.MixShare:
		return fmt.Sprintf("%s steps are %s of the baseline's and %s of the candidate's",
			class, number.Share(x.Base), number.Share(x.Cand))
	case cause.MixGroup:
		where := baseline
		if x.Base == 0 {
			where = candidate
		}
		return fmt.Sprintf("%s are in the %s only (%s)", LoadGroup(x.Group), where, number.Counted(int(x.Base+x.Cand), "step"))
	case cause.MixContext:
		does = "read"
	}
	return fmt.Sprintf("%s steps %s %s %s in the baseline and %s in the candidate, medians",
		class, does, number.Times(x.Base), MixUnit(x), number.Times(x.Cand))
}

// differ returns the sentence about a fact in which the sides differ.
func differ(r *diff.Report, f *cause.Finding) string {
	name, base, cand := Differs(f.Fact)
	return fmt.Sprintf("The sides differ in %s: %s and %s; %s", name, known(base), known(cand), Effect(f.Fact))
}

// library returns the sentence about another implementation that moves the data.
func library(r *diff.Report, f *cause.Finding) string {
	return fmt.Sprintf("Communication has another implementation: %s in the baseline, %s in the candidate",
		f.Fact.Base, f.Fact.Cand)
}
