package cause

import (
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// libraryFinding says that another implementation moves the data, although as much of it.
func libraryFinding(p *Causes) []Finding {
	d, differ := verdict.LibraryDifference(p.Terms)
	if !differ || p.NotCompared.NoCommunication != "" || p.Sizes.Differ() {
		return nil
	}
	f := NewFinding(policy.KindLibrary)
	f.Metric, f.Class, f.Section = "communication", verdict.ClassLook, "collectives"
	f.Fact, f.Evidence.Kind = &d, EvidenceRecorded
	f.add(fusedNote(p)...)
	return []Finding{f}
}

// fusedNote says how kernels count that both communicate and compute, if only one side has any.
func fusedNote(p *Causes) []Clause {
	base, cand := verdict.FusedShare(p.Base), verdict.FusedShare(p.Cand)
	side, share := p.Cand.Name, cand
	switch {
	case base > 0 == (cand > 0):
		return nil
	case base > 0:
		side, share = p.Base.Name, base
	}
	fused := ClauseFused.clause()
	fused.Side, fused.Share = side, share
	return []Clause{fused}
}
