package diff

import (
	"strings"

	"perfdiff/analyze/kernelname"
)

// leastLibrary is the share of communication time from which a library is named: a
// barrier of another one at the start of a capture says nothing. Chosen, not measured: a
// barrier takes less.
const leastLibrary = 0.01

// libraries are whose kernels communicate on a side, in order of name.
func (s *side) libraries() []string {
	times, total := map[string]int64{}, int64(0)
	s.each(func(k *oneRank) {
		for _, w := range k.Work {
			library := w.Library
			if library == "" && w.Family == "" { // a summary of an earlier version
				library = kernelname.LibraryOf(w.Kernel)
			}
			if library != "" {
				times[library] += w.Time
				total += w.Time
			}
		}
	})
	var out []string
	for _, library := range sortedKeys(times) {
		if float64(times[library]) >= leastLibrary*float64(total) {
			out = append(out, library)
		}
	}
	return out
}

// noLibrary is what stands for a side that shows no communication.
const noLibrary = "none recognised"

// libraryDifference is a difference in whose kernels move the data; false where there is
// none, or where nothing can be said.
func (p *Judged) libraryDifference() (d Difference, differ bool) {
	base, cand := strings.Join(p.base.libraries(), ", "), strings.Join(p.cand.libraries(), ", ")
	switch {
	case base == cand:
		return d, false
	case base == "" || cand == "":
		if p.untold.Silent == "" { // jobs of one rank, and replays that hide it, are no difference
			return d, false
		}
		d = Difference{Base: base, Cand: cand, Why: "what communicates there is not known, and counts as compute"}
	default:
		d = Difference{Base: base, Cand: cand, Why: "another implementation moves the data: its kernels are other ones, and may compute as well"}
	}
	d.Name, d.Class = "communication by", ClassLook
	if d.Base == "" {
		d.Base = noLibrary
	}
	if d.Cand == "" {
		d.Cand = noLibrary
	}
	return d, true
}

// libraryFinding says that another implementation moves the data, which is no less of
// it.
func (p *Causes) libraryFinding() []Finding {
	d, differ := p.libraryDifference()
	if !differ || p.untold.Silent != "" || p.sizes != "" {
		return nil
	}
	f := KindLibrary.finding()
	f.Metric, f.Class, f.Section = "communication", "look", "collectives"
	f.Fact, f.Evidence.Kind = &d, EvidenceRecorded
	f.add(p.fusedNote()...)
	return []Finding{f}
}

// fusedNote says how kernels that both communicate and compute count, where only one
// side runs such.
func (p *Causes) fusedNote() []Clause {
	base, cand := p.base.fusedShare(), p.cand.fusedShare()
	side, share := p.cand.name, cand
	switch {
	case base > 0 == (cand > 0):
		return nil
	case base > 0:
		side, share = p.base.name, base
	}
	fused := ClauseFused.clause()
	fused.Side, fused.Share = side, share
	return []Clause{fused}
}

// fusedShare is the share of communication time in kernels that compute as well.
func (s *side) fusedShare() float64 {
	fused, total := 0.0, 0.0
	s.each(func(k *oneRank) {
		for _, w := range k.Work {
			if w.Library == "" {
				continue
			}
			total += float64(w.Time)
			if strings.HasPrefix(w.Collective, kernelname.FusedPrefix) {
				fused += float64(w.Time)
			}
		}
	})
	if total == 0 {
		return 0
	}
	return fused / total
}
