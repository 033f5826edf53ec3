package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// Unequal is a difference that makes a comparison void.
type Unequal struct {
	Difference
	Required bool // by the policy to be none
}

// requireEqual takes away the verdict where the sides differ in what makes a comparison void, or in what the policy
// requires to be equal. With Force only a note stays.
func (p *Trial) requireEqual(j *Judged) {
	var differ []Unequal
	for _, d := range j.Differences {
		required := slices.Contains(p.Policy.RequireEqual, d.Name)
		if required || d.Class == policy.ClassInvalidates && d.Name != policy.StepsFoundBy { // otherUnit says that
			differ = append(differ, Unequal{d, required})
		}
	}
	if len(differ) == 0 || j.Gate.Reason == ReasonRankCount || j.Gate.Reason == ReasonUnclear {
		return
	}
	if p.Policy.Force {
		j.ForcedUnequal = differ
		return
	}
	p.context.Unequal = differ
	void := func(c *Comparison) {
		p.proofs[c.Key].unequal = true
		p.proofs[c.Key].decide(c)
	}
	void(&j.Gate)
	for _, list := range [][]Comparison{j.Metrics, j.Parts} {
		for i := range list {
			if c := &list[i]; !math.IsNaN(c.Estimate) {
				void(c)
			}
		}
	}
}

// NotAsRequired returns why a past run is no run of the same job by the facts that the policy requires to be equal, and
// by what a step takes; none: they are, as far as both are known.
func NotAsRequired(past, now *sides.Side, p *policy.Policy) LeftOut {
	then, here := allFacts(past), allFacts(now)
	for _, name := range slices.Concat(p.RequireEqual, []string{trace.FactBatch, trace.FactRankBatch, trace.FactTokens, trace.FactSequence, trace.FactWorld, trace.FactTimes}) {
		if a, b := then[name], here[name]; a != "" && b != "" && a != b {
			return LeftOut{Kind: OtherSetup, Differs: Setup(name), Then: []string{a}, Now: []string{b}, Against: AgainstCandidate}
		}
	}
	return LeftOut{}
}

// WorkKeys are the series that tell how much a step does.
var WorkKeys = []run.Key{
	{Metric: run.MemcpyBytes, Part: "h2d"},
	{Metric: run.CollectiveBytes, Part: "AllReduce"},
	{Metric: run.CollectiveBytes, Part: "AllGather"},
	{Metric: run.CollectiveBytes, Part: "ReduceScatter"},
}

// otherWork returns differences in how much a step does, by what both sides recorded: another batch size or data type
// is no faster code. If all counts of a step's work changed by one factor, no time of a step is comparable, unless
// steps were compared for the same work.
func otherWork(p *Terms, parts []Comparison) []Difference {
	var out []Difference
	if w := p.Work; w != nil {
		d := Difference{Amount: w, Class: policy.ClassInvalidates, Why: policy.OtherAmount}
		if w.Judged {
			d.Class = policy.ClassHarmless
		}
		out = append(out, d)
	}
	for _, key := range WorkKeys {
		c := partOf(parts, key)
		if p.Work != nil && (p.Work.Judged || key.Metric == run.MemcpyBytes) { // which the amount of work says
			continue
		}
		if c == nil || !(c.Base > 0) || !(c.Cand > 0) || math.Abs(c.Delta) <= sides.SameWork*c.Base {
			continue
		}
		out = append(out, Difference{Work: &Work{key, c.Base, c.Cand}, Class: policy.ClassLook, Why: policy.OtherWork})
	}
	return out
}
