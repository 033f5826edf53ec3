package verdict

import (
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// leastLibrary is the share of communication time from which a library is named: a
// barrier of another one at the start of a capture says nothing. Chosen, not measured: a
// barrier takes less.
const leastLibrary = 0.01

// libraries returns the names of the libraries whose kernels communicate on a side, in order.
func libraries(s *sides.Side) []string {
	times, total := map[string]int64{}, int64(0)
	s.EachRank(func(k *sides.Rank) {
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
	for _, library := range sides.SortedKeys(times) {
		if float64(times[library]) >= leastLibrary*float64(total) {
			out = append(out, library)
		}
	}
	return out
}

// noLibrary names the library of a side that shows no communication.
const noLibrary = "none recognised"

// LibraryDifference returns a difference in the libraries that move the data; false where there is none, or where
// nothing can be said.
func LibraryDifference(p *Terms) (d Difference, differ bool) {
	base, cand := strings.Join(libraries(p.Base), ", "), strings.Join(libraries(p.Cand), ", ")
	switch {
	case base == cand:
		return d, false
	case base == "" || cand == "":
		if p.NotCompared.NoCommunication == "" { // jobs of one rank, and replays that hide it, are no difference
			return d, false
		}
		d = Difference{Base: base, Cand: cand, Why: policy.UnknownCommunication}
	default:
		d = Difference{Base: base, Cand: cand, Why: policy.OtherLibrary}
	}
	d.Name, d.Class = "communication by", policy.ClassLook
	if d.Base == "" {
		d.Base = noLibrary
	}
	if d.Cand == "" {
		d.Cand = noLibrary
	}
	return d, true
}

// FusedShare returns the share of communication time in kernels that compute as well.
func FusedShare(s *sides.Side) float64 {
	fused, total := 0.0, 0.0
	s.EachRank(func(k *sides.Rank) {
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
