package sides

import (
	"slices"
	"strings"

	"perfdiff/analyze/run"
)

// No two runs have the same content: a run that does is the same run, given again. Runs are
// what certainty is made of, so that each counts once, and one on both sides says nothing
// of what differs between them.

// Copies are runs of a side that repeat another run of it.
type Copies struct {
	Side string   // "baseline", "candidate"
	Of   string   // name of the run that counts
	Runs []string // names of those that do not, the same again
}

// WithoutCopies returns a set without the runs that hold what another one does, and these. Which one
// counts is decided by name; the set is not changed.
func WithoutCopies(name string, set *run.Set) (*run.Set, []Copies) {
	var left []Copies
	var kept []run.Run
	known := map[string]string{}
	runs := slices.Clone(set.Runs)
	slices.SortStableFunc(runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	for i := range runs {
		own := DigestsOf(set, &runs[i])
		at := slices.IndexFunc(own, func(d string) bool { return known[d] != "" })
		if at < 0 {
			kept = append(kept, runs[i])
			for _, d := range own {
				known[d] = runs[i].Name
			}
			continue
		}
		of := known[own[at]]
		n := slices.IndexFunc(left, func(c Copies) bool { return c.Of == of })
		if n < 0 {
			n, left = len(left), append(left, Copies{Side: name, Of: of})
		}
		left[n].Runs = append(left[n].Runs, runs[i].Name)
	}
	if left == nil {
		return set, nil
	}
	out := *set
	out.Runs = kept
	return &out, left
}

// shared doubts sides that hold the same run, or files of one.
func shared(base, cand *run.Set) (d Doubt, ok bool) {
	owner := map[string]string{}
	for i := range base.Runs {
		for _, digest := range DigestsOf(base, &base.Runs[i]) {
			owner[digest] = base.Runs[i].Name
		}
	}
	for i := range cand.Runs {
		own := DigestsOf(cand, &cand.Runs[i])
		both, of := 0, ""
		for _, digest := range own {
			if name := owner[digest]; name != "" {
				both, of = both+1, name
			}
		}
		if both == 0 {
			continue
		}
		d = Doubt{Kind: DoubtSameRun, Runs: [2]string{of, cand.Runs[i].Name}}
		if both < len(own) {
			d.Kind, d.Files, d.Of = DoubtSameFiles, both, len(own)
		}
		return d, true
	}
	return d, false
}
