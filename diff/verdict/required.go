package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// Unequal is a difference that makes a comparison void.
type Unequal struct {
	Difference
	Required bool // by the policy to be none
}

// requireEqual takes the verdict back where the sides differ in what makes a
// comparison void, or in what the policy requires to be equal. With Force only a
// note of it stays.
func (p *Judged) requireEqual() {
	gate := &p.Gate
	var differ []Unequal
	for _, d := range p.Differences {
		required := slices.Contains(p.Policy.RequireEqual, d.Name)
		if required || d.Class == policy.ClassInvalidates && d.Name != policy.StepsFoundBy { // otherUnit says that
			differ = append(differ, Unequal{d, required})
		}
	}
	if len(differ) == 0 || slices.Contains([]string{ReasonNoSteps, ReasonOtherSteps, ReasonLoad, ReasonRankCount, ReasonUnclear}, gate.Reason) {
		return
	}
	if p.Policy.Force {
		p.ForcedUnequal = differ
		return
	}
	gate.Verdict, gate.Reason, gate.RunsNeeded = Inconclusive, ReasonEnvironment, 0
	if p.Unequal = differ; p.shared != nil {
		p.shared.Unequal = differ
	}
	for _, list := range [][]Comparison{p.Metrics, p.Parts} {
		for i := range list {
			if c := &list[i]; !math.IsNaN(c.Estimate) {
				c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, ReasonEnvironment, 0
			}
		}
	}
}

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
		c := p.Part(x.key)
		if c == nil || !(c.Base > 0) || !(c.Cand > 0) || math.Abs(c.Delta) <= sides.SameWork*c.Base {
			continue
		}
		sc := number.ScaleOf("B", math.Max(c.Base, c.Cand))
		out = append(out, Difference{Name: x.name, Base: sc.With(c.Base), Cand: sc.With(c.Cand), Class: policy.ClassLook,
			Why: policy.OtherWork})
	}
	return out
}
