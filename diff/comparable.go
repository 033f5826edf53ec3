package diff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// requireEqual takes the verdict back where the sides differ in what makes a
// comparison void, or in what the policy requires to be equal. With Force only a
// note of it stays.
func (p *pair) requireEqual(r *Report, gate *Comparison) {
	var differ []string
	for _, d := range r.Differences {
		if slices.Contains(p.policy.RequireEqual, d.Name) {
			differ = append(differ, fmt.Sprintf("the policy requires %s to be equal, and it is %s in the baseline and %s in the candidate", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand)))
		} else if d.Class == ClassInvalidates {
			differ = append(differ, fmt.Sprintf("%s: %s and %s, %s", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand), d.Why))
		}
	}
	if len(differ) == 0 || gate.Reason == ReasonNoSteps || gate.Reason == ReasonLoad || gate.Reason == ReasonRankCount {
		return
	}
	text := strings.Join(differ, "; ")
	if p.policy.Force {
		p.forced = append(p.forced, text)
		return
	}
	gate.Verdict, gate.Reason, gate.RunsNeeded = Inconclusive, ReasonEnvironment, 0
	p.environment = text
	for _, list := range [][]Comparison{r.Metrics, r.Parts} {
		for i := range list {
			if c := &list[i]; !math.IsNaN(c.Estimate) {
				c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, ReasonEnvironment, 0
				c.Why = p.why(c)
			}
		}
	}
}

// The size from which a difference in the work of a step is one, a share.
const sameWork = 0.01

// work are differences in how much a step does, by what both sides recorded of it:
// another batch size or data type is no faster code.
func (p *pair) work(r *Report) []Difference {
	var out []Difference
	for _, x := range []struct {
		key  run.Key
		name string
	}{
		{run.Key{Metric: "memcpy_bytes", Part: "h2d"}, "bytes copied to a device in a step"},
		{run.Key{Metric: "collective_bytes", Part: "AllReduce"}, "bytes of all-reduces in a step"},
		{run.Key{Metric: "collective_bytes", Part: "AllGather"}, "bytes of all-gathers in a step"},
		{run.Key{Metric: "collective_bytes", Part: "ReduceScatter"}, "bytes of reduce-scatters in a step"},
	} {
		c := partOfReport(r, x.key)
		if c == nil || !(c.Base > 0) || !(c.Cand > 0) || math.Abs(c.Delta) <= sameWork*c.Base {
			continue
		}
		sc := number.ScaleOf("B", math.Max(c.Base, c.Cand))
		out = append(out, Difference{Name: x.name, Base: sc.With(c.Base), Cand: sc.With(c.Cand), Class: ClassLook,
			Why: "another batch size, shape or data type does other work in a step"})
	}
	return out
}

// sameLength is up to which share two captures are equally long.
const sameLength = 0.01

// clockCut are captures of equal length that hold different amounts of work.
type clockCut struct {
	length  float64 // s, of the baseline's
	rate    float64 // work a second in the candidate over the baseline, of the median kernel
	lo, hi  float64 // of the kernels whose rate changed least and most
	kernels int     // that both repeat
	ranks   int
}

// cutByClock finds captures that a clock ended and not the work, where there are no
// steps to compare: their totals are alike because their lengths are.
func (p *pair) cutByClock() (clockCut, bool) {
	length := func(s *side) float64 {
		var all []float64
		s.each(func(k *oneRank) {
			if k.Captured > 0 {
				all = append(all, float64(k.Captured)*1e-9)
			}
		})
		return stat.Median(all)
	}
	base, cand := length(p.base), length(p.cand)
	if !(base > 0) || !(math.Abs(cand-base) <= sameLength*base) {
		return clockCut{}, false
	}
	b, c := p.base.launchRates(), p.cand.launchRates()
	var rates []float64
	for _, name := range sortedKeys(b) {
		if c[name] > 0 && !isComm(name) {
			rates = append(rates, c[name]/b[name])
		}
	}
	cut := clockCut{length: base, rate: stat.Median(rates), kernels: len(rates), ranks: p.base.captured()}
	if len(rates) > 0 {
		cut.lo, cut.hi = slices.Min(rates), slices.Max(rates)
	}
	return cut, len(rates) > 0 && math.Abs(cut.rate-1) > p.policy.Threshold
}

// otherWork is how many times as often as another a kernel may be launched more than
// before for the sides to do the same work at another rate.
const otherWork = 1.2

// leastLaunches is how often a kernel must be launched to be one that repeats.
const leastLaunches = 10

// launchRates are the launches a second of the kernels that repeat, from the first to
// the last work of the device, the mean over ranks. How long the program took to begin
// says nothing of its work.
func (s *side) launchRates() map[string]float64 {
	out, ranks := map[string]float64{}, 0.0
	s.each(func(k *oneRank) {
		length := float64(k.Spans.Active) * 1e-9
		if length <= 0 {
			return
		}
		ranks++
		for _, w := range k.Work {
			if w.Launches >= leastLaunches {
				out[w.Kernel] += float64(w.Launches) / length
			}
		}
	})
	for name := range out {
		out[name] /= ranks
	}
	return out
}

// unjudgedFindings are what can be said where nothing is judged: what makes the
// comparison void, and captures that a clock cut.
func (p *pair) unjudgedFindings(r *Report) []Finding {
	out := p.mixFinding()
	for _, d := range r.Differences {
		if d.Class == ClassInvalidates {
			out = append(out, Finding{
				Metric: d.Name, Class: "look", Section: "environment",
				Text:   fmt.Sprintf("The sides differ in %s: %s and %s; %s.", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand), d.Why),
				Advice: map[bool]string{true: "Record both sides alike.", false: "Record both sides alike, or compare all the same with --force."}[len(p.forced) > 0],
			})
		}
	}
	if cut, ok := p.cutByClock(); ok && p.plan.steps == 0 {
		more := "more"
		if cut.rate < 1 {
			more = "less"
		}
		by := number.Share(math.Abs(cut.rate - 1))
		f := Finding{
			Metric: "launches", Number: number.Signed(100 * (cut.rate - 1)), Unit: "%", Class: "look", Section: "steps-found",
			Text: fmt.Sprintf("The clock ended both captures after %s, and the candidate does %s %s work in a second: so often does it launch the kernels that both repeat. Their totals say nothing.",
				number.With(cut.length, "s"), by, more),
			Evidence: fmt.Sprintf("median of %s, %s a side", number.Counted(cut.kernels, "kernel"), ranksOf(cut.ranks)),
			Advice:   "Mark the steps with ranges and compare step by step, or capture a fixed number of steps.",
		}
		if cut.hi > otherWork*cut.lo {
			f.Number, f.Unit = "", ""
			f.Text = fmt.Sprintf("The clock ended both captures after %s, and they hold other work: the kernels that both repeat are launched %s to %s times as often as in the baseline. Their totals say nothing.",
				number.With(cut.length, "s"), number.Format(cut.lo), number.Format(cut.hi))
			f.Evidence = fmt.Sprintf("%s, %s a side", number.Counted(cut.kernels, "kernel"), ranksOf(cut.ranks))
		}
		out = append(out, f)
	}
	return out
}

// classOfSetting is what a difference in a setting means.
func classOfSetting(key string) kind {
	switch {
	case key == "CUDA_LAUNCH_BLOCKING":
		return kind{ClassLook, "each launch waits for the device where it is set"}
	case key == "NCCL_DEBUG":
		return kind{ClassHarmless, "it only changes what is written to the log"}
	case strings.HasPrefix(key, "NCCL_"), strings.HasPrefix(key, "TORCH_NCCL_"), strings.HasPrefix(key, "FI_"):
		return kind{ClassLook, "collectives may take another way"}
	case trace.IsSetting(key):
		return kind{ClassLook, "it changes how kernels are chosen, launched or given memory"}
	}
	return kind{ClassLook, "it may have an influence"}
}
