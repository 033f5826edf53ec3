package diff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// requireEqual takes the verdict back where the sides differ in what makes a
// comparison void, or in what the policy requires to be equal. With Force only a
// note of it stays.
func (p *Judged) requireEqual() {
	gate := &p.Gate
	var differ []string
	for _, d := range p.Differences {
		if slices.Contains(p.policy.RequireEqual, d.Name) {
			differ = append(differ, fmt.Sprintf("the policy requires %s to be equal, and it is %s in the baseline and %s in the candidate", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand)))
		} else if d.Class == ClassInvalidates && d.Name != stepsFoundBy { // otherUnit says that
			differ = append(differ, fmt.Sprintf("%s: %s and %s, %s", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand), d.Why))
		}
	}
	if len(differ) == 0 || slices.Contains([]string{ReasonNoSteps, ReasonOtherSteps, ReasonLoad, ReasonRankCount, ReasonUnclear}, gate.Reason) {
		return
	}
	text := strings.Join(differ, "; ")
	if p.policy.Force {
		p.forced = append(p.forced, text)
		return
	}
	gate.Verdict, gate.Reason, gate.RunsNeeded = Inconclusive, ReasonEnvironment, 0
	p.environment = text
	for _, list := range [][]Comparison{p.Metrics, p.Parts} {
		for i := range list {
			if c := &list[i]; !math.IsNaN(c.Estimate) {
				c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, ReasonEnvironment, 0
				c.Why = p.why(c)
			}
		}
	}
}

// The size from which a difference in the work of a step is one, a share. Chosen, not
// measured: the
// same batches are equal to the byte.
const sameWork = 0.01

// work are differences in how much a step does, by what both sides recorded of it:
// another batch size or data type is no faster code.
func (p *Judged) work() []Difference {
	var out []Difference
	for _, x := range []struct {
		key  run.Key
		name string
	}{
		{run.Key{Metric: run.MemcpyBytes, Part: "h2d"}, "bytes copied to a device in a step"},
		{run.Key{Metric: run.CollectiveBytes, Part: "AllReduce"}, "bytes of all-reduces in a step"},
		{run.Key{Metric: run.CollectiveBytes, Part: "AllGather"}, "bytes of all-gathers in a step"},
		{run.Key{Metric: run.CollectiveBytes, Part: "ReduceScatter"}, "bytes of reduce-scatters in a step"},
	} {
		c := p.part(x.key)
		if c == nil || !(c.Base > 0) || !(c.Cand > 0) || math.Abs(c.Delta) <= sameWork*c.Base {
			continue
		}
		sc := number.ScaleOf("B", math.Max(c.Base, c.Cand))
		out = append(out, Difference{Name: x.name, Base: sc.With(c.Base), Cand: sc.With(c.Cand), Class: ClassLook,
			Why: "another batch size, shape or data type does other work in a step"})
	}
	return out
}

// unjudgedFindings are what can be said where nothing is judged: what makes the
// comparison void, and what needs no step.
func (p *Causes) unjudgedFindings() []Finding {
	out := p.mixFinding()
	for _, d := range p.Differences {
		if d.Class == ClassInvalidates && d.Name != stepsFoundBy { // the headline says that
			f := KindNotComparable.finding()
			f.Metric, f.Class, f.Section = d.Name, "look", "environment"
			f.Fact, f.Evidence.Kind = &d, EvidenceRecorded
			if f.Advice.Kind = AdviceAlikeForce; len(p.forced) > 0 {
				f.Advice.Kind = AdviceAlike
			}
			out = append(out, f)
		}
	}
	rest := p.steplessFindings()
	room := min(max(0, maxFindings-len(out)), len(rest))
	p.untoldFindings = rest[room:]
	return append(out, rest[:room]...)
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
