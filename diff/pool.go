package diff

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/series"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// MostRuns is how many runs of one commit count, however often it is gated.
const MostRuns = series.MostRuns

// Pool returns a candidate with the runs of its commit that were gated before, which come first, and how many these are.
// Runs of one commit are one sample, however often it is gated: who gates it again until it is green would else pass
// +3 % in two of three cases, and so in one of ten (simulated: diff/series). A run that was gated before is not counted
// twice.
func Pool(cand *run.Set, before []*run.Set) (*run.Set, int) {
	met := map[string]bool{}
	for _, d := range sides.Digests(cand) {
		met[d] = true
	}
	out := *cand
	out.Runs, out.Files = nil, nil
	for _, set := range before {
		for i := range set.Runs {
			own := sides.DigestsOf(set, &set.Runs[i])
			if slices.ContainsFunc(own, func(d string) bool { return met[d] }) {
				continue
			}
			r := set.Runs[i]
			r.Name = verdict.NameOf(set, &r)
			verdict.AddRun(&out, r, verdict.FilesOf(set, &set.Runs[i]))
		}
	}
	n := len(out.Runs)
	if n == 0 {
		return cand, 0
	}
	for i := range cand.Runs {
		verdict.AddRun(&out, cand.Runs[i], verdict.FilesOf(cand, &cand.Runs[i]))
	}
	out.Digest = "" // it is several summaries, of which each has its own
	return &out, n
}
