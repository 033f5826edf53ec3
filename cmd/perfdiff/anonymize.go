package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze"
)

// anonymizeSides replaces the names of machines and places in both sides of a comparison and in
// past runs, if --anonymize was given. cand may be nil.
func (c *command) anonymizeSides(base, cand *analyze.Set, past []*analyze.Set) {
	if !c.anonymize {
		return
	}
	all := []analyze.Named{{Label: "baseline", Set: base}}
	if cand != nil {
		all = append(all, analyze.Named{Label: "candidate", Set: cand})
	}
	analyze.Anonymize(append(all, numberedRuns(past)...))
}

// anonymizePast does the same for past runs alone.
func (c *command) anonymizePast(past []*analyze.Set) {
	if c.anonymize {
		analyze.Anonymize(numberedRuns(past))
	}
}

// numberedRuns gives past runs numbers in place of names, in order of name and content, so that
// the order in which they were given does not matter.
func numberedRuns(past []*analyze.Set) []analyze.Named {
	sorted := slices.Clone(past)
	slices.SortStableFunc(sorted, func(a, b *analyze.Set) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Digest, b.Digest))
	})
	var out []analyze.Named
	for i, set := range sorted {
		out = append(out, analyze.Named{Label: fmt.Sprintf("past-%0*d", len(fmt.Sprint(len(sorted))), i+1), Set: set})
	}
	return out
}
