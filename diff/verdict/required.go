package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// requireEqual takes the verdict back where the sides differ in what makes a
// comparison void, or in what the policy requires to be equal. With Force only a
// note of it stays.
func (p *Judged) requireEqual() {
	gate := &p.Gate
	var differ []string
	for _, d := range p.Differences {
		if slices.Contains(p.Policy.RequireEqual, d.Name) {
			differ = append(differ, fmt.Sprintf("the policy requires %s to be equal, and it is %s in the baseline and %s in the candidate", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand)))
		} else if d.Class == policy.ClassInvalidates && d.Name != policy.StepsFoundBy { // otherUnit says that
			differ = append(differ, fmt.Sprintf("%s: %s and %s, %s", FactName(d.Name), orUnknown(d.Base), orUnknown(d.Cand), d.Why.Void()))
		}
	}
	if len(differ) == 0 || slices.Contains([]string{ReasonNoSteps, ReasonOtherSteps, ReasonLoad, ReasonRankCount, ReasonUnclear}, gate.Reason) {
		return
	}
	text := strings.Join(differ, "; ")
	if p.Policy.Force {
		p.Forced = append(p.Forced, sides.Forced{Text: text})
		return
	}
	gate.Verdict, gate.Reason, gate.RunsNeeded = Inconclusive, ReasonEnvironment, 0
	if p.Environment = text; p.shared != nil {
		p.shared.Environment = text
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
