package cause

import (
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// unjudgedFindings returns the findings that need no verdict: what makes the comparison void, and what needs no step.
func unjudgedFindings(p *Causes) []Finding {
	out := mixFinding(p)
	for _, d := range p.Differences {
		if d.Class == policy.ClassInvalidates && d.Name != policy.StepsFoundBy { // the headline says that
			f := NewFinding(policy.KindNotComparable)
			f.Metric, f.Class, f.Section = d.Name, verdict.ClassLook, "environment"
			f.Fact, f.Evidence.Kind = &d, EvidenceRecorded
			if f.Advice.Kind = AdviceAlikeForce; len(p.Forced) > 0 || p.ForcedUnequal != nil {
				f.Advice.Kind = AdviceAlike
			}
			out = append(out, f)
		}
	}
	rest := steplessFindings(p)
	room := min(max(0, maxFindings-len(out)), len(rest))
	p.FindingsLeftOut = rest[room:]
	return append(out, rest[:room]...)
}
