package cause

import (
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// unlikeFinding says why kinds of work are not compared.
func unlikeFinding(p *Causes) []Finding {
	u := &p.NotCompared
	if u.Known() || p.Sizes.Differ() {
		return nil
	}
	f := NewFinding(policy.KindWorkKinds)
	f.Metric, f.Class, f.Section, f.NotCompared, f.Evidence.Kind = "graph_mode", verdict.ClassLook, "environment", u, EvidenceRecorded
	if f.Advice.Kind = AdviceGraphs; u.NoCommunication != "" {
		f.Metric, f.Advice.Kind = "communication", AdviceName
	}
	return []Finding{f}
}
