package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
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

// WorkKeys are the series that tell how much a step does.
var WorkKeys = []run.Key{
	{Metric: run.MemcpyBytes, Part: "h2d"},
	{Metric: run.CollectiveBytes, Part: "AllReduce"},
	{Metric: run.CollectiveBytes, Part: "AllGather"},
	{Metric: run.CollectiveBytes, Part: "ReduceScatter"},
}

// work are differences in how much a step does, by what both sides recorded of it:
// another batch size or data type is no faster code.
func (p *Judged) work() []Difference {
	var out []Difference
	for _, key := range WorkKeys {
		c := p.Part(key)
		if c == nil || !(c.Base > 0) || !(c.Cand > 0) || math.Abs(c.Delta) <= sides.SameWork*c.Base {
			continue
		}
		out = append(out, Difference{Work: &Work{key, c.Base, c.Cand}, Class: policy.ClassLook, Why: policy.OtherWork})
	}
	return out
}
